package io.cle.spring.onleader;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

import io.cle.RevokeReason;
import io.cle.spring.FakeLock;
import io.cle.spring.actuate.internal.LeaderElectionMetrics;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.internal.Lease;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.lock.internal.WorkLog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code @OnLeader} in a context whose parent has the locks; both are auto-configured. */
class OnLeaderHierarchyTests {

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    private void hierarchy(BiConsumer<AssertableApplicationContext, ApplicationContextRunner> test) {
        ApplicationContextRunner parents =
                LedApplication.runner().withBean("worker", Worker.class, () -> new Worker("parent", events));
        LedApplication.ready(
                parents,
                parent -> test.accept(
                        parent,
                        LedApplication.runner()
                                .withParent(parent)
                                .withBean("childsWorker", Worker.class, () -> new Worker("child", events))
                                .withBean("guarded", Guarded.class)));
    }

    private String next() {
        return LedApplication.next(events);
    }

    @Nested
    class WorkOfTheChild {

        @Test
        void workOfTheChildRunsOnceATermBegins() {
            hierarchy((parent, children) -> children.run(child -> {
                assertThat(child).hasNotFailed();
                LedApplication.lock(parent).grant();

                assertThat(new String[] {next(), next()}).containsExactlyInAnyOrder("parent begins", "child begins");
                LedApplication.lock(parent).revoke(RevokeReason.RESIGNED).join();
                assertThat(events).containsExactlyInAnyOrder("parent ends", "child ends");
            }));
        }

        @Test
        void workOfTheChildRunsInATermThatIsRunningWhenTheChildIsRefreshed() {
            hierarchy((parent, children) -> {
                LedApplication.lock(parent).grant();
                assertThat(next()).isEqualTo("parent begins");

                children.run(child -> assertThat(next()).isEqualTo("child begins"));
            });
        }

        @Test
        void workOfTheChildIsWaitedForWhenTheTermEnds() {
            hierarchy((parent, children) -> children.run(child -> {
                LedApplication.lock(parent).grant();
                next();
                next();

                LedApplication.lock(parent).revoke(RevokeReason.RESIGNED).join();

                assertThat(events).containsExactlyInAnyOrder("parent ends", "child ends");
            }));
        }

        @Test
        void workOfTheChildEndsWithTheChildWhileTheParentGoesOnLeading() {
            hierarchy((parent, children) -> {
                children.run(child -> {
                    LedApplication.lock(parent).grant();
                    next();
                    next();
                });

                assertThat(events).containsExactly("child ends");
                assertThat(LedApplication.lock(parent).isLeader()).isTrue();
            });
        }

        @Test
        void workOfTheChildDoesNotRunAgainAfterTheChildsEnd() {
            hierarchy((parent, children) -> {
                children.run(child -> assertThat(child).hasNotFailed());
                LedApplication.lock(parent).grant();

                assertThat(next()).isEqualTo("parent begins");
                LedApplication.lock(parent).revoke(RevokeReason.RESIGNED).join();
                assertThat(events).containsExactly("parent ends");
            });
        }

        @Test
        void workOfTheChildRunsAgainInTheSameTermAfterTheChildWasStoppedAndStarted() {
            hierarchy((parent, children) -> children.run(child -> {
                LedApplication.lock(parent).grant();
                next();
                next();

                child.stop();
                assertThat(next()).isEqualTo("child ends");
                child.start();

                assertThat(next()).isEqualTo("child begins");
            }));
        }

        @Test
        void workOfTheChildIsWaitedForWhenTheTermEndsAlsoWhileTheChildIsStopping() {
            hierarchy((parent, children) -> {
                SlowWorker slow = new SlowWorker(events);
                children.withBean(SlowWorker.class, () -> slow).run(child -> {
                    FakeLock lock = LedApplication.lock(parent);
                    lock.grant();
                    assertThat(List.of(next(), next(), next())).contains("slow work begins");

                    CompletableFuture<Void> stopped = CompletableFuture.runAsync(child::stop);
                    assertThat(List.of(next(), next())).contains("slow work is to end");
                    CompletableFuture<Void> drained = lock.revoke(RevokeReason.RESIGNED);
                    lock.awaitListeners();
                    assertThat(drained).isNotDone();

                    slow.mayEnd.countDown();
                    drained.join();
                    stopped.join();
                });
            });
        }

        @Test
        void workOfTheChildIsShownAndCountedByTheParentOnce() {
            hierarchy((parent, children) -> {
                SimpleMeterRegistry registry = new SimpleMeterRegistry();
                Lease orders = parent.getBean(Leases.class).main();
                new LeaderElectionMetrics(parent.getBean(Leases.class)).bindTo(registry);
                children.run(child -> {
                    assertThat(orders.work())
                            .extracting(WorkLog.Status::work)
                            .containsExactlyInAnyOrder("worker.work", "childsWorker.work", "guarded.handle");
                    assertThat(registry.find("cle.work.failures").functionCounters())
                            .extracting(counter -> counter.getId().getTag("work"))
                            .containsExactlyInAnyOrder("worker.work", "childsWorker.work", "guarded.handle");
                });
                assertThat(orders.work()).extracting(WorkLog.Status::work).containsExactly("worker.work");
            });
        }
    }

    @Nested
    class GuardOfTheChild {

        @Test
        void guardOfTheChildAsksTheLockOfTheParent() {
            hierarchy((parent, children) -> children.run(child -> {
                FakeLock lock = LedApplication.lock(parent);
                Guarded guarded = child.getBean(Guarded.class);
                child.publishEvent("skipped");
                assertThat(guarded.handled()).isZero();

                lock.grant();
                child.publishEvent("handled");

                assertThat(guarded.handled()).isOne();
            }));
        }

        @Test
        void guardOfTheChildLetsNoCallInOnceTheChildIsStopped() {
            hierarchy((parent, children) -> children.run(child -> {
                LedApplication.lock(parent).grant();
                child.publishEvent("handled");
                child.stop();

                child.publishEvent("skipped");

                assertThat(child.getBean(Guarded.class).handled()).isOne();
            }));
        }
    }

    @Nested
    class LocksOfTheChild {

        @Test
        void locksOfTheChildAreTheParents() {
            hierarchy((parent, children) -> children.run(
                    child -> assertThat(child.getBean(LeaseLocks.class)).isSameAs(parent.getBean(LeaseLocks.class))));
        }
    }

    static class Guarded {

        private final AtomicInteger handled = new AtomicInteger();

        public int handled() {
            return handled.get();
        }

        @OnLeader
        @EventListener
        public void handle(String order) {
            handled.incrementAndGet();
        }
    }

    static class Worker {

        private final String name;
        private final BlockingQueue<String> events;

        Worker(String name, BlockingQueue<String> events) {
            this.name = name;
            this.events = events;
        }

        @OnLeader
        void work() throws InterruptedException {
            events.add(name + " begins");
            try {
                new CountDownLatch(1).await();
            } finally {
                events.add(name + " ends");
            }
        }
    }

    /** Doesn't end when it is interrupted. */
    static class SlowWorker {

        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final BlockingQueue<String> events;

        SlowWorker(BlockingQueue<String> events) {
            this.events = events;
        }

        @OnLeader
        void work() throws InterruptedException {
            events.add("slow work begins");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                events.add("slow work is to end");
                mayEnd.await();
            }
        }
    }
}

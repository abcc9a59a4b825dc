package io.cle.spring.onleader;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.cle.RevokeReason;
import io.cle.spring.FakeLock;
import io.cle.spring.lock.LeaseLocks;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.test.util.AopTestUtils;

import static io.cle.spring.onleader.LedApplication.target;
import static org.assertj.core.api.Assertions.assertThat;

/** Led work that closes its own application context, as {@code System.exit(SpringApplication.exit(context))} does. */
class OnLeaderClosingTests {

    private static final Duration IN_TIME = Duration.ofSeconds(10);

    @Test
    void theLeaseIsHandedOverAtOnceAndTheWorkIsNotInterrupted() {
        LedApplication.ready(Closing.class, context -> {
            FakeLock lock = LedApplication.lock(context);
            Closing work = target(context, Closing.class);
            lock.grant();

            assertThat(work.closed).succeedsWithin(IN_TIME).isEqualTo(Closed.WELL);
        });
    }

    @Test
    void soItIsIfAGuardedCallClosesTheContext() {
        LedApplication.ready(GuardedClosing.class, context -> {
            FakeLock lock = LedApplication.lock(context);
            lock.grant();
            GuardedClosing work = target(context, GuardedClosing.class);
            CompletableFuture<Closed> closed = new CompletableFuture<>();
            CompletableFuture.runAsync(() -> work.finish(closed));

            assertThat(closed).succeedsWithin(IN_TIME).isEqualTo(Closed.WELL);
        });
    }

    @Test
    void otherWorkIsInterruptedAndWaitedFor() {
        ApplicationContextRunner both =
                LedApplication.runner().withBean(Slow.class).withBean(ClosingBesideOther.class);
        LedApplication.ready(both, context -> {
            FakeLock lock = LedApplication.lock(context);
            Slow slow = target(context, Slow.class);
            ClosingBesideOther closing = target(context, ClosingBesideOther.class);
            lock.grant();
            LedApplication.await(slow.interrupted);

            assertThat(lock.lastRevocation()).isNotDone();
            assertThat(closing.closed).isNotDone();
            slow.mayEnd.countDown();
            assertThat(closing.closed).succeedsWithin(IN_TIME).isEqualTo(Closed.WELL);
        });
    }

    @Test
    void workThatClosesAChildContextGoesOn() {
        LedApplication.ready(ClosingAChild.class, context -> {
            FakeLock lock = LedApplication.lock(context);
            ClosingAChild work = target(context, ClosingAChild.class);
            lock.grant();
            LedApplication.await(work.childClosed);

            CompletableFuture<Void> drained = lock.revoke(RevokeReason.RESIGNED);
            LedApplication.await(work.interrupted);
            assertThat(drained).isNotDone();
            work.mayEnd.countDown();
            assertThat(drained).succeedsWithin(IN_TIME);
        });
    }

    /** The observations of led work after it has closed its application context. */
    private record Closed(boolean interrupted, boolean handedOver) {
        static final Closed WELL = new Closed(false, true);

        static Closed by(ConfigurableApplicationContext context) {
            FakeLock lock = (FakeLock) context.getBean(LeaseLocks.class).get("orders");
            context.close();
            return new Closed(
                    Thread.currentThread().isInterrupted(),
                    lock.lastRevocation().isDone());
        }
    }

    static class Closing {
        final CompletableFuture<Closed> closed = new CompletableFuture<>();
        private final ConfigurableApplicationContext context;

        Closing(ConfigurableApplicationContext context) {
            this.context = context;
        }

        @OnLeader
        void work() {
            closed.complete(Closed.by(context));
        }
    }

    static class GuardedClosing {
        private final ConfigurableApplicationContext context;

        GuardedClosing(ConfigurableApplicationContext context) {
            this.context = context;
        }

        @OnLeader
        @EventListener
        public void finish(CompletableFuture<Closed> closed) {
            closed.complete(Closed.by(context));
        }
    }

    static class ClosingAChild extends Slow {
        final CountDownLatch childClosed = new CountDownLatch(1);
        private final ApplicationContext context;

        ClosingAChild(ApplicationContext context) {
            this.context = context;
        }

        @Override
        @OnLeader
        void work() {
            GenericApplicationContext child = new GenericApplicationContext(context);
            child.refresh();
            child.close();
            childClosed.countDown();
            super.work();
        }
    }

    static class Slow {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch interrupted = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);

        @OnLeader
        void work() {
            begun.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                LedApplication.await(mayEnd);
            }
        }
    }

    static class ClosingBesideOther {
        final CompletableFuture<Closed> closed = new CompletableFuture<>();
        private final ConfigurableApplicationContext context;
        private final Slow other;

        ClosingBesideOther(ConfigurableApplicationContext context, Slow other) {
            this.context = context;
            this.other = AopTestUtils.getTargetObject(other);
        }

        @OnLeader
        void work() {
            LedApplication.await(other.begun);
            closed.complete(Closed.by(context));
        }
    }
}

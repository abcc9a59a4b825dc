package io.cle.spring.onleader;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.TermEndedException;
import io.cle.spring.MigrationFile;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.internal.ApplicationLease;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.lock.internal.WorkLog;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshotFactory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.Ordered;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;

import static io.cle.spring.onleader.LedApplication.lock;
import static io.cle.spring.onleader.LedApplication.next;
import static io.cle.spring.onleader.LedApplication.ready;
import static io.cle.spring.onleader.LedApplication.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Methods that run while this process leads. */
@ExtendWith(OutputCaptureExtension.class)
class OnLeaderTests {

    @Nested
    class LedMethod {

        static class Worker {
            final BlockingQueue<Object> begun = new LinkedBlockingQueue<>();
            final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
            final CountDownLatch mayEnd = new CountDownLatch(1);

            @OnLeader
            void work(Term term) {
                begun.add(term.fencingToken() + " on " + Thread.currentThread().getName());
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException revoked) {
                    ended.add("interrupted");
                }
                LedApplication.await(mayEnd);
            }
        }

        @Test
        void ledMethodRunsOnAThreadOfItsOwnUntilItIsInterruptedAndItsEndIsWaitedFor() {
            ready(Worker.class, context -> {
                Worker worker = target(context, Worker.class);
                lock(context).grant();
                assertThat(next(worker.begun)).isEqualTo("41 on cle-orders-worker.work");

                CompletableFuture<Void> drained = lock(context).revoke(RevokeReason.END_OF_TERM);
                assertThat(next(worker.ended)).isEqualTo("interrupted");
                assertThat(drained).as("while it still works").isNotDone();
                worker.mayEnd.countDown();
                assertThat(drained).succeedsWithin(Duration.ofSeconds(10));
            });
        }

        @Test
        void ledMethodRunsAgainInTheNextTerm() {
            ready(Worker.class, context -> {
                Worker worker = target(context, Worker.class);
                worker.mayEnd.countDown();
                lock(context).grant();
                next(worker.begun);
                lock(context).revoke(RevokeReason.LEASE_LOST).join();
                lock(context).grant();
                assertThat(next(worker.begun)).isEqualTo("42 on cle-orders-worker.work");
                lock(context).revoke(RevokeReason.STOPPED).join();
            });
        }

        @Test
        void ledMethodDoesNotRunTwiceAtOnceIfItHasNotEnded() {
            ready(Worker.class, context -> {
                Worker worker = target(context, Worker.class);
                lock(context).grant();
                next(worker.begun);
                lock(context).revoke(RevokeReason.RENEW_DEADLINE);
                next(worker.ended);

                lock(context).grant();
                assertThat(worker.begun).as("while the last run still goes on").isEmpty();
                worker.mayEnd.countDown();
                assertThat(next(worker.begun)).isEqualTo("42 on cle-orders-worker.work");
                lock(context).revoke(RevokeReason.STOPPED).join();
            });
        }
    }

    @Nested
    class LeaseOfTheWork {

        static class TwoLeases {
            final BlockingQueue<String> begun = new LinkedBlockingQueue<>();

            @OnLeader("reports")
            void report() {
                begun.add("reports");
            }

            @OnLeader
            void order() {
                begun.add("orders");
            }

            @OnLeader(controller = "route")
            void route() {
                begun.add("route");
            }
        }

        @Test
        void leaseOfTheWorkIsTheOneThatTheWorkNames() {
            ready(TwoLeases.class, context -> {
                TwoLeases worker = target(context, TwoLeases.class);
                lock(context, "reports").grant();
                assertThat(next(worker.begun)).isEqualTo("reports");
                lock(context, "reports").revoke(RevokeReason.STOPPED).join();
                assertThat(worker.begun).isEmpty();
            });
        }

        @Test
        void leaseOfTheWorkIsNamedAtTheStartWithTheMethodsThatRunByThemselves(CapturedOutput output) {
            LedApplication.runner()
                    .withBean("worker", TwoLeases.class)
                    .withBean("guarded", OnLeaderGuardTests.Guarded.class)
                    .run(context -> assertThat(context).hasNotFailed());

            assertThat(output)
                    .contains("Lease orders: worker.order has no trigger such as @Scheduled, so it runs each time")
                    .contains("Lease orders: worker.route has no trigger")
                    .contains("Lease reports: worker.report has no trigger")
                    .doesNotContain("guarded.");
        }

        @Test
        void leaseOfTheWorkIsTheOneThatTheControllerIsAssignedToElseTheDefaultOne() {
            ready(TwoLeases.class, context -> {
                TwoLeases worker = target(context, TwoLeases.class);
                lock(context).grant();
                assertThat(List.of(next(worker.begun), next(worker.begun)))
                        .containsExactlyInAnyOrder("orders", "route");
            });
            LedApplication.runner()
                    .withPropertyValues("cle.migration.enabled=true", MigrationFile.of("shared", "route=*"))
                    .withBean("worker", TwoLeases.class)
                    .run(context -> {
                        ApplicationLease shared = context.getBean(Leases.class).get("shared");
                        assertThat(shared.work())
                                .extracting(WorkLog.Status::work)
                                .containsExactly("worker.route");
                    });
        }

        static class NamedByConfiguration {
            final BlockingQueue<String> begun = new LinkedBlockingQueue<>();

            @OnLeader(lease = "${work.lease}")
            void byPlaceholder() {
                begun.add("placeholder");
            }

            @OnLeader(lease = "#{'rep' + 'orts'}")
            void byExpression() {
                begun.add("expression");
            }
        }

        @Test
        void leaseOfTheWorkIsNamedByPlaceholdersAndExpressions() {
            ready(
                    NamedByConfiguration.class,
                    context -> {
                        NamedByConfiguration worker = target(context, NamedByConfiguration.class);
                        lock(context, "reports").grant();
                        assertThat(List.of(next(worker.begun), next(worker.begun)))
                                .containsExactlyInAnyOrder("placeholder", "expression");
                        lock(context, "reports").revoke(RevokeReason.STOPPED).join();
                    },
                    "work.lease=reports");
        }
    }

    @Nested
    class TermOfTheWork {

        static class TakesItsTerm {
            final BlockingQueue<Term> begun = new LinkedBlockingQueue<>();
            final CountDownLatch mayEnd = new CountDownLatch(1);

            @OnLeader(interrupt = false)
            void work(Term term) {
                begun.add(term);
                LedApplication.await(mayEnd);
            }
        }

        @Test
        void termOfTheWorkIsTheOneInWhichTheWorkBegan() {
            ready(TakesItsTerm.class, context -> {
                TakesItsTerm worker = target(context, TakesItsTerm.class);
                lock(context).grant();
                Term term = next(worker.begun);
                assertThat(term.lease()).hasToString("shop/orders");
                assertThat(term.fencingToken()).isEqualTo(41);
                assertThat(term.isValid()).isTrue();
                term.check();

                lock(context).revoke(RevokeReason.LEASE_LOST);
                lock(context).grant();
                assertThat(term.fencingToken()).isEqualTo(41);
                assertThat(term.isValid())
                        .as("although this process leads again")
                        .isFalse();
                assertThatExceptionOfType(TermEndedException.class)
                        .isThrownBy(term::check)
                        .withMessageContaining("fencing token 41");
                worker.mayEnd.countDown();
                assertThat(next(worker.begun).fencingToken()).isEqualTo(42);
                lock(context).revoke(RevokeReason.STOPPED).join();
            });
        }

        @Test
        void termOfTheWorkIsAbsentOnAThreadWithoutLedWork() {
            ready(TakesItsTerm.class, context -> {
                lock(context).grant();
                assertThat(Term.current()).isEmpty();
                assertThat(lock(context).term().map(Term::fencingToken)).contains(41L);
                target(context, TakesItsTerm.class).mayEnd.countDown();
                lock(context).revoke(RevokeReason.STOPPED).join();
                assertThat(lock(context).term()).isEmpty();
            });
        }
    }

    @Nested
    class ThreadOfTheWork {

        @Test
        void threadOfTheWorkHasTheApplicationsTaskDecorator() {
            ThreadLocal<String> tenant = new ThreadLocal<>();
            BlockingQueue<String> tenants = new LinkedBlockingQueue<>();
            ready(
                    LedApplication.runner()
                            .withBean(
                                    SimpleAsyncTaskExecutorBuilder.class,
                                    () -> new SimpleAsyncTaskExecutorBuilder()
                                            .concurrencyLimit(1)
                                            .taskDecorator(task -> () -> {
                                                tenant.set("shop");
                                                task.run();
                                            }))
                            .withBean("worker", ReadsTenant.class, () -> new ReadsTenant(tenant, tenants)),
                    context -> {
                        lock(context).grant();
                        assertThat(List.of(next(tenants), next(tenants))).containsExactly("shop", "shop");
                        lock(context).revoke(RevokeReason.STOPPED).join();
                    });
        }

        @Test
        void threadOfTheWorkHasTheContextThatAContextPropagatingTaskDecoratorTakesAlong() {
            ThreadLocal<String> tenant = new ThreadLocal<>();
            BlockingQueue<String> tenants = new LinkedBlockingQueue<>();
            ContextRegistry contexts = new ContextRegistry().registerThreadLocalAccessor("tenant", tenant);
            ready(
                    LedApplication.runner()
                            .withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                            .withBean(
                                    TaskDecorator.class,
                                    () -> new ContextPropagatingTaskDecorator(ContextSnapshotFactory.builder()
                                            .contextRegistry(contexts)
                                            .build()))
                            .withBean(SetsTenant.class, tenant)
                            .withBean("worker", ReadsTenant.class, () -> new ReadsTenant(tenant, tenants)),
                    context -> {
                        lock(context).grant();
                        assertThat(List.of(next(tenants), next(tenants))).containsExactly("shop", "shop");
                        lock(context).revoke(RevokeReason.STOPPED).join();
                    });
        }

        /** Sets a thread-local on the thread that starts led work, before it does. */
        record SetsTenant(ThreadLocal<String> tenant) implements LeaseLockCustomizer, Ordered {

            @Override
            public void customize(String name, CoordinatedLeaseLock lock) {
                lock.addListener(new LeadershipListener() {
                    @Override
                    public void onGranted(Term term) {
                        tenant.set("shop");
                    }
                });
            }

            @Override
            public int getOrder() {
                return HIGHEST_PRECEDENCE;
            }
        }

        static class ReadsTenant {
            private final ThreadLocal<String> tenant;
            private final BlockingQueue<String> tenants;

            ReadsTenant(ThreadLocal<String> tenant, BlockingQueue<String> tenants) {
                this.tenant = tenant;
                this.tenants = tenants;
            }

            @OnLeader
            void work() throws InterruptedException {
                tenants.add(tenant.get());
                new CountDownLatch(1).await();
            }

            @OnLeader
            void furtherWork() throws InterruptedException {
                tenants.add(tenant.get());
                new CountDownLatch(1).await();
            }
        }
    }
}

package io.cle.spring.lock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.cle.CoordinatedLeaseLock;
import io.cle.InvalidConfigurationException;
import io.cle.spring.FakeLock;
import io.cle.spring.actuate.CleActuatorAutoConfiguration;
import io.cle.spring.actuate.internal.LeaderElectionEndpoint;
import io.cle.spring.event.CleEventsAutoConfiguration;
import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnRevokedLeadership;
import io.cle.spring.kubernetes.CleKubernetesAutoConfiguration;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.onleader.CleOnLeaderAutoConfiguration;
import io.cle.spring.properties.internal.LeaseSettings;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Leases that an application creates and drops while it runs. */
class RuntimeLeasesTests {

    private static final NewLease TENANT = NewLease.named("tenant").property("namespace", "tenants");

    private final List<LeaseSettings> asked = new CopyOnWriteArrayList<>();

    private ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CleAutoConfiguration.class,
                        CleEventsAutoConfiguration.class,
                        CleActuatorAutoConfiguration.class,
                        CleOnLeaderAutoConfiguration.class))
                .withBean(LeaseLockFactory.class, () -> settings -> {
                    asked.add(settings);
                    return new FakeLock(settings.lease().name());
                })
                .withBean(Journal.class)
                .withPropertyValues(
                        "spring.application.name=orders",
                        "cle.leases.reports.namespace=office",
                        "management.endpoints.web.exposure.include=*");
    }

    private void ready(Consumer<AssertableApplicationContext> test) {
        runner().run(context -> {
            becomeReady(context);
            test.accept(context);
        });
    }

    private void withProperty(String property, Consumer<AssertableApplicationContext> test) {
        runner().withPropertyValues(property).run(context -> {
            becomeReady(context);
            test.accept(context);
        });
    }

    private static void becomeReady(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed();
        context.publishEvent(new ApplicationReadyEvent(
                new SpringApplication(), new String[0], context.getSourceApplicationContext(), Duration.ZERO));
    }

    private static RuntimeLeases leases(AssertableApplicationContext context) {
        return context.getBean(RuntimeLeases.class);
    }

    private static FakeLock create(AssertableApplicationContext context, NewLease lease) {
        return (FakeLock) leases(context).create(lease);
    }

    @Nested
    class Created {

        @Test
        void aCreatedLeaseIsACandidateAtOnceWithTheDefaultLeasesPropertiesAndItsOwn() {
            ready(context -> {
                FakeLock lock = create(context, TENANT.property("lease-duration", "30s"));

                assertThat(lock.isRunning()).isTrue();
                LeaseSettings settings = asked.get(asked.size() - 1);
                assertThat(settings.lease()).hasToString("tenants/tenant");
                assertThat(settings.timings().leaseDuration()).isEqualTo(Duration.ofSeconds(30));
                assertThat(settings.timings().renewDeadline()).isEqualTo(Duration.ofSeconds(10));
            });
        }

        @Test
        void aCreatedLeaseJoinsOnceTheApplicationIsReady() {
            runner().run(context -> {
                FakeLock lock = create(context, TENANT);
                assertThat(lock.isRunning()).isFalse();

                becomeReady(context);

                assertThat(lock.isRunning()).isTrue();
                lock.grant();
                assertThat(context.getBean(Journal.class).next()).isEqualTo("granted tenant");
            });
        }

        @Test
        void aCreatedLeaseHasEventsEndpointAndWork() {
            CountDownLatch begun = new CountDownLatch(1);
            ready(context -> {
                FakeLock lock = create(context, TENANT.work("import", blocking(begun)));
                lock.grant();

                assertThat(context.getBean(Journal.class).next()).isEqualTo("granted tenant");
                await(begun);
                LeaderElectionEndpoint endpoint = context.getBean(LeaderElectionEndpoint.class);
                assertThat(endpoint.leases().leases()).containsOnlyKeys("orders", "reports", "tenant");
                assertThat(endpoint.lease("tenant").work())
                        .singleElement()
                        .satisfies(work -> assertThat(work.work()).isEqualTo("import"));
            });
        }

        @Test
        void aCreatedLeaseIsFoundAmongTheLocks() {
            ready(context -> {
                FakeLock lock = create(context, TENANT);
                assertThat(context.getBean(LeaseLocks.class).get("tenant")).isSameAs(lock);
            });
        }

        @Test
        void aCreatedLeaseEndsWithTheContext() {
            FakeLock[] lock = new FakeLock[1];
            ready(context -> {
                lock[0] = create(context, TENANT);
                assertThat(lock[0].isRunning()).isTrue();
            });
            assertThat(lock[0].isRunning()).isFalse();
        }

        @Test
        void aCreatedLeaseIsStoppedAndStartedAgainWithTheContext() {
            ready(context -> {
                FakeLock lock = create(context, TENANT);

                context.getSourceApplicationContext().stop();
                assertThat(lock.isRunning()).isFalse();
                context.getSourceApplicationContext().start();

                assertThat(lock.isRunning()).isTrue();
            });
        }

        @Test
        void aCreatedLeaseHasItsWorkRunAgainIfItFails() {
            BlockingQueue<Integer> attempts = new LinkedBlockingQueue<>();
            runner().withPropertyValues("cle.on-leader.retry-delay=1ms").run(context -> {
                becomeReady(context);
                FakeLock lock = create(context, TENANT.work("import", term -> {
                    attempts.add(attempts.size());
                    throw new IllegalStateException("no");
                }));
                lock.grant();
                Awaitility.await().until(() -> attempts.size() > 2);
            });
        }
    }

    @Nested
    class Dropped {

        @Test
        void aDroppedLeaseEndsItsTermAndIsGone() {
            CountDownLatch begun = new CountDownLatch(1);
            ready(context -> {
                FakeLock lock = create(context, TENANT.work("import", blocking(begun)));
                lock.grant();
                await(begun);

                leases(context).drop("tenant").toCompletableFuture().join();

                assertThat(lock.isLeader()).isFalse();
                assertThat(lock.isRunning()).isFalse();
                assertThat(context.getBean(Journal.class).all())
                        .containsExactly("granted tenant", "revoked tenant STOPPED");
                assertThat(context.getBean(LeaseLocks.class).names()).containsExactly("orders", "reports");
                assertThat(context.getBean(LeaderElectionEndpoint.class).lease("tenant"))
                        .isNull();
            });
        }

        @Test
        void aDroppedLeaseIsShownUntilItsWorkHasEnded() {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            ready(context -> {
                FakeLock lock = create(context, TENANT.work("import", stubborn(begun, end)));
                lock.grant();
                await(begun);

                CompletionStage<Void> dropped = leases(context).drop("tenant");

                assertThat(context.getBean(LeaseLocks.class).find("tenant")).isPresent();
                assertThat(leases(context).drop("tenant")).isSameAs(dropped);
                end.countDown();
                dropped.toCompletableFuture().join();
                assertThat(context.getBean(LeaseLocks.class).find("tenant")).isEmpty();
            });
        }

        @Test
        void aDroppedLeaseCanBeCreatedAnew() {
            ready(context -> {
                create(context, TENANT);
                leases(context).drop("tenant").toCompletableFuture().join();

                create(context, TENANT).grant();

                assertThat(context.getBean(Journal.class).next()).isEqualTo("granted tenant");
            });
        }

        @Test
        void aDroppedLeaseIsNotStartedAgainWithTheContext() {
            ready(context -> {
                FakeLock lock = create(context, TENANT);
                leases(context).drop("tenant").toCompletableFuture().join();

                context.getSourceApplicationContext().stop();
                context.getSourceApplicationContext().start();

                assertThat(lock.isRunning()).isFalse();
            });
        }
    }

    @Nested
    class Meters {

        private final MeterRegistry registry = new SimpleMeterRegistry();

        private void bind(AssertableApplicationContext context) {
            context.getBeanProvider(MeterBinder.class).forEach(binder -> binder.bindTo(registry));
        }

        private List<Meter> ofTenant() {
            return registry.getMeters().stream()
                    .filter(meter -> "tenant".equals(meter.getId().getTag("lease"))
                            || "tenant".equals(meter.getId().getTag("name")))
                    .toList();
        }

        @Test
        void metersAreThereFromTheCreationToTheDrop() {
            ready(context -> {
                bind(context);
                assertThat(ofTenant()).isEmpty();

                create(context, TENANT.work("import", term -> {})).grant();

                assertThat(registry.get("leader.election.master.status")
                                .tag("name", "tenant")
                                .gauge()
                                .value())
                        .isOne();
                assertThat(registry.get("cle.terms")
                                .tag("lease", "tenant")
                                .counter()
                                .count())
                        .isOne();
                assertThat(registry.get("cle.work.failures")
                                .tag("work", "import")
                                .functionCounter()
                                .count())
                        .isZero();

                leases(context).drop("tenant").toCompletableFuture().join();

                assertThat(ofTenant()).isEmpty();
                assertThat(registry.find("cle.terms").tag("lease", "orders").counter())
                        .isNotNull();
            });
        }

        @Test
        void metersAreGoneWithThoseOfObservationsOnceTheLeaseIsDropped() {
            ObservationRegistry observations = ObservationRegistry.create();
            observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
            runner().withBean(ObservationRegistry.class, () -> observations).run(context -> {
                becomeReady(context);
                bind(context);
                CountDownLatch begun = new CountDownLatch(1);
                create(context, TENANT.work("import", term -> {
                            begun.countDown();
                            new CountDownLatch(1).await();
                        }))
                        .grant();
                assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
                assertThat(registry.find("cle.work.active").longTaskTimers()).isNotEmpty();

                leases(context).drop("tenant").toCompletableFuture().join();

                assertThat(ofTenant()).isEmpty();
            });
        }

        @Test
        void metersAreNotLeftBehindIfTheCreationFails() {
            runner().withConfiguration(AutoConfigurations.of(FailingAutoConfiguration.class))
                    .run(context -> {
                        becomeReady(context);
                        bind(context);

                        assertThatThrownBy(() -> create(context, TENANT.work("import", term -> {})))
                                .hasMessage("a customizer fails");

                        assertThat(ofTenant()).isEmpty();
                        assertThat(context.getBean(LeaseLocks.class).find("tenant"))
                                .isEmpty();
                    });
        }
    }

    @Nested
    class Refused {

        @Test
        void refusedIsALeaseThatExists() {
            ready(context -> {
                assertThatThrownBy(() -> leases(context).create(NewLease.named("reports")))
                        .isInstanceOf(InvalidConfigurationException.class);
                assertThatThrownBy(() -> leases(context)
                                .create(NewLease.named("other")
                                        .property("namespace", "office")
                                        .property("lease-name", "reports")))
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessageContaining("office/reports");
                create(context, TENANT);
                assertThatThrownBy(() -> leases(context).create(TENANT))
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessageContaining("the lease tenants/tenant is already that of cle.leases.tenant");
            });
        }

        @ParameterizedTest
        @ValueSource(strings = {"items", "items-4-2"})
        void refusedIsALeaseWithANameOfShards(String name) {
            withProperty(
                    "cle.leases.items.shards=4",
                    context -> assertThatThrownBy(() -> leases(context).create(NewLease.named(name)))
                            .isInstanceOf(InvalidConfigurationException.class)
                            .hasMessageContaining("is already that of cle.leases.items"));
        }

        @Test
        void refusedIsALeaseWithTheCandidateOfShards() {
            withProperty(
                    "cle.leases.items.shards=4",
                    context -> assertThatThrownBy(() -> leases(context)
                                    .create(NewLease.named("others").property("lease-name", "items")))
                            .isInstanceOf(InvalidConfigurationException.class)
                            .hasMessageContaining("is already that of cle.leases.items"));
        }

        @Test
        void refusedIsALeaseOfAGroupThatAnnouncesAnotherCandidate() {
            ready(context -> {
                create(context, NewLease.named("north").property("group", "regions"));
                assertThatThrownBy(() -> leases(context)
                                .create(NewLease.named("south")
                                        .property("group", "regions")
                                        .property("candidate.priority", "7")))
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessageContaining("cle.leases.south.group (regions)")
                        .hasMessageContaining("differ from those of cle.leases.north");
            });
        }

        @Test
        void refusedIsALeaseThatIsCalledLikeAGroup() {
            ready(context -> {
                create(context, NewLease.named("north").property("group", "regions"));
                assertThatThrownBy(() -> leases(context).create(NewLease.named("regions")))
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessageContaining(
                                "cle.leases.north.group (regions): the lease default/regions has the same name");
            });
        }

        @Test
        void refusedIsALeaseThatIsLedInParts() {
            ready(context -> assertThatThrownBy(() -> leases(context).create(TENANT.property("shards", "4")))
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessageContaining("cle.leases.tenant.shards (4)")
                    .hasMessageContaining("at run time"));
        }

        @Test
        void refusedIsAPropertyThatCannotBeUsed() {
            ready(context -> {
                assertThatThrownBy(() -> leases(context).create(TENANT.property("lease-duration", "5s")))
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessageContaining("cle.leases.tenant.lease-duration");
                assertThatThrownBy(() -> leases(context).create(TENANT.property("resource-lock", "sheets")))
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessageContaining("cle.leases.tenant.resource-lock");
                assertThat(context.getBean(LeaseLocks.class).names()).containsExactly("orders", "reports");
            });
        }

        @ParameterizedTest
        @ValueSource(strings = {"strategy", "lease-duratoin", "candidate.prioritty"})
        void refusedIsAPropertyThatThereIsNot(String written) {
            ready(context -> assertThatThrownBy(() -> leases(context).create(TENANT.property(written, "7")))
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessageContaining("cle.leases.tenant")
                    .hasMessageContaining(written));
        }

        @Test
        void refusedIsTheDropOfALeaseThatIsConfigured() {
            ready(context -> assertThatIllegalArgumentException()
                    .isThrownBy(() -> leases(context).drop("reports"))
                    .withMessageContaining("'reports'"));
        }

        @Test
        void refusedIsACreationAfterTheEndOfTheContext() {
            RuntimeLeases[] leases = new RuntimeLeases[1];
            ready(context -> leases[0] = leases(context));
            assertThatThrownBy(() -> leases[0].create(TENANT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the application context is not running");
        }
    }

    @Nested
    class CustomizerOfADroppedLease {

        @Test
        void customizerOfADroppedLeaseIsNotCalledOnTheThreadThatEndsTheTerm() {
            BlockingQueue<String> threads = new LinkedBlockingQueue<>();
            LeaseLockCustomizer customizer = new LeaseLockCustomizer() {
                @Override
                public void customize(String name, CoordinatedLeaseLock lock) {}

                @Override
                public void dropped(String name) {
                    threads.add(Thread.currentThread().getName());
                }
            };
            new ApplicationContextRunner()
                    .withConfiguration(
                            AutoConfigurations.of(CleAutoConfiguration.class, CleKubernetesAutoConfiguration.class))
                    .withPropertyValues("spring.application.name=orders", "cle.mode=standalone")
                    .withBean(LeaseLockCustomizer.class, () -> customizer)
                    .run(context -> {
                        becomeReady(context);
                        CoordinatedLeaseLock lock = leases(context).create(TENANT);
                        assertThat(lock.awaitLeadership(Duration.ofSeconds(10))).isTrue();

                        leases(context).drop("tenant").toCompletableFuture().get(10, TimeUnit.SECONDS);

                        assertThat(threads).singleElement().isNotEqualTo("cle-election");
                    });
        }
    }

    @Nested
    class SwitchedOff {

        @Test
        void aSwitchedOffElectionCreatesLocksThatNeverLead() {
            new ApplicationContextRunner()
                    .withConfiguration(
                            AutoConfigurations.of(CleAutoConfiguration.class, CleKubernetesAutoConfiguration.class))
                    .withPropertyValues("cle.enabled=false", "spring.application.name=orders")
                    .run(context -> {
                        CoordinatedLeaseLock lock = leases(context).create(TENANT);
                        assertThat(lock.isLeader()).isFalse();
                        assertThat(context.getBean(LeaseLocks.class).get("tenant"))
                                .isSameAs(lock);

                        leases(context).drop("tenant").toCompletableFuture().join();
                        assertThat(context.getBean(LeaseLocks.class).find("tenant"))
                                .isEmpty();
                    });
        }
    }

    private static NewLease.Work blocking(CountDownLatch begun) {
        return term -> {
            begun.countDown();
            new CountDownLatch(1).await();
        };
    }

    private static NewLease.Work stubborn(CountDownLatch begun, CountDownLatch end) {
        return term -> {
            begun.countDown();
            while (end.getCount() > 0) {
                try {
                    end.await();
                } catch (InterruptedException e) {
                    // As work does that can't be interrupted.
                }
            }
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Its customizer comes after those of meters and work. */
    @AutoConfiguration(after = {CleActuatorAutoConfiguration.class, CleOnLeaderAutoConfiguration.class})
    static class FailingAutoConfiguration {

        @Bean
        LeaseLockCustomizer failing() {
            return (name, lock) -> {
                if (name.equals("tenant")) {
                    throw new IllegalStateException("a customizer fails");
                }
            };
        }
    }

    static class Journal {

        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        @EventListener
        void on(OnGrantedLeadership granted) {
            events.add("granted " + granted.lease());
        }

        @EventListener
        void on(OnRevokedLeadership revoked) {
            events.add("revoked " + revoked.lease() + " " + revoked.reason());
        }

        List<String> all() {
            return List.copyOf(events);
        }

        String next() {
            try {
                String event = events.poll(10, TimeUnit.SECONDS);
                assertThat(event).as("an event in time").isNotNull();
                return event;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}

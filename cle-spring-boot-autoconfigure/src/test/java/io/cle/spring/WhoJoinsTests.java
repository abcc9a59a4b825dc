package io.cle.spring;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.cle.CoordinatedLeaseLock;
import io.cle.InvalidConfigurationException;
import io.cle.LeadershipListener;
import io.cle.Term;
import io.cle.spring.actuate.internal.LeaderElectionEndpoint;
import io.cle.spring.actuate.internal.LeaderElectionHealthIndicator;
import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnLeaderChanged;
import io.cle.spring.event.OnRevokedLeadership;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.onleader.OnLeader;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.memory.RequestCounts;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** An application joins exactly the leases that it uses. */
class WhoJoinsTests {

    private static final String DEFAULT = "shop";

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** The created locks, by lease. */
    private final Map<String, FakeLock> locks = new ConcurrentHashMap<>();

    private ConfigurableApplicationContext start(Collection<Class<?>> beans, String... arguments) {
        List<String> all = new ArrayList<>(List.of(
                "--spring.application.name=" + DEFAULT,
                "--management.endpoints.jmx.exposure.include=*",
                "--spring.jmx.enabled=true"));
        all.addAll(List.of(arguments));
        LeaseLockFactory factory = settings -> locks.computeIfAbsent(settings.name(), FakeLock::new);
        return new SpringApplicationBuilder(Stream.concat(Stream.of(Application.class), beans.stream())
                        .toArray(Class<?>[]::new))
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .registerShutdownHook(false)
                .initializers(context -> context.getBeanFactory().registerSingleton("locks", factory))
                .run(all.toArray(String[]::new));
    }

    private Set<String> joined() {
        return locks.entrySet().stream()
                .filter(lock -> lock.getValue().isRunning())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private Set<String> joinedBy(Class<?> bean, String... arguments) {
        try (ConfigurableApplicationContext context = start(List.of(bean), arguments)) {
            assertThat(context.isActive()).isTrue();
            return joined();
        }
    }

    private Set<String> joinedWith(String... arguments) {
        return joinedBy(Nothing.class, arguments);
    }

    private Set<String> joinedAfter(Class<?> bean, Consumer<ConfigurableApplicationContext> use) {
        try (ConfigurableApplicationContext context = start(List.of(bean))) {
            use.accept(context);
            return joined();
        }
    }

    static class Nothing {}

    @Nested
    @ExtendWith(OutputCaptureExtension.class)
    class NothingThatUsesIt {

        @Test
        void anApplicationWithTheStarterAloneJoinsNothing() {
            assertThat(joinedWith()).isEmpty();
            assertThat(locks).as("not even created").isEmpty();
        }

        @Test
        void anApplicationWithTheStarterAloneSendsNoRequestAndLogsNothing(CapturedOutput output) {
            try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
                RequestCounts before = server.requests();
                new SpringApplicationBuilder(Application.class)
                        .web(WebApplicationType.NONE)
                        .run(
                                "--spring.application.name=" + DEFAULT,
                                "--spring.main.cloud-platform=kubernetes",
                                "--KUBERNETES_SERVICE_HOST=127.0.0.1",
                                "--cle.kubernetes.base-url=" + server.url())
                        .close();

                assertThat(server.requests().since(before).total()).isZero();
            }
            assertThat(output.toString().lines().filter(line -> line.contains("io.cle") || line.contains("i.c.")))
                    .filteredOn(line -> !line.contains("WhoJoinsTests"))
                    .isEmpty();
        }

        /** The starter doesn't look for a cluster. */
        @Test
        void anApplicationWithTheStarterAloneNeedsNoCluster() {
            new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .run("--cle.mode=kubernetes", "--cle.kubernetes.kubeconfig=/nowhere/config")
                    .close();
        }

        @Test
        void anApplicationWithTheStarterAloneShowsNoElection() {
            try (ConfigurableApplicationContext context = start(List.of())) {
                assertThat(context.getBean(LeaderElectionEndpoint.class)
                                .leases()
                                .leases())
                        .isEmpty();
                assertThat(context.getBean(LeaderElectionHealthIndicator.class)
                                .health()
                                .getDetails())
                        .isEmpty();
            }
        }

        @Test
        void anApplicationWithTheStarterAloneHasNoThreadsOfOurs() {
            Set<Thread> before = Thread.getAllStackTraces().keySet();
            try (ConfigurableApplicationContext context = start(List.of())) {
                assertThat(context.isActive()).isTrue();
                assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(thread -> !before.contains(thread))
                        .filteredOn(thread -> thread.getName().startsWith("cle")
                                || thread.getName().equals("keep-alive"))
                        .isEmpty();
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"resource-lock=leases", "lease-duration=30s", "candidate.priority=7", "namespace=office"})
        void aPropertyThatAllLeasesInheritAsksForNone(String property) {
            assertThat(joinedWith("--cle." + property)).isEmpty();
        }

        @Test
        void aLockThatMayBeAskedForLaterAsksForNone() {
            assertThat(joinedBy(Provided.class)).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(classes = {OfObjects.class, OfApplicationEvents.class, OfAllPayloads.class, OfAllEvents.class})
        void aListenerOfEveryEventAsksForNone(Class<?> listener) {
            assertThat(joinedBy(listener)).isEmpty();
        }

        @Test
        void aWrongPropertyFailsTheStartAllTheSame() {
            assertThatThrownBy(() -> joinedWith("--cle.renew-deadline=20s"))
                    .hasRootCauseInstanceOf(InvalidConfigurationException.class);
        }
    }

    static class Provided {
        Provided(ObjectProvider<CoordinatedLeaseLock> lock, @Lazy CoordinatedLeaseLock lazy) {}
    }

    static class OfObjects {
        @EventListener
        void on(Object event) {}
    }

    static class OfApplicationEvents {
        @EventListener
        void on(ApplicationEvent event) {}
    }

    static class OfAllPayloads {
        @EventListener
        void on(PayloadApplicationEvent<?> event) {}
    }

    static class OfAllEvents implements ApplicationListener<ApplicationEvent> {
        @Override
        public void onApplicationEvent(ApplicationEvent event) {}
    }

    @Nested
    class TheDefaultLease {

        @ParameterizedTest
        @ValueSource(classes = {OnGrant.class, Guarded.class, Started.class})
        void ledWorkJoins(Class<?> work) {
            assertThat(joinedBy(work)).containsExactly(DEFAULT);
        }

        @ParameterizedTest
        @ValueSource(
                classes = {
                    OfGranted.class,
                    OfRevoked.class,
                    OfChanges.class,
                    OfOneOfTwo.class,
                    OfPayload.class,
                    AsBean.class
                })
        void aDeclaredListenerJoins(Class<?> listener) {
            assertThat(joinedBy(listener)).containsExactly(DEFAULT);
            locks.clear();
            assertThat(joinedBy(listener, "--spring.main.lazy-initialization=true"))
                    .as("lazy")
                    .containsExactly(DEFAULT);
        }

        @ParameterizedTest
        @ValueSource(classes = {Customizing.class, OwnLock.class, OfLock.class, AtRun.class})
        void aCustomizerOrALockThatWasCreatedJoins(Class<?> bean) {
            try (ConfigurableApplicationContext context = start(List.of(bean))) {
                FakeLock lock = (FakeLock) context.getBean(CoordinatedLeaseLock.class);
                assertThat(lock.isRunning()).isTrue();
            }
        }

        @Test
        void aCustomizerJoinsThatIsLazyAndKnownOnlyByItsInterface() {
            assertThat(joinedBy(Lambda.class, "--spring.main.lazy-initialization=true"))
                    .containsExactly(DEFAULT);
        }

        @Test
        void aPropertyOfItsOwnJoins() {
            assertThat(joinedWith("--cle.lease-name=mine")).containsExactly("mine");
        }

        @Test
        void aLockThatIsCreatedLaterJoins() {
            assertThat(joinedAfter(Provided.class, context -> {
                        assertThat(joined()).isEmpty();
                        context.getBean(CoordinatedLeaseLock.class);
                    }))
                    .containsExactly(DEFAULT);
        }

        @Test
        void aLockThatIsLookedUpByItsNameLaterJoinsAndCallsTheListenersOfTheApplication() {
            assertThat(joinedAfter(Nothing.class, context -> {
                        LeaseLocks all = context.getBean(LeaseLocks.class);
                        assertThat(all.names()).containsExactly(DEFAULT);
                        assertThat(joined()).isEmpty();
                        assertThat(all.get(DEFAULT)).isSameAs(all.main());
                    }))
                    .containsExactly(DEFAULT);
        }

        @Test
        void aLeaseThatJoinedLaterIsShown() {
            joinedAfter(Nothing.class, context -> {
                context.getBean(CoordinatedLeaseLock.class);
                assertThat(context.getBean(LeaderElectionEndpoint.class)
                                .leases()
                                .leases())
                        .containsOnlyKeys(DEFAULT);
            });
        }

        @Test
        void aMigrationJoinsWithItsLease() {
            assertThat(joinedBy(
                            Controller.class,
                            "--cle.migration.enabled=true",
                            "--" + MigrationFile.of("moving", "invoices=*")))
                    .containsExactly(DEFAULT);
            assertThat(locks)
                    .as("nested in the default lease, which nobody leads")
                    .containsKey("moving");
        }
    }

    @Nested
    class FurtherLeases {

        @Test
        void aFurtherLeaseJoinsByAPropertyOfItsOwnAndTheDefaultOneDoesNot() {
            assertThat(joinedWith("--cle.leases.orders.candidate.priority=3")).containsExactly("orders");
        }

        @Test
        void ledWorkOfAFurtherLeaseDoesNotJoinTheDefaultOne() {
            assertThat(joinedBy(OnGrantOfOrders.class, "--cle.leases.orders.namespace=office"))
                    .containsExactly("orders");
        }

        @Test
        void theLockOfAFurtherLeaseDoesNotJoinTheDefaultOne() {
            assertThat(joinedBy(OfOrdersLock.class, "--cle.leases.orders.namespace=office"))
                    .containsExactly("orders");
        }

        @Test
        void theShardsOfALeaseJoinWithoutTheDefaultLease() {
            assertThat(joinedWith("--cle.leases.orders.shards=2"))
                    .containsExactlyInAnyOrder("orders-2-0", "orders-2-1");
        }

        @Test
        void aListenerIsCalledForEveryLeaseAndJoinsAll() {
            assertThat(joinedBy(OfChanges.class, "--cle.leases.orders.namespace=office"))
                    .containsExactlyInAnyOrder("orders", DEFAULT);
        }
    }

    static class Consuming implements SmartLifecycle {

        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }
    }

    static class OnGrant {
        @OnLeader
        void work() {}
    }

    static class OnGrantOfOrders {
        @OnLeader("orders")
        void work() {}
    }

    static class Controller {
        @OnLeader(controller = "invoices")
        void work() {}
    }

    static class Guarded {
        @OnLeader
        @Scheduled(fixedDelay = 3_600_000)
        void work() {}
    }

    static class Started {
        @Bean
        @OnLeader
        SmartLifecycle consumer() {
            return new Consuming();
        }
    }

    static class OfGranted {
        @EventListener
        void on(OnGrantedLeadership event) {}
    }

    static class OfRevoked {
        @EventListener(OnRevokedLeadership.class)
        void on() {}
    }

    static class OfChanges {
        @EventListener
        void on(OnLeaderChanged event) {}
    }

    static class OfOneOfTwo {
        @EventListener({String.class, OnLeaderChanged.class})
        void on() {}
    }

    static class OfPayload {
        @EventListener
        void on(PayloadApplicationEvent<OnLeaderChanged> event) {}
    }

    static class AsBean implements ApplicationListener<PayloadApplicationEvent<OnGrantedLeadership>> {
        @Override
        public void onApplicationEvent(PayloadApplicationEvent<OnGrantedLeadership> event) {}
    }

    static class Customizing implements LeaseLockCustomizer {
        @Override
        public void customize(String name, CoordinatedLeaseLock lock) {
            lock.addListener(new LeadershipListener() {
                @Override
                public void onGranted(Term term) {}
            });
        }
    }

    static class Lambda {
        @Bean
        LeaseLockCustomizer customizer() {
            return (name, lock) -> {};
        }
    }

    static class OwnLock {
        @Bean
        CoordinatedLeaseLock own() {
            return new FakeLock("own");
        }
    }

    static class OfLock {
        OfLock(CoordinatedLeaseLock lock) {}
    }

    static class OfOrdersLock {
        OfOrdersLock(@Qualifier("orders") CoordinatedLeaseLock lock) {}
    }

    static class AtRun {
        @Bean
        ApplicationRunner runner(ObjectProvider<CoordinatedLeaseLock> lock) {
            return arguments -> lock.getObject();
        }
    }
}

package io.cle.spring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.cle.CoordinatedLeaseLock;
import io.cle.InvalidConfigurationException;
import io.cle.OwnedLock;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.NoClusterConfigurationException;
import io.cle.spring.autoconfigure.CleActuatorAutoConfiguration;
import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.autoconfigure.CleEventsAutoConfiguration;
import io.cle.spring.autoconfigure.CleKubernetesAutoConfiguration;
import io.cle.spring.autoconfigure.CleOnLeaderAutoConfiguration;
import io.cle.spring.kubernetes.KubernetesConnectionDetails;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.internal.ElectionLifecycle;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/** Coexistence of the starter's beans with an application's. */
@ExtendWith(OutputCaptureExtension.class)
class CleBeansTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    CleAutoConfiguration.class,
                    CleActuatorAutoConfiguration.class,
                    CleEventsAutoConfiguration.class,
                    CleKubernetesAutoConfiguration.class))
            .withPropertyValues("spring.application.name=orders");

    private final ApplicationContextRunner faking = runner.withBean(LeaseLockFactory.class, FakeLock::factory);

    @Nested
    class Names {

        /**
         * Bean names that applications rely on: the lock's from its type, the indicator's from its health contributor.
         */
        private static final List<String> KNOWN = List.of("coordinatedLeaseLock", "leaderElectionHealthIndicator");

        @Test
        void ofAutoConfiguredBeansArePrefixed() {
            runner.withPropertyValues(
                            "cle.kubernetes.base-url=http://127.0.0.1:1", "cle.leases.reports.namespace=office")
                    .run(context -> assertThat(Stream.of(context.getBeanDefinitionNames())
                                    .filter(name -> !name.contains("."))
                                    .filter(name -> String.valueOf(context.getType(name))
                                                    .contains("io.cle.spring.")
                                            || String.valueOf(context.getType(name))
                                                    .contains("io.cle.kubernetes.")
                                            || String.valueOf(context.getType(name))
                                                    .contains("io.cle.runtime."))
                                    .filter(name -> !KNOWN.contains(name) && !name.endsWith("CoordinatedLeaseLock"))
                                    .filter(name -> !name.startsWith("leadershipEventPublisher")))
                            .isNotEmpty()
                            .allMatch(name -> name.startsWith("cle")));
        }

        @Test
        void ofUserBeansMayBeAny() {
            runner.withBean("cluster", String.class, () -> "mine")
                    .withBean("lockThreads", String.class, () -> "mine")
                    .withBean("leaseLocks", String.class, () -> "mine")
                    .withBean("electionLog", String.class, () -> "mine")
                    .withBean("rightsCheck", String.class, () -> "mine")
                    .withBean("leaderMigration", String.class, () -> "mine")
                    .withBean("processFacts", String.class, () -> "mine")
                    .withPropertyValues("cle.kubernetes.base-url=http://127.0.0.1:1")
                    .run(context -> assertThat(context).hasNotFailed().hasSingleBean(CoordinatedLeaseLock.class));
        }

        @Test
        void ofAUsersLeaseLocksMayBeAny() {
            faking.withBean("mine", LeaseLocks.class, () -> {
                        FakeLock main = new FakeLock("orders");
                        return LeaseLocks.of(main, Map.of("reports", new FakeLock("reports")));
                    })
                    .withPropertyValues("cle.leases.reports.namespace=office")
                    .run(context -> assertThat(
                                    context.getBean("reportsCoordinatedLeaseLock", CoordinatedLeaseLock.class)
                                            .name())
                            .isEqualTo("reports"));
        }
    }

    @Nested
    class Access {

        /** Uses the lock, because otherwise the starter doesn't look for a cluster. */
        private final ApplicationContextRunner runner = CleBeansTests.this.runner.withUserConfiguration(User.class);

        @TempDir
        private Path directory;

        private String kubeconfig() throws IOException {
            return Files.writeString(directory.resolve("config"), """
                            apiVersion: v1
                            kind: Config
                            current-context: here
                            clusters:
                            - {name: c, cluster: {server: "http://127.0.0.1:1"}}
                            - {name: d, cluster: {server: "http://127.0.0.1:2"}}
                            users: [{name: u, user: {token: t}}]
                            contexts:
                            - {name: here, context: {cluster: c, user: u}}
                            - {name: there, context: {cluster: d, user: u, namespace: shop}}
                            """).toString();
        }

        private static ApiClient client() {
            return new ClientBuilder().setBasePath("http://127.0.0.1:3").build();
        }

        @Test
        void accessIsThatOfTheUsersApiClient() {
            ApiClient own = client();
            runner.withBean(ApiClient.class, () -> own)
                    .run(context -> assertThat(
                                    context.getBean(KubernetesAccess.class).apiClient())
                            .isSameAs(own));
        }

        @Test
        void accessIsThatOfThePropertiesBeforeTheUsersApiClient() {
            runner.withBean(ApiClient.class, Access::client)
                    .withPropertyValues("cle.kubernetes.base-url=http://127.0.0.1:1")
                    .run(context -> assertThat(
                                    context.getBean(KubernetesAccess.class).address())
                            .isEqualTo("http://127.0.0.1:1"));
        }

        @Test
        void accessIsThatOfTheConnectionDetailsBeforeTheProperties() {
            KubernetesAccess own = KubernetesAccess.at("http://127.0.0.1:4");
            runner.withBean(KubernetesConnectionDetails.class, () -> () -> own)
                    .withPropertyValues("cle.kubernetes.base-url=http://127.0.0.1:1")
                    .run(context ->
                            assertThat(context).getBean(KubernetesAccess.class).isSameAs(own));
        }

        @Test
        void accessIsThatOfTheKubeconfig() throws IOException {
            runner.withPropertyValues("cle.kubernetes.kubeconfig=" + kubeconfig())
                    .run(context -> assertThat(
                                    context.getBean(KubernetesAccess.class).address())
                            .isEqualTo("http://127.0.0.1:1"));
        }

        @Test
        void accessIsThatOfTheContext() throws IOException {
            runner.withPropertyValues("cle.kubernetes.kubeconfig=" + kubeconfig(), "cle.kubernetes.context=there")
                    .run(context -> {
                        KubernetesAccess access = context.getBean(KubernetesAccess.class);
                        assertThat(access.address()).isEqualTo("http://127.0.0.1:2");
                        assertThat(access.namespace()).isEqualTo("shop");
                    });
        }

        @Test
        void accessIsRefusedIfTheContextDoesNotExist() throws IOException {
            runner.withPropertyValues("cle.kubernetes.kubeconfig=" + kubeconfig(), "cle.kubernetes.context=nowhere")
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .isInstanceOf(NoClusterConfigurationException.class)
                            .hasMessageContaining("no context 'nowhere'"));
        }

        @Test
        void accessIsRefusedIfAddressAndKubeconfigContradict() throws IOException {
            runner.withPropertyValues(
                            "cle.kubernetes.base-url=http://127.0.0.1:1", "cle.kubernetes.kubeconfig=" + kubeconfig())
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .isInstanceOf(InvalidConfigurationException.class)
                            .hasMessageContaining("contradicts cle.kubernetes.kubeconfig"));
        }
    }

    @Nested
    class WrongValue {

        @Test
        void ofTheModeIsNamed() {
            runner.withPropertyValues("cle.mode=cluster").run(context -> {
                Throwable failure = context.getStartupFailure();
                assertThat(failure).isNotNull();
                assertThat(failure).hasStackTraceContaining("cle.mode").hasStackTraceContaining("cluster");
                assertThat(failure.toString()).doesNotContain("LeaseLockFactory");
            });
        }

        @Test
        void ofEnabledIsNamed() {
            runner.withConfiguration(AutoConfigurations.of(CleOnLeaderAutoConfiguration.class))
                    .withPropertyValues("cle.mode=standalone", "cle.enabled=maybe")
                    .run(context -> {
                        Throwable failure = context.getStartupFailure();
                        assertThat(failure).isNotNull();
                        assertThat(failure).hasStackTraceContaining("maybe");
                    });
        }
    }

    @Nested
    class SwitchedOff {

        private final ApplicationContextRunner disabled =
                runner.withPropertyValues("cle.enabled=false", "cle.leases.reports.namespace=office");

        @Test
        void switchedOffLocksCanBeInjectedAndNeverLead() {
            disabled.withUserConfiguration(Injected.class).run(context -> {
                Injected.Locks injected = context.getBean(Injected.Locks.class);
                assertThat(injected.main().name()).isEqualTo("orders");
                assertThat(injected.main().isLeader()).isFalse();
                assertThat(injected.reports().name()).isEqualTo("reports");
                assertThat(injected.reports().isLeader()).isFalse();
            });
        }

        @Test
        void switchedOffNothingAsksForAClusterAndNothingIsShown(CapturedOutput output) {
            disabled.withPropertyValues("cle.mode=kubernetes")
                    .withUserConfiguration(Injected.class)
                    .run(context -> {
                        assertThat(context).hasNotFailed().doesNotHaveBean("leaderElectionHealthIndicator");
                        assertThat(context.getBeanFactory().containsSingleton("cleKubernetesAccess"))
                                .isFalse();
                    });
            assertThat(output).doesNotContain("leads on its own");
        }

        @Test
        void switchedOffNoNameIsNeeded() {
            new ApplicationContextRunner()
                    .withConfiguration(
                            AutoConfigurations.of(CleAutoConfiguration.class, CleKubernetesAutoConfiguration.class))
                    .withPropertyValues("cle.enabled=false", "cle.mode=kubernetes")
                    .withUserConfiguration(User.class)
                    .run(context -> assertThat(context).hasNotFailed());
        }

        @Test
        void switchedOffLocksAreNotStarted() {
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Whole.class, User.class)
                    .web(WebApplicationType.NONE)
                    .run("--cle.enabled=false")) {
                assertThat(((OwnedLock) context.getBean(CoordinatedLeaseLock.class)).isRunning())
                        .isFalse();
            }
        }
    }

    @Nested
    class Hierarchies {

        @Test
        void hierarchiesShareTheLocksOfTheParent() {
            faking.withPropertyValues("cle.leases.reports.namespace=office")
                    .run(parent -> faking.withParent(parent)
                            .withPropertyValues("cle.leases.reports.namespace=office")
                            .withUserConfiguration(Injected.class)
                            .run(child -> {
                                Injected.Locks injected = child.getBean(Injected.Locks.class);
                                assertThat(injected.main()).isSameAs(parent.getBean("coordinatedLeaseLock"));
                                assertThat(injected.reports()).isSameAs(parent.getBean("reportsCoordinatedLeaseLock"));
                                assertThat(child.getBeanFactory().getBeanNamesForType(ElectionLifecycle.class))
                                        .isEmpty();
                            }));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({CleAutoConfiguration.class, CleKubernetesAutoConfiguration.class})
    static class Whole {}

    @Configuration(proxyBeanMethods = false)
    static class User {
        User(CoordinatedLeaseLock lock) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Injected {

        record Locks(CoordinatedLeaseLock main, CoordinatedLeaseLock reports) {}

        @Bean
        Locks locks(CoordinatedLeaseLock main, @Qualifier("reports") CoordinatedLeaseLock reports) {
            return new Locks(main, reports);
        }
    }
}

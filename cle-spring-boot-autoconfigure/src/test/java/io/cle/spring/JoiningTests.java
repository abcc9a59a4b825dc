package io.cle.spring;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.cle.CoordinatedLeaseLock;
import io.cle.InvalidConfigurationException;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.lock.internal.LeaseLock;
import io.cle.spring.actuate.internal.LeaderElectionEndpoint;
import io.cle.spring.autoconfigure.CleActuatorAutoConfiguration;
import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.autoconfigure.CleKubernetesAutoConfiguration;
import io.cle.spring.kubernetes.KubernetesConnectionDetails;
import io.cle.spring.lock.internal.StandaloneLeaseLockFactory;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.memory.RequestCounts;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/** Processes join a cluster's election if they run in a pod or are configured to. */
@ExtendWith(OutputCaptureExtension.class)
class JoiningTests {

    private static final String WARNING = "Not running in Kubernetes: this process leads on its own";

    private final ApplicationContextRunner unused = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    CleAutoConfiguration.class,
                    CleActuatorAutoConfiguration.class,
                    CleKubernetesAutoConfiguration.class));

    private final ApplicationContextRunner unnamed = unused.withUserConfiguration(User.class);

    /** These tests may run in a pod. */
    private final ApplicationContextRunner laptop = unnamed.withPropertyValues("spring.main.cloud-platform=none");

    private final ApplicationContextRunner named = laptop.withPropertyValues("spring.application.name=orders");

    private static ApiClient client() {
        return new ClientBuilder().setBasePath("http://127.0.0.1:3").build();
    }

    /** A bean that uses the default lease. */
    @Configuration(proxyBeanMethods = false)
    static class User {
        User(CoordinatedLeaseLock lock) {}
    }

    @Nested
    class OutsideAPod {

        @Test
        void outsideAPodLeadsByItselfWithoutAnySetting() {
            laptop.withPropertyValues("management.endpoints.web.exposure.include=*")
                    .run(context -> {
                        assertThat(context).hasSingleBean(StandaloneLeaseLockFactory.class);
                        assertThat(context.getBean(CoordinatedLeaseLock.class).name())
                                .isEqualTo("application");
                        assertThat(context.getBean(LeaderElectionEndpoint.class)
                                        .leases()
                                        .leases())
                                .containsOnlyKeys("application");
                        assertThat(context.getBeanFactory().containsSingleton("cleKubernetesAccess"))
                                .isFalse();
                    });
        }

        @Test
        void outsideAPodSaysSoOnceAndWhichPropertyJoins(CapturedOutput output) {
            named.withPropertyValues("cle.leases.reports.namespace=office", "cle.leases.mail.namespace=office")
                    .run(context -> assertThat(context).hasNotFailed());

            assertThat(output.toString().split(WARNING, -1)).hasSize(2);
            assertThat(output).contains("WARN").contains("as does every other one that is started like it");
            assertThat(output).contains("cle.mode=kubernetes").contains("cle.mode=standalone");
        }

        @Test
        void outsideAPodSaysNothingIfItIsToLeadByItself(CapturedOutput output) {
            laptop.withPropertyValues("cle.mode=standalone")
                    .run(context -> assertThat(context).hasSingleBean(StandaloneLeaseLockFactory.class));

            assertThat(output).doesNotContain(WARNING);
        }

        @ParameterizedTest
        @ValueSource(strings = {"cle.kubernetes.base-url=", "cle.kubernetes.context= ", "cle.kubernetes.tokn=t"})
        void outsideAPodLeadsByItselfIfWhatIsSetNamesNoCluster(String property) {
            named.withPropertyValues(property)
                    .run(context -> assertThat(context).hasSingleBean(StandaloneLeaseLockFactory.class));
        }

        /** If several clients have equal rank, none is used. */
        @Test
        void outsideAPodLeadsByItselfIfNoneOfItsClientsIsTheOne() {
            named.withBean("first", ApiClient.class, JoiningTests::client)
                    .withBean("second", ApiClient.class, JoiningTests::client)
                    .run(context -> assertThat(context).hasSingleBean(StandaloneLeaseLockFactory.class));
        }
    }

    @Nested
    class ToldWhichCluster {

        private void joins(ApplicationContextRunner runner, String apiServer, CapturedOutput output) {
            runner.run(context -> {
                assertThat(context).hasSingleBean(LeaseLock.class);
                assertThat(context.getBean(KubernetesAccess.class).address()).isEqualTo(apiServer);
            });
            assertThat(output).doesNotContain(WARNING);
        }

        @Test
        void toldWhichClusterByAnAddress(CapturedOutput output) {
            joins(named.withPropertyValues("cle.kubernetes.base-url=http://127.0.0.1:1"), "http://127.0.0.1:1", output);
        }

        @ParameterizedTest
        @CsvSource({"kubeconfig, http://127.0.0.1:1", "context, http://127.0.0.1:2"})
        void toldWhichClusterByAKubeconfig(String last, String apiServer, @TempDir Path folder, CapturedOutput output)
                throws IOException {
            Path config = Files.writeString(folder.resolve("config"), """
                    apiVersion: v1
                    kind: Config
                    current-context: here
                    clusters:
                    - {name: c, cluster: {server: "http://127.0.0.1:1"}}
                    - {name: d, cluster: {server: "http://127.0.0.1:2"}}
                    users: [{name: u, user: {token: t}}]
                    contexts:
                    - {name: here, context: {cluster: c, user: u}}
                    - {name: there, context: {cluster: d, user: u}}
                    """);
            joins(
                    named.withPropertyValues(
                            "cle.kubernetes.kubeconfig=" + config,
                            last.equals("context") ? "cle.kubernetes.context=there" : "cle.api=crd"),
                    apiServer,
                    output);
        }

        @Test
        void toldWhichClusterByAnApiClient(CapturedOutput output) {
            joins(named.withBean(ApiClient.class, JoiningTests::client), "http://127.0.0.1:3", output);
        }

        @Test
        void toldWhichClusterByThePrimaryOneOfItsClients(CapturedOutput output) {
            joins(
                    named.withBean("other", ApiClient.class, () -> new ClientBuilder().build())
                            .withBean(
                                    "primary",
                                    ApiClient.class,
                                    JoiningTests::client,
                                    definition -> definition.setPrimary(true)),
                    "http://127.0.0.1:3",
                    output);
        }

        @Test
        void toldWhichClusterByConnectionDetails(CapturedOutput output) {
            joins(
                    named.withBean(
                            KubernetesConnectionDetails.class, () -> () -> KubernetesAccess.at("http://127.0.0.1:4")),
                    "http://127.0.0.1:4",
                    output);
        }

        @Test
        void toldWhichClusterByAnAccessOfItsOwn(CapturedOutput output) {
            joins(
                    named.withBean(KubernetesAccess.class, () -> KubernetesAccess.at("http://127.0.0.1:5")),
                    "http://127.0.0.1:5",
                    output);
        }

        @Test
        void toldWhichClusterByABeanOfItsParent(CapturedOutput output) {
            new ApplicationContextRunner()
                    .withBean(ApiClient.class, JoiningTests::client)
                    .run(parent -> joins(named.withParent(parent), "http://127.0.0.1:3", output));
        }
    }

    @Nested
    class InAPod {

        private final ApplicationContextRunner pod = unnamed.withPropertyValues(
                "spring.application.name=orders", "spring.main.cloud-platform=kubernetes", "POD_NAMESPACE=shop");

        @Test
        void joinsTheElectionInAPod(CapturedOutput output) {
            pod.withPropertyValues("cle.kubernetes.base-url=http://127.0.0.1:1")
                    .run(context -> assertThat(context).hasSingleBean(LeaseLock.class));

            assertThat(output).doesNotContain(WARNING);
        }

        @Test
        void needsANameInAPodOnceTheDefaultLeaseIsUsed() {
            String pod = "spring.main.cloud-platform=kubernetes";
            unused.withPropertyValues(pod).run(context -> assertThat(context).hasNotFailed());
            unnamed.withPropertyValues(pod)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .hasMessageContaining("cle.lease-name is not set"));
        }

        @Test
        void leadsByItselfIfItWasToldToInAPod() {
            pod.withPropertyValues("cle.mode=standalone")
                    .run(context -> assertThat(context).hasSingleBean(StandaloneLeaseLockFactory.class));
        }
    }

    @Nested
    class Contradiction {

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "cle.kubernetes.base-url=http://127.0.0.1:1",
                    "cle.kubernetes.kubeconfig=/tmp/config",
                    "cle.kubernetes.context=there"
                })
        void ofStandaloneAndAClusterFailsTheStart(String cluster) {
            named.withPropertyValues("cle.mode=standalone", cluster)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .isInstanceOf(InvalidConfigurationException.class)
                            .hasMessageContaining("cle.mode (standalone)")
                            .hasMessageContaining(cluster.substring(0, cluster.indexOf('='))));
        }

        /** An application may use its client for another purpose. */
        @Test
        void theContradictionIsNoneBetweenStandaloneAndAClient() {
            named.withBean(ApiClient.class, JoiningTests::client)
                    .withPropertyValues("cle.mode=standalone")
                    .run(context -> assertThat(context).hasSingleBean(StandaloneLeaseLockFactory.class));
        }
    }

    /** Runs separate processes, because environment variables locate a kubeconfig. */
    @Nested
    @EnabledIfEnvironmentVariable(
            named = "CI",
            matches = "true",
            disabledReason = "starts processes: run it with CI=true ./mvnw verify, as .ci/run does")
    class WithAKubeconfigOnTheMachine {

        @TempDir
        private Path home;

        private String outputOf(Map<String, String> environment, String... arguments) throws Exception {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Program.class.getName(),
                    "--server.port=0",
                    "--cle.resource-lock=leases",
                    "--cle.lease-name=orders"));
            command.addAll(List.of(arguments));
            File log = home.resolve("log").toFile();
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log);
            // This build may itself run in a pod, or with a kubeconfig.
            builder.environment().clear();
            builder.environment().putAll(environment);
            Process process = builder.start();
            try {
                assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("has ended").isTrue();
            } finally {
                process.destroyForcibly();
            }
            return Files.readString(log.toPath());
        }

        @Test
        void leadsWithoutAskingThatClusterWithAKubeconfigOnTheMachine() throws Exception {
            try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
                RequestCounts before = server.requests();
                Map<String, String> environment = new HashMap<>(environment("KUBECONFIG", server));
                environment.putAll(environment("HOME", server));

                String output = outputOf(environment);

                assertThat(output).contains("leads: true").contains(WARNING);
                assertThat(server.requests().since(before).total()).isZero();
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"KUBECONFIG", "HOME"})
        void joinsThatClustersElectionIfToldToWithAKubeconfigOnTheMachine(String variable) throws Exception {
            try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
                RequestCounts before = server.requests();

                String output = outputOf(environment(variable, server), "--cle.mode=kubernetes");

                assertThat(output).contains("leads: true").doesNotContain(WARNING);
                assertThat(server.requests().since(before).total()).isPositive();
            }
        }

        private Map<String, String> environment(String variable, EmbeddedApiServer server) throws IOException {
            Path config = Files.createDirectories(home.resolve(".kube")).resolve("config");
            server.writeKubeconfig(config);
            return Map.of(variable, (variable.equals("HOME") ? home : config).toString());
        }
    }

    /** Waits until it leads, prints that, and ends. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Program {

        public static void main(String[] arguments) throws InterruptedException {
            try (ConfigurableApplicationContext context = SpringApplication.run(Program.class, arguments)) {
                boolean leads = context.getBean(CoordinatedLeaseLock.class).awaitLeadership(Duration.ofSeconds(60));
                System.out.println("leads: " + leads);
            }
        }
    }
}

package io.cle.spring.properties.internal;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import io.cle.properties.internal.KnownProperties;
import io.cle.spring.migration.internal.MigrationProperties;
import io.cle.spring.onleader.internal.OnLeaderProperties;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertiesTests {

    private static final KnownProperties KNOWN = known();

    @EnableConfigurationProperties({
        CleProperties.class,
        LeaseProperties.class,
        MigrationProperties.class,
        OnLeaderProperties.class
    })
    private static final class Bound {}

    /** Those of an application. */
    private static KnownProperties known() {
        AtomicReference<KnownProperties> known = new AtomicReference<>();
        new ApplicationContextRunner()
                .withUserConfiguration(Bound.class)
                .run(context -> known.set(UnknownProperties.knownIn(context.getSourceApplicationContext())));
        return known.get();
    }

    private static void report(String property) {
        MockEnvironment environment = new MockEnvironment().withProperty("cle.candidate.priority", "7");
        environment.setProperty(property, "4711");
        UnknownProperties.report(environment, KNOWN);
    }

    @Nested
    class Reported {

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "cle.candidate.stratgy",
                    "cle.lease-nam",
                    "cle.strategy",
                    "cle.fallback.dely",
                    "cle.kubernetes.token",
                    "cle.leases.reports.candidate.prioritty",
                    "cle.leases.reports.mode",
                    "cle.on-leadr.retry-delay"
                })
        void withItsNameAndOrigin(String misspelt, CapturedOutput output) {
            report(misspelt);

            assertThat(output)
                    .contains("'" + misspelt + "' (from \"" + misspelt + "\" from property source \"mockProperties\")")
                    .contains("configures nothing");
        }

        @ParameterizedTest
        @CsvSource({
            "cle.candidate.stratgy, cle.candidate.strategy",
            "cle.strategy, cle.candidate.strategy",
            "cle.leases.orders.strategy, cle.leases.orders.candidate.strategy",
            "cle.leases.reports.candidate.prioritty, cle.leases.reports.candidate.priority",
            "cle.on-leader.retry-dely, cle.on-leader.retry-delay",
            "cle.on-leadr.retry-delay, cle.on-leader.retry-delay",
            "cle.migration.leader-nam, cle.migration.leader-name",
            "cle.events.enable, cle.events.enabled",
            "cle.leader-pods.enabled, cle.leader-pod.enabled",
        })
        void withTheOneThatIsMeant(String misspelt, String meant, CapturedOutput output) {
            report(misspelt);

            assertThat(output).contains("configures nothing; is '" + meant + "' meant?");
        }

        @Test
        void withoutItsValue(CapturedOutput output) {
            report("cle.kubernetes.token");

            assertThat(output).doesNotContain("4711");
        }
    }

    @Nested
    class NotReported {

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "cle.candidate.renewInterval",
                    "cle.drain_timeout",
                    "cle.leases.reports.candidate.priority",
                    "cle.events.enabled",
                    "cle.keep-alive",
                    "cle.leader-pod.enabled",
                    "cle.on-leader.retry-delay",
                    "cle.migration.leader-name",
                    "cle.coordinator.ack-timeout",
                    "clergy.size"
                })
        void ifItIsKnownOrOfAnotherApplication(String property, CapturedOutput output) {
            report(property);

            assertThat(output).doesNotContain("configures nothing");
        }

        /** {@code reports: {}} in YAML. */
        @Test
        void ifItIsALeaseWithoutKeys(CapturedOutput output) {
            UnknownProperties.report(new MockEnvironment().withProperty("cle.leases.reports", ""), KNOWN);

            assertThat(output).doesNotContain("configures nothing");
        }

        /** Kubernetes sets CLE_SERVICE_HOST and the like where a Service is named cle. */
        @Test
        void ifItIsAnEnvironmentVariable(CapturedOutput output) {
            MockEnvironment environment = new MockEnvironment();
            environment
                    .getPropertySources()
                    .addFirst(new SystemEnvironmentPropertySource(
                            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                            Map.of("CLE_SERVICE_HOST", "10.0.0.1")));

            UnknownProperties.report(environment, KNOWN);

            assertThat(output).doesNotContain("configures nothing");
        }
    }
}

package io.cle.coordinator.settings;

import io.cle.spring.properties.internal.UnknownProperties;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertiesTest {

    @ParameterizedTest
    @CsvSource({
        "cle.coordinator.cross-namespaces, cle.coordinator.cross-namespace",
        "cle.coordinator.ack-timout, cle.coordinator.ack-timeout",
        "cle.coordinater.ack-timeout, cle.coordinator.ack-timeout",
        "cle.coordinator.page.host, cle.coordinator.page.hosts",
        "cle.coordinator.page.enable, cle.coordinator.page.enabled",
        "cle.kubernetes.base-uri, cle.kubernetes.base-url",
        "cle.lease-duration, cle.coordinator.lease-duration",
    })
    void areReportedWithTheOneThatIsMeant(String misspelt, String meant, CapturedOutput output) {
        UnknownProperties.report(new MockEnvironment().withProperty(misspelt, "4711"), CoordinatorProperties.known());

        assertThat(output)
                .contains("WARN", "'" + misspelt + "' (from ", "configures nothing; is '" + meant + "' meant?")
                .doesNotContain("4711");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cle.coordinator.namespaces[0]",
                "cle.coordinator.strategies.shop/orders",
                "cle.coordinator.limits.object-size",
                "cle.coordinator.replica.lease",
                "cle.coordinator.page.enabled",
                "cle.kubernetes.base-url",
                "cle.kubernetes.context",
                "cle.api",
                "clergy.size"
            })
    void areNoneOfTheCoordinators(String known, CapturedOutput output) {
        UnknownProperties.report(new MockEnvironment().withProperty(known, "1"), CoordinatorProperties.known());

        assertThat(output).doesNotContain("configures nothing");
    }
}

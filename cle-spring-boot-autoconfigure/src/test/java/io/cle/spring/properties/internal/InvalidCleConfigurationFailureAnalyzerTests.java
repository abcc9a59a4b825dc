package io.cle.spring.properties.internal;

import java.util.Map;

import io.cle.InvalidConfigurationException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

class InvalidCleConfigurationFailureAnalyzerTests {

    @Test
    void namesThePropertyItsValueItsOriginAndTheWayOut() {
        StandardEnvironment environment = new StandardEnvironment();
        Origin origin = new Origin() {
            @Override
            public String toString() {
                return "application.properties - 3:19";
            }
        };
        environment
                .getPropertySources()
                .addFirst(new OriginTrackedMapPropertySource(
                        "test", Map.of("cle.leaseDuration", OriginTrackedValue.of("1ms", origin))));
        InvalidConfigurationException failure =
                new InvalidConfigurationException("cle.lease-duration", "1ms", "must be at least 1s", "Raise it.");

        FailureAnalysis analysis = new InvalidCleConfigurationFailureAnalyzer(environment).analyze(failure, failure);

        assertThat(analysis.getDescription())
                .endsWith("cle.lease-duration (1ms) must be at least 1s (from application.properties - 3:19)");
        assertThat(analysis.getAction()).isEqualTo("Raise it.");
    }

    @Test
    void namesTheOriginOfTheValueThatOverridesAnother() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new OriginTrackedMapPropertySource(
                        "file", Map.of("cle.lease-duration", OriginTrackedValue.of("15s", new Origin() {}))));
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource("arguments", Map.of("cle.lease-duration", "1ms")));
        InvalidConfigurationException failure =
                new InvalidConfigurationException("cle.lease-duration", "1ms", "must be at least 1s", "Raise it.");

        FailureAnalysis analysis = new InvalidCleConfigurationFailureAnalyzer(environment).analyze(failure, failure);

        assertThat(analysis.getDescription())
                .endsWith("(from \"cle.lease-duration\" from property source \"arguments\")");
    }

    @Test
    void namesAPropertyThatIsNotSetWithoutAnOrigin() {
        InvalidConfigurationException failure = new InvalidConfigurationException(
                "cle.lease-name", null, "there is no other name", "Set cle.lease-name.");

        FailureAnalysis analysis =
                new InvalidCleConfigurationFailureAnalyzer(new StandardEnvironment()).analyze(failure, failure);

        assertThat(analysis.getDescription()).endsWith("cle.lease-name is not set: there is no other name");
    }
}

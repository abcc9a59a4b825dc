package io.cle.spring.properties.internal;

import java.util.List;
import java.util.Map;

import io.cle.ConfigurationProblem;
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
    void namesEveryPropertyItsValueItsOriginAndTheWayOut() {
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
        InvalidConfigurationException failure = new InvalidConfigurationException(List.of(
                new ConfigurationProblem("cle.lease-duration", "1ms", "it must be at least 1s", "Raise it."),
                new ConfigurationProblem("cle.lease-name", null, "there is no other name", "Set cle.lease-name.")));

        FailureAnalysis analysis = new InvalidCleConfigurationFailureAnalyzer(environment).analyze(failure, failure);

        assertThat(analysis.getDescription())
                .contains(
                        "cle.lease-duration = '1ms': it must be at least 1s (from application.properties - 3:19)",
                        "cle.lease-name is not set: there is no other name");
        assertThat(analysis.getAction()).isEqualTo("Raise it.\nSet cle.lease-name.");
    }

    @Test
    void namesADurationWithoutAUnitAsItWasWritten() {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", Map.of("cle.renew-deadline", "10")));
        InvalidConfigurationException failure = new InvalidConfigurationException(
                List.of(new ConfigurationProblem("cle.renew-deadline", "10ms", "it is too short", "Raise it.")));

        FailureAnalysis analysis = new InvalidCleConfigurationFailureAnalyzer(environment).analyze(failure, failure);

        assertThat(analysis.getDescription())
                .contains(
                        "cle.renew-deadline = '10' (10ms, because a number without a unit counts milliseconds): it is too"
                                + " short");
    }
}

package io.cle.spring.properties.internal;

import java.util.List;

import io.cle.spring.properties.CleProperties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

class TwoRecordLockFailureAnalyzerTests {

    @EnableConfigurationProperties(CleProperties.class)
    static class Properties {}

    /** The analysis that an application prints: that of the first registered analyzer that has one. */
    private static FailureAnalysis analysis(String property) {
        FailureAnalysis[] found = new FailureAnalysis[1];
        new ApplicationContextRunner()
                .withUserConfiguration(Properties.class)
                .withPropertyValues(property)
                .run(context -> found[0] = first(context.getStartupFailure()));
        return found[0];
    }

    private static @Nullable FailureAnalysis first(@Nullable Throwable failure) {
        List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation()
                .load(
                        FailureAnalyzer.class,
                        SpringFactoriesLoader.FailureHandler.handleMessage((message, ignored) -> {}));
        for (FailureAnalyzer analyzer : analyzers) {
            FailureAnalysis analysis = failure == null ? null : analyzer.analyze(failure);
            if (analysis != null) {
                return analysis;
            }
        }
        return null;
    }

    @ParameterizedTest
    @CsvSource({
        "cle.resource-lock, endpointsleases",
        "cle.resource-lock, CONFIGMAPSLEASES",
        "cle.leases.reports.resource-lock, configmapsleases"
    })
    void namesThePropertyTheValueAndTheWay(String property, String value) {
        FailureAnalysis analysis = analysis(property + "=" + value);

        assertThat(analysis.getDescription()).startsWith(property + " = '" + value + "': locks of two records");
        assertThat(analysis.getAction()).contains(property + "=leases", "docs/simple-election.md");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cle.resource-lock=pods", "cle.mode=endpointsleases"})
    void leavesOtherValuesToSpringBoot(String property) {
        FailureAnalysis analysis = analysis(property);

        assertThat(analysis.getDescription()).doesNotContain("two records");
        assertThat(analysis.getAction()).contains("valid");
    }
}

package io.cle.properties.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class KnownPropertiesTest {

    record Candidate(int priority, Duration renewInterval) {}

    record Further(String namespace, Candidate candidate) {}

    record Leases(
            String leaseName,
            Candidate candidate,
            Map<String, Further> leases,
            Map<String, String> strategies,
            List<Candidate> replicas) {}

    private final KnownProperties known = new KnownProperties()
            .with("cle", Leases.class)
            .with("cle.events.enabled")
            .withAllUnder("cle.coordinator");

    private static List<String> elements(String name) {
        return List.of(name.split("\\."));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cle.lease-name",
                "cle.leasename",
                "cle.leaseName",
                "cle.candidate.renew-interval",
                "cle.leases.reports",
                "cle.leases.reports.candidate.priority",
                "cle.strategies.shop/orders",
                "cle.strategies.a.b",
                "cle.replicas.0.priority",
                "cle.events.enabled",
                "cle.coordinator.what.ever"
            })
    void thoseOfTheRecordsAreKnown(String name) {
        assertThat(known.contains(elements(name))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "cle.lease-nam, cle.lease-name",
        "cle.candiate.priority, cle.candidate.priority",
        "cle.leases.reports.candidate.prioritty, cle.leases.reports.candidate.priority",
        "cle.event.enabled, cle.events.enabled",
        "cle.priority, cle.candidate.priority",
        "cle.leases.reports.priority, cle.leases.reports.candidate.priority",
        "cle.leases.reports.lease-name, cle.lease-name",
        "cle.replicas.0.prioity, cle.replicas.0.priority",
    })
    void theOneThatWasMeantIsFound(String misspelt, String meant) {
        assertThat(known.contains(elements(misspelt))).isFalse();
        assertThat(known.suggestion(elements(misspelt))).contains(meant);
    }

    @Test
    void nothingIsSuggestedForWhatResemblesNone() {
        assertThat(known.contains(elements("cle.token"))).isFalse();
        assertThat(known.suggestion(elements("cle.token"))).isEmpty();
    }
}

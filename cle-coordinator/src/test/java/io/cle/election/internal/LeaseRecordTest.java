package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.cle.ApiFormat;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Moment;
import io.cle.strategy.internal.Strategies;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseRecordTest {

    private static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    private static final ObjectKey A = new ObjectKey("shop", "orders-a");

    private final Map<ObjectKey, CandidateObservation> observed = new HashMap<>();
    private final LeaseRecord file = new LeaseRecord(LEASE, Duration.ofSeconds(15), observed);

    @Test
    void anExpiredCandidateThatCannotBeRemovedIsTriedAgainLaterAndIsNoCandidateMeanwhile() {
        Candidate candidate =
                Candidate.builder(A, LEASE).validity(Duration.ofSeconds(40)).build();
        observed.put(A, CandidateObservation.first(candidate, at(0), true));
        file.add(candidate);
        assertThat(file.candidates().expired(at(40))).hasSize(1);

        observed.computeIfPresent(A, (key, it) -> it.keptUntil(at(100).nanos()));

        assertThat(file.candidates().expired(at(99))).isEmpty();
        assertThat(file.candidates().alive(at(99))).isEmpty();
        assertThat(file.candidates().nextRemoval()).isEqualTo(at(100).nanos());
        assertThat(file.candidates().expired(at(100))).hasSize(1);
    }

    @Test
    void aHolderIsAskedForSomethingElseTwiceASecondAtMost() {
        assertThat(file.nextPreference(at(0))).isEmpty();
        assertThat(file.nextPreference(at(0))).contains(500_000_000L);
        assertThat(file.nextPreference(at(1))).isEmpty();
    }

    @Test
    void anUnknownStrategyIsReportedOnceAndShownUntilAnotherOneIsAskedFor() {
        StrategyRule rule = new StrategyRule(Strategies.builtIn());
        StrategyChoice unknown = choose(rule, "Astrology");

        String problem = unknown.warning();
        assertThat(problem).contains("'Astrology'");
        assertThat(file.note("NoUsableStrategy", problem)).as("before").isNull();
        assertThat(file.note("NoUsableStrategy", problem)).as("before").isEqualTo(problem);
        assertThat(file.problems()).containsExactly(problem);

        file.note("NoUsableStrategy", choose(rule, "HighestPriority").warning());
        assertThat(file.problems()).isEmpty();
    }

    @Test
    void thatKubeApiserverElectsIsNoWarning() {
        StrategyRule rule = new StrategyRule(Strategies.builtIn());

        Candidate candidate = Candidate.builder(A, LEASE)
                .strategy(Strategies.KUBE_APISERVERS_OWN)
                .build();

        assertThat(rule.choose(null, Optional.empty(), Optional.empty(), List.of(candidate), ApiFormat.NATIVE)
                        .warning())
                .isNull();
    }

    private static StrategyChoice choose(StrategyRule rule, String configured) {
        return rule.choose(null, Optional.of(configured), Optional.empty(), List.of(), ApiFormat.CRD);
    }

    private static Moment at(int second) {
        return new Moment(Duration.ofSeconds(second).toNanos(), Instant.EPOCH);
    }
}

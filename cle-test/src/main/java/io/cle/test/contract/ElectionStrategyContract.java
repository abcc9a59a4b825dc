package io.cle.test.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.Version;
import io.cle.strategy.ElectionStrategy;
import io.cle.strategy.internal.Ranking;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that every {@link ElectionStrategy}, built in or not, inherits and must pass. Candidates are drawn from a fixed
 * seed, so that failures are reproducible. Rule: {@code safety.md#total-order}.
 */
public abstract class ElectionStrategyContract {

    private static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");
    private static final List<String> VERSIONS =
            List.of("1.0.0", "1.0.1", "1.2.0-rc.1", "1.2.0", "1.10.0", "2.0.0+build.5");
    private static final int CANDIDATES = 24;

    /** For subclasses. */
    protected ElectionStrategyContract() {}

    /** The strategy to test. */
    protected abstract ElectionStrategy strategy();

    private static List<Candidate> candidates() {
        Random random = new Random(4355);
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < CANDIDATES; i++) {
            Version binary = version(random);
            candidates.add(Candidate.builder(new ObjectKey("shop", "orders-" + i), LEASE)
                    .binaryVersion(binary)
                    .compatibilityVersion(random.nextInt(3) == 0 ? binary : version(random))
                    .priority(random.nextInt(4) == 0 ? null : random.nextInt(4))
                    .creationTime(EPOCH.plusSeconds(random.nextInt(5)))
                    .renewTime(EPOCH)
                    .resourceVersion("1")
                    .build());
        }
        return candidates;
    }

    private static @Nullable Version version(Random random) {
        int index = random.nextInt(VERSIONS.size() + 1);
        return index == VERSIONS.size() ? null : Version.parse(VERSIONS.get(index));
    }

    private int compare(Candidate left, Candidate right) {
        return Integer.signum(strategy().criteria().compare(left, right));
    }

    @Test
    void hasAName() {
        assertThat(strategy().wireName()).isNotBlank().doesNotContain("/");
    }

    @Test
    void aCandidateIsAsGoodAsItself() {
        assertThat(candidates())
                .allSatisfy(
                        candidate -> assertThat(compare(candidate, candidate)).isZero());
    }

    @Test
    void ofTwoCandidatesTheSameIsBetterWhicheverIsAskedFirst() {
        for (Candidate left : candidates()) {
            for (Candidate right : candidates()) {
                assertThat(compare(left, right)).as("%s and %s", left, right).isEqualTo(-compare(right, left));
            }
        }
    }

    @Test
    void betterThanABetterOneIsBetter() {
        List<Candidate> candidates = candidates();
        for (Candidate a : candidates) {
            for (Candidate b : candidates) {
                for (Candidate c : candidates) {
                    if (compare(a, b) <= 0 && compare(b, c) <= 0) {
                        assertThat(compare(a, c))
                                .as("%s, %s and %s", a, b, c)
                                .isEqualTo(Math.min(compare(a, b), compare(b, c)));
                    }
                }
            }
        }
    }

    @Test
    void theOrderDoesNotDependOnHowCandidatesAreListed() {
        Comparator<Candidate> order = Ranking.by(strategy());
        List<Candidate> expected = candidates().stream().sorted(order).toList();
        Random random = new Random(2835);
        for (int i = 0; i < 20; i++) {
            List<Candidate> shuffled = new ArrayList<>(candidates());
            Collections.shuffle(shuffled, random);
            assertThat(shuffled.stream().sorted(order)).containsExactlyElementsOf(expected);
        }
    }

    @Test
    void renewTimePingTimeAndVersionOfACandidateDoNotCount() {
        for (Candidate left : candidates()) {
            Candidate renewed = left.toBuilder()
                    .renewTime(EPOCH.plus(Duration.ofHours(1)))
                    .pingTime(EPOCH.plus(Duration.ofHours(2)))
                    .resourceVersion("999")
                    .build();
            for (Candidate right : candidates()) {
                assertThat(compare(renewed, right)).as("%s and %s", left, right).isEqualTo(compare(left, right));
            }
        }
    }

    @Test
    void askedTwiceItSaysTheSame() {
        List<Candidate> first =
                candidates().stream().sorted(Ranking.by(strategy())).toList();
        assertThat(candidates().stream().sorted(Ranking.by(strategy()))).containsExactlyElementsOf(first);
    }
}

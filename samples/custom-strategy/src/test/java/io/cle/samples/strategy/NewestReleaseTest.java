package io.cle.samples.strategy;

import java.util.Comparator;
import java.util.stream.Stream;

import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.Version;
import io.cle.strategy.ElectionStrategy;
import io.cle.strategy.internal.Strategies;
import io.cle.test.contract.ElectionStrategyContract;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the strategy's order; the contract tests that it is one. */
class NewestReleaseTest extends ElectionStrategyContract {

    @Override
    protected ElectionStrategy strategy() {
        return new NewestRelease();
    }

    @Test
    void theNewestReleaseComesFirstThenPreReleasesAndCandidatesWithoutAVersionLast() {
        Comparator<Candidate> better = strategy().criteria();

        assertThat(Stream.of("2.0.0-rc.2", "1.9.0", "", "1.10.0", "2.0.0-rc.10")
                        .map(NewestReleaseTest::candidate)
                        .sorted(better)
                        .map(Candidate::identity))
                .containsExactly("orders-1.10.0", "orders-1.9.0", "orders-2.0.0-rc.10", "orders-2.0.0-rc.2", "orders-");
    }

    @Test
    void itIsFoundOnThePathByItsName() {
        assertThat(Strategies.onPathOf(NewestRelease.class.getClassLoader()).find("example.com.NewestRelease"))
                .containsInstanceOf(NewestRelease.class);
    }

    private static Candidate candidate(String version) {
        return Candidate.builder(new ObjectKey("shop", "orders-" + version), new ObjectKey("shop", "orders"))
                .binaryVersion(version.isEmpty() ? null : Version.parse(version))
                .build();
    }
}

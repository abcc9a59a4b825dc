package io.cle.samples.strategy;

import java.util.Comparator;

import io.cle.model.Candidate;
import io.cle.model.Version;
import io.cle.strategy.ElectionStrategy;
import org.jspecify.annotations.Nullable;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsFirst;

/**
 * The newest release leads; a pre-release leads only if no release is a candidate. For teams that run release
 * candidates together with releases: a release takes over as soon as it is a candidate, and a release candidate serves
 * without leading.
 */
public final class NewestRelease implements ElectionStrategy {

    /** For the {@link java.util.ServiceLoader}. */
    public NewestRelease() {}

    @Override
    public String wireName() {
        return "example.com.NewestRelease";
    }

    /** {@inheritDoc} The better candidate compares as less. One without a version is the worst. */
    @Override
    public Comparator<Candidate> criteria() {
        return comparing(NewestRelease::isRelease)
                .thenComparing(Candidate::binaryVersion, nullsFirst(naturalOrder()))
                .reversed();
    }

    private static boolean isRelease(Candidate candidate) {
        @Nullable Version version = candidate.binaryVersion();
        return version != null && !version.isPreRelease();
    }
}

package io.cle.web.view;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

import io.cle.election.internal.ElectionView.Standing;
import io.cle.election.internal.StrategyChoice;
import io.cle.model.Candidate;
import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.ElectionStrategy;
import org.jspecify.annotations.Nullable;

/** Explains why a candidate ranks below the one above it. Follows {@link io.cle.strategy.internal.Ranking}. */
final class RankReason {

    private RankReason() {}

    /**
     * Returns why a candidate ranks below the one above it; {@code null} if it ranks first.
     *
     * @param above the candidate above it; {@code null} if there is none
     */
    static @Nullable String of(@Nullable Candidate above, Standing standing, StrategyChoice choice) {
        Candidate candidate = standing.candidate();
        if (standing.heldOffUntil() != null) {
            return "held off until " + standing.heldOffUntil().truncatedTo(ChronoUnit.SECONDS)
                    + ": it was elected and didn't begin its term";
        }
        ElectionStrategy strategy = choice.strategy();
        if (strategy == null || !strategy.coordinates()) {
            return "not ranked: no candidate is elected by this strategy";
        }
        if (above == null) {
            return null;
        }
        if (compare(above, candidate, strategy) != 0) {
            return criterion(above, candidate, strategy);
        }
        Instant before = above.creationTime();
        Instant after = candidate.creationTime();
        return before == null || after == null || before.equals(after)
                ? "tie: decided by name"
                : "tie: joined " + Duration.between(before, after).toSeconds() + " s later";
    }

    /** Compares two candidates. A strategy from another jar may throw, but the page must still be shown. */
    private static int compare(Candidate above, Candidate candidate, ElectionStrategy strategy) {
        try {
            return strategy.criteria().compare(above, candidate);
        } catch (RuntimeException e) {
            return 0;
        }
    }

    private static String criterion(Candidate above, Candidate candidate, ElectionStrategy strategy) {
        if (strategy == BuiltInStrategy.HIGHEST_PRIORITY) {
            return worse("priority", above.priority(), candidate.priority(), "lower");
        }
        if (strategy != BuiltInStrategy.OLDEST_COMPATIBILITY_VERSION
                && strategy != BuiltInStrategy.NEWEST_COMPATIBILITY_VERSION) {
            return "worse by " + strategy.wireName();
        }
        String word = strategy == BuiltInStrategy.OLDEST_COMPATIBILITY_VERSION ? "newer" : "older";
        return Objects.equals(above.compatibilityVersion(), candidate.compatibilityVersion())
                ? worse("binary version", above.binaryVersion(), candidate.binaryVersion(), word)
                : worse("compatibility version", above.compatibilityVersion(), candidate.compatibilityVersion(), word);
    }

    private static String worse(String kind, @Nullable Object above, @Nullable Object own, String word) {
        return own == null
                ? "no " + kind + "; the one above has " + above
                : kind + " " + own + " is " + word + " than " + above;
    }
}

package io.cle.web.view;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

import io.cle.model.Candidate;
import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.ElectionStrategy;
import io.cle.strategy.internal.StrategyChoice;
import org.jspecify.annotations.Nullable;

/** Explains why a candidate ranks behind the previous one. Follows {@link io.cle.strategy.internal.Ranking}. */
final class Comparison {

    private Comparison() {}

    /**
     * Returns why a candidate ranks behind the previous one; {@code null} if it is the best.
     *
     * @param first the previous one; {@code null} if there is none
     */
    static @Nullable String behind(@Nullable Candidate first, Candidate second, StrategyChoice choice) {
        ElectionStrategy strategy = choice.strategy();
        if (strategy == null || !strategy.coordinates()) {
            return "not ranked, because no candidate is elected by this strategy; in order of name";
        }
        if (first == null) {
            return null;
        }
        return criterion(first, second, strategy)
                .or(() -> age(first, second))
                .orElseGet(() -> "as good and as old; its name comes later");
    }

    private static Optional<String> criterion(Candidate first, Candidate second, ElectionStrategy strategy) {
        if (compare(first, second, strategy) == 0) {
            return Optional.empty();
        }
        if (strategy == BuiltInStrategy.OLDEST_COMPATIBILITY_VERSION) {
            return Optional.of(versions(first, second, "newer"));
        }
        if (strategy == BuiltInStrategy.NEWEST_COMPATIBILITY_VERSION) {
            return Optional.of(versions(first, second, "older"));
        }
        if (strategy == BuiltInStrategy.HIGHEST_PRIORITY) {
            return Optional.of(
                    second.priority() == null
                            ? "no priority; the one before has " + first.priority()
                            : "priority " + second.priority() + " is lower than " + first.priority());
        }
        return Optional.of("worse by " + DisplayFormat.text(strategy.wireName()));
    }

    /** Compares two candidates. A strategy from another jar may throw, but the page must still be shown. */
    private static int compare(Candidate first, Candidate second, ElectionStrategy strategy) {
        try {
            return strategy.criteria().compare(first, second);
        } catch (RuntimeException e) {
            return 0;
        }
    }

    private static String versions(Candidate first, Candidate second, String word) {
        return differ(first.compatibilityVersion(), second.compatibilityVersion())
                ? version("compatibility version", first.compatibilityVersion(), second.compatibilityVersion(), word)
                : version("binary version", first.binaryVersion(), second.binaryVersion(), word);
    }

    private static <V extends Comparable<V>> boolean differ(@Nullable V first, @Nullable V second) {
        return (first == null || second == null) ? !Objects.equals(first, second) : first.compareTo(second) != 0;
    }

    private static String version(String kind, @Nullable Object first, @Nullable Object second, String word) {
        return second == null
                ? "no " + kind + "; the one before has " + first
                : kind + " " + second + " is " + word + " than " + first;
    }

    private static Optional<String> age(Candidate first, Candidate second) {
        Instant before = first.creationTime();
        Instant after = second.creationTime();
        if (Objects.equals(before, after) || before == null) {
            return Optional.empty();
        }
        return Optional.of(
                after == null
                        ? "as good; its age isn't known"
                        : "as good; joined " + DisplayFormat.duration(Duration.between(before, after)) + " later");
    }
}

package io.cle.strategy;

import java.util.Comparator;

import io.cle.model.Candidate;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsLast;
import static java.util.Comparator.reverseOrder;

/** The strategies that every coordinator offers. */
public enum BuiltInStrategy implements ElectionStrategy {
    /**
     * Spreads the leases of a group evenly over its candidates, whatever their versions. For any other lease, prefers the oldest
     * candidate. Any other strategy takes precedence.
     */
    BALANCED("Balanced", 50, (unusedLeft, unusedRight) -> 0),

    /**
     * The oldest compatibility version, then the oldest binary version: during an upgrade no newer version leads while an
     * older one is a candidate (KEP-4355, stories 1 and 2).
     */
    OLDEST_COMPATIBILITY_VERSION(
            "OldestCompatibilityVersion",
            100,
            comparing(Candidate::compatibilityVersion, nullsLast(naturalOrder()))
                    .thenComparing(Candidate::binaryVersion, nullsLast(naturalOrder()))),

    /** The newest compatibility version, then the newest binary version (KEP-4355, story 3: a canary). */
    NEWEST_COMPATIBILITY_VERSION(
            "NewestCompatibilityVersion",
            300,
            comparing(Candidate::compatibilityVersion, nullsLast(reverseOrder()))
                    .thenComparing(Candidate::binaryVersion, nullsLast(reverseOrder()))),

    /** The highest {@code spec.priority}; candidates without a priority come last (KEP-2835). */
    HIGHEST_PRIORITY("HighestPriority", 400, comparing(Candidate::priority, nullsLast(reverseOrder()))),

    /** The coordinator doesn't elect; candidates race for the lease. */
    NO_COORDINATION("NoCoordination", 1000, (unusedLeft, unusedRight) -> 0) {
        @Override
        public boolean coordinates() {
            return false;
        }
    };

    private final String wireName;
    private final int precedence;
    private final Comparator<Candidate> criteria;

    BuiltInStrategy(String wireName, int precedence, Comparator<Candidate> criteria) {
        this.wireName = wireName;
        this.precedence = precedence;
        this.criteria = criteria;
    }

    @Override
    public String wireName() {
        return wireName;
    }

    @Override
    public int precedence() {
        return precedence;
    }

    @Override
    public Comparator<Candidate> criteria() {
        return criteria;
    }
}

package io.cle.strategy.internal;

import java.util.Comparator;

import io.cle.model.Candidate;
import io.cle.strategy.ElectionStrategy;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsLast;

/**
 * The total order of a lease's candidates, best first: the strategy's criteria, then age, then name (safety.md#total-order). It
 * doesn't depend on the order in which candidates are listed.
 */
public final class Ranking {

    /** The oldest first; those whose age isn't known last. */
    public static final Comparator<Candidate> OLDEST_THEN_BY_NAME =
            comparing(Candidate::creationTime, nullsLast(naturalOrder())).thenComparing(Candidate::key);

    private Ranking() {}

    /** Returns the total order under a strategy, in which only identical candidates compare as 0. */
    public static Comparator<Candidate> by(ElectionStrategy strategy) {
        return strategy.criteria().thenComparing(OLDEST_THEN_BY_NAME);
    }
}

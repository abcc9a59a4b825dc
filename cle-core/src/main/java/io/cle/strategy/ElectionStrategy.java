package io.cle.strategy;

import java.util.Comparator;

import io.cle.model.Candidate;

/**
 * Decides which of two candidates is better. This is an SPI: implementations on the coordinator's class path that are listed in
 * {@code META-INF/services/io.cle.strategy.ElectionStrategy} are offered in addition to the built-in strategies.
 *
 * <p>Implementations must be immutable and thread-safe, must not use a clock or anything other than the two candidates, and must ignore
 * {@link Candidate#renewTime()}, {@link Candidate#pingTime()} and {@link Candidate#resourceVersion()}, which change although the candidate
 * remains the same.
 */
public interface ElectionStrategy {

    /** Returns the name by which leases, candidates and configurations request it, without the prefix of the native format. */
    String wireName();

    /**
     * Returns the criteria: the better candidate compares as <em>less</em>, and equally good candidates compare as 0. Only a strictly
     * better candidate ends a term (safety.md#when-to-elect); ties are broken by age, then name. Must be consistent: reflexive,
     * antisymmetric up to ties and transitive. A candidate without the compared field is the worse one.
     */
    Comparator<Candidate> criteria();

    /**
     * Returns its precedence if candidates request different strategies; the highest wins (protocol.md#which-strategy-applies). The built-in
     * strategies have 1000 ({@code NoCoordination}), 400 ({@code HighestPriority}), 300, 100 and 50 ({@code Balanced}).
     */
    default int precedence() {
        return 500;
    }

    /** Returns whether a coordinator elects under this strategy. {@code false} only for {@code NoCoordination}. */
    default boolean coordinates() {
        return true;
    }
}

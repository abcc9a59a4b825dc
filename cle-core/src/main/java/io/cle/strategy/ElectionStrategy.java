package io.cle.strategy;

import java.util.Comparator;

import io.cle.model.Candidate;
import io.cle.strategy.internal.Ranking;

/**
 * Says which of two candidates is the better one. An SPI: a class of your own on the coordinator's class path, named in
 * {@code META-INF/services/io.cle.strategy.ElectionStrategy}, is offered beside the built-in ones.
 *
 * <p>Implementations must be immutable and thread-safe, must not look at a clock or at anything outside the two candidates,
 * and must not look at {@link Candidate#renewTime()}, {@link Candidate#pingTime()} or
 * {@link Candidate#resourceVersion()}, which change while nothing about the candidate does.
 */
public interface ElectionStrategy {

    /** The name that leases, candidates and configurations ask for it by, without the prefix of the native format. */
    String wireName();

    /**
     * The criteria: the better candidate compares as <em>less</em>, and candidates that are equally good compare as 0. Only a
     * strictly better candidate ends a term (safety.md#when-to-elect); ties among them are decided by age, then name, by
     * {@link Ranking}. Must be consistent: reflexive, antisymmetric up to ties and transitive. A candidate that lacks what is
     * compared is the worse one.
     */
    Comparator<Candidate> criteria();

    /**
     * Where it ranks when candidates ask for different strategies; the highest wins (safety.md#strategy-precedence). The built-in
     * ones are at 1000 ({@code NoCoordination}), 400 ({@code HighestPriority}), 300 and 100.
     */
    default int precedence() {
        return 500;
    }

    /** Whether a coordinator elects at all under it. {@code false} only for {@code NoCoordination}. */
    default boolean coordinates() {
        return true;
    }
}

package io.cle.election.internal;

import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.ElectionStrategy;
import io.cle.strategy.internal.Strategies;
import org.jspecify.annotations.Nullable;

/**
 * The strategy that elects the leader of a lease, and who requested it (protocol.md#which-strategy-applies).
 *
 * @param name the requested strategy, as it was written
 * @param source who requested it
 * @param strategy the strategy; {@code null} if the coordinator must not elect
 * @param problem why the coordinator must not elect, or, if it elects, which request has no effect; {@code null} if neither
 */
public record StrategyChoice(
        String name,
        Source source,
        @Nullable ElectionStrategy strategy,
        @Nullable String problem) {

    /** The problem of a lease for which kube-apiserver elects. Nothing has to be fixed. */
    static final String KUBE_APISERVER_ELECTS =
            "kube-apiserver's own coordinator elects for " + Strategies.KUBE_APISERVERS_OWN;

    /** Who can request a strategy. The first in this order wins. */
    public enum Source {
        /** An administrator has set it on the lease. */
        LEASE("set on the lease"),
        /** A {@code LeaseConfiguration} object names the lease. */
        CONFIGURATION("set by a LeaseConfiguration"),
        /** The coordinator's own properties name the lease. */
        PROPERTIES("set by the coordinator's properties"),
        /** The candidates request it. */
        CANDIDATES("asked for by the candidates"),
        /** Nobody requests one, because there is no candidate. */
        DEFAULT("the default while there is no candidate");

        private final String text;

        Source(String text) {
            this.text = text;
        }

        /** Returns a description for people. */
        public String text() {
            return text;
        }
    }

    /** Returns the {@link #problem()} if it has to be fixed; {@code null} if there is none, or if kube-apiserver elects as intended. */
    public @Nullable String warning() {
        if (problem == null || problem.equals(KUBE_APISERVER_ELECTS)) {
            return null;
        }
        return strategy == null ? "is left alone: " + problem : problem;
    }

    static StrategyChoice of(ElectionStrategy strategy, Source source) {
        return new StrategyChoice(strategy.wireName(), source, strategy, null);
    }

    /** Returns this choice with a form of the strategy that is specific to a lease. */
    public StrategyChoice by(ElectionStrategy own) {
        return new StrategyChoice(name, source, own, problem);
    }

    /**
     * Returns this choice for a lease of a group, or for a closed one. No process races for it, so a coordinator has to elect: it uses
     * {@code Balanced} instead of {@code NoCoordination}, and the request is the {@linkplain #problem() problem}.
     */
    StrategyChoice whereNobodyRaces() {
        return strategy == null || strategy.coordinates()
                ? this
                : new StrategyChoice(
                        BuiltInStrategy.BALANCED.wireName(),
                        Source.CANDIDATES,
                        BuiltInStrategy.BALANCED,
                        name + " (" + source.text()
                                + ") has no effect on a lease of a group or a closed one, because nobody races for it");
    }

    static StrategyChoice leftAlone(String name, Source source, String problem) {
        return new StrategyChoice(name, source, null, problem);
    }
}

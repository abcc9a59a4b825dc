package io.cle.strategy.internal;

import io.cle.strategy.ElectionStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Under which strategy a lease is elected, and who says so (safety.md#strategy-precedence).
 *
 * @param name the strategy asked for, as it was asked for
 * @param source who asked for it
 * @param strategy the strategy; {@code null} when the lease is to be left alone
 * @param problem why the lease is to be left alone; {@code null} when it isn't
 */
public record StrategyChoice(
        String name,
        Source source,
        @Nullable ElectionStrategy strategy,
        @Nullable String problem) {

    /** Why a lease is left alone where all is well. */
    static final String KUBE_APISERVER_ELECTS =
            "kube-apiserver's own coordinator elects for " + StrategyRule.KUBE_APISERVERS_OWN;

    /** Who can ask for a strategy; the first one that does has it. */
    public enum Source {
        /** An administrator has written it on the lease. */
        LEASE("set on the lease"),
        /** A {@code LeaseConfiguration} object names the lease. */
        CONFIGURATION("set by a LeaseConfiguration"),
        /** The coordinator's own properties name the lease. */
        PROPERTIES("set by the coordinator's properties"),
        /** The candidates ask for it. */
        CANDIDATES("asked for by the candidates");

        private final String text;

        Source(String text) {
            this.text = text;
        }

        /** For a person: how it came about. */
        public String text() {
            return text;
        }
    }

    /** Whether {@link #problem()} is one for people to mend, rather than that kube-apiserver elects, as it should. */
    public boolean toBeMended() {
        return problem != null && !problem.equals(KUBE_APISERVER_ELECTS);
    }

    static StrategyChoice of(ElectionStrategy strategy, Source source) {
        return new StrategyChoice(strategy.wireName(), source, strategy, null);
    }

    static StrategyChoice leftAlone(String name, Source source, String problem) {
        return new StrategyChoice(name, source, null, problem);
    }
}

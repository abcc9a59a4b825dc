package io.cle.election.internal;

import java.util.Collection;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

import io.cle.ApiFormat;
import io.cle.election.internal.StrategyChoice.Source;
import io.cle.model.Candidate;
import io.cle.model.Version;
import io.cle.model.internal.Lease;
import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.ElectionStrategy;
import io.cle.strategy.internal.Strategies;
import org.jspecify.annotations.Nullable;

/**
 * Finds the strategy of a lease by precedence: an administrator's on the lease, a {@code LeaseConfiguration}, the coordinator's
 * properties, the candidates' format (protocol.md#which-strategy-applies).
 */
public final class StrategyRule {

    private static final Comparator<StrategyChoice> BY_PRECEDENCE = Comparator.comparingInt(StrategyRule::precedence)
            .thenComparing(StrategyChoice::name, Comparator.reverseOrder());

    private final Strategies strategies;

    /** Creates a rule for the given strategies. */
    public StrategyRule(Strategies strategies) {
        this.strategies = strategies;
    }

    /**
     * Chooses the strategy of a lease.
     *
     * @param lease the lease; {@code null} if there is none
     * @param configured the strategy that a {@code LeaseConfiguration} requests
     * @param property the strategy that the coordinator's properties request
     * @param candidates the live candidates. If they request different strategies, the one with the highest precedence is chosen in the crd format.
     *     In the native format, those with the highest binary version decide, as in kube-apiserver
     */
    public StrategyChoice choose(
            @Nullable Lease lease,
            Optional<String> configured,
            Optional<String> property,
            Collection<Candidate> candidates,
            ApiFormat format) {
        StrategyChoice agreed = format == ApiFormat.CRD ? byPrecedence(candidates) : byBinaryVersion(candidates);
        if (format == ApiFormat.NATIVE && agreed.name().equals(Strategies.KUBE_APISERVERS_OWN)) {
            // Otherwise the two coordinators would preempt each other forever.
            return agreed;
        }
        String onLease = administrators(lease);
        if (onLease != null) {
            return named(onLease, Source.LEASE, format);
        }
        return configured
                .map(name -> named(name, Source.CONFIGURATION, format))
                .or(() -> property.map(name -> named(name, Source.PROPERTIES, format)))
                .orElse(agreed);
    }

    private static @Nullable String administrators(@Nullable Lease lease) {
        if (lease == null || lease.strategy() == null || lease.strategy().equals(lease.recordedStrategy())) {
            return null;
        }
        return lease.strategy();
    }

    private StrategyChoice named(String name, Source source, ApiFormat format) {
        if (name.equals(Strategies.KUBE_APISERVERS_OWN) && format == ApiFormat.NATIVE) {
            return StrategyChoice.leftAlone(name, source, StrategyChoice.KUBE_APISERVER_ELECTS);
        }
        return find(name)
                .map(strategy -> StrategyChoice.of(strategy, source))
                .orElseGet(() -> StrategyChoice.leftAlone(name, source, unknown(name, source)));
    }

    private Optional<ElectionStrategy> find(String name) {
        return strategies.find(name.equals(Strategies.KUBE_APISERVERS_OWN) ? Strategies.OLDER_NAME_OF_OLDEST : name);
    }

    private String unknown(String name, Source source) {
        return "no strategy '" + name + "' (" + source.text() + ") is known here; known are "
                + String.join(", ", strategies.names());
    }

    /** Returns why the strategy that a {@code LeaseConfiguration} requests can't be used; empty if it can. */
    public Optional<String> problemOf(String configured) {
        return find(configured).isPresent() ? Optional.empty() : Optional.of(unknown(configured, Source.CONFIGURATION));
    }

    private StrategyChoice byPrecedence(Collection<Candidate> candidates) {
        return candidates.stream()
                .map(Candidate::strategy)
                .distinct()
                .map(name -> named(name, Source.CANDIDATES, ApiFormat.CRD))
                .max(BY_PRECEDENCE)
                .orElse(StrategyChoice.of(BuiltInStrategy.OLDEST_COMPATIBILITY_VERSION, Source.DEFAULT));
    }

    private static int precedence(StrategyChoice choice) {
        return choice.strategy() == null ? Integer.MIN_VALUE : choice.strategy().precedence();
    }

    private StrategyChoice byBinaryVersion(Collection<Candidate> candidates) {
        Version highest = candidates.stream()
                .map(Candidate::binaryVersion)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
        TreeSet<String> names = new TreeSet<>();
        for (Candidate candidate : candidates) {
            Version version = candidate.binaryVersion();
            if (highest == null || (version != null && version.compareTo(highest) == 0)) {
                names.add(candidate.strategy());
            }
        }
        if (names.size() > 1) {
            return StrategyChoice.leftAlone(
                    String.join(", ", names),
                    Source.CANDIDATES,
                    "the candidates of the highest binary version ask for different strategies: "
                            + String.join(", ", names));
        }
        return names.isEmpty()
                ? StrategyChoice.of(BuiltInStrategy.OLDEST_COMPATIBILITY_VERSION, Source.DEFAULT)
                : named(names.first(), Source.CANDIDATES, ApiFormat.NATIVE);
    }
}

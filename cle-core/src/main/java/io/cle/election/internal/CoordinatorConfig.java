package io.cle.election.internal;

import java.util.Map;

import io.cle.model.ObjectKey;
import io.cle.strategy.internal.Strategies;

/**
 * What a coordinator needs to know.
 *
 * @param strategies those it can elect by
 * @param byProperty the strategies that its properties ask for, by lease (safety.md#strategy-precedence)
 * @param policy what an election goes by
 * @param namespaces which candidates and configurations count for leases of other namespaces
 * @param quota how many candidates of a namespace count
 */
public record CoordinatorConfig(
        Strategies strategies,
        Map<ObjectKey, String> byProperty,
        ElectionPolicy policy,
        NamespaceRule namespaces,
        CandidateQuota quota) {

    /** The maps become immutable. */
    public CoordinatorConfig {
        byProperty = Map.copyOf(byProperty);
    }

    /** Creates a configuration with the default quota of candidates. */
    public CoordinatorConfig(
            Strategies strategies, Map<ObjectKey, String> byProperty, ElectionPolicy policy, NamespaceRule namespaces) {
        this(strategies, byProperty, policy, namespaces, CandidateQuota.DEFAULT);
    }
}

package io.cle.election.internal;

import java.util.Map;

import io.cle.model.ObjectKey;
import io.cle.strategy.internal.Strategies;

/**
 * The configuration of a coordinator.
 *
 * @param strategies the available strategies
 * @param byProperty the strategies that its properties request, by lease (protocol.md#which-strategy-applies)
 * @param policy timing rules of an election
 * @param namespaces which candidates and configurations may name leases of other namespaces
 */
public record CoordinatorConfig(
        Strategies strategies, Map<ObjectKey, String> byProperty, ElectionPolicy policy, NamespaceRule namespaces) {

    /** Copies the map. */
    public CoordinatorConfig {
        byProperty = Map.copyOf(byProperty);
    }
}

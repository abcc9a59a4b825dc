package io.cle.election.internal;

import java.util.Map;

import io.cle.model.ObjectKey;
import io.cle.strategy.internal.Strategies;

/**
 * What a coordinator needs to know.
 *
 * @param strategies those it can elect by
 * @param byProperty the strategies that its properties ask for, by lease (protocol.md#which-strategy-applies)
 * @param policy what an election goes by
 * @param namespaces which candidates and configurations count for leases of other namespaces
 */
public record CoordinatorConfig(
        Strategies strategies, Map<ObjectKey, String> byProperty, ElectionPolicy policy, NamespaceRule namespaces) {

    /** The maps become immutable. */
    public CoordinatorConfig {
        byProperty = Map.copyOf(byProperty);
    }
}

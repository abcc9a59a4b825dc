package io.cle.election.internal.api;

import java.util.Comparator;

import io.cle.model.ObjectKey;

/**
 * An administrator's strategy for a lease, or for all leases whose names share a prefix (protocol.md#which-strategy-applies).
 *
 * @param key namespace and name of the object
 * @param targetLease the lease that it names; if the name ends in {@code *}, all leases of the namespace whose names begin with the text
 *     before it
 * @param strategy the requested strategy
 * @param generation the generation of its spec
 * @param status the stored status
 */
public record LeaseConfiguration(
        ObjectKey key, ObjectKey targetLease, String strategy, long generation, ConfigurationStatus status) {

    private static final String ANY = "*";

    /** Returns whether its target is a prefix. */
    public boolean prefix() {
        return targetLease.name().endsWith(ANY);
    }

    /** Returns the target for the prefix of a lease's name with the given length. */
    public static ObjectKey prefixOf(ObjectKey lease, int length) {
        return new ObjectKey(lease.namespace(), lease.name().substring(0, length) + ANY);
    }

    /** Returns whether its target includes a lease. */
    public boolean names(ObjectKey lease) {
        String name = targetLease.name();
        return prefix()
                ? targetLease.namespace().equals(lease.namespace())
                        && lease.name().startsWith(name.substring(0, name.length() - ANY.length()))
                : targetLease.equals(lease);
    }

    /** Returns this configuration with another stored status. */
    public LeaseConfiguration with(ConfigurationStatus stored) {
        return new LeaseConfiguration(key, targetLease, strategy, generation, stored);
    }

    /**
     * Returns the order of the configurations that name a lease, the effective one first: the exact name, then the longest prefix; then
     * configurations of the lease's own namespace; then by namespace and name.
     *
     * @param namespace the namespace of the lease
     */
    public static Comparator<LeaseConfiguration> precedence(String namespace) {
        return Comparator.comparing(LeaseConfiguration::prefix)
                .thenComparing(
                        configuration -> -configuration.targetLease().name().length())
                .thenComparing(configuration -> !configuration.key().namespace().equals(namespace))
                .thenComparing(LeaseConfiguration::key);
    }
}

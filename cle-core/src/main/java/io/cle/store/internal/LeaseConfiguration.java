package io.cle.store.internal;

import java.util.Comparator;

import io.cle.model.ObjectKey;

/**
 * An administrator's strategy for a lease, or for all leases whose names begin alike, in an object of its own (safety.md#strategy-precedence).
 *
 * @param key namespace and name of the object
 * @param targetLease the lease that it names; if the name ends in {@code *}, all leases of the namespace whose names begin with what precedes it
 * @param strategy the strategy it asks for
 * @param generation counts the changes of its spec
 * @param status as it is stored
 */
public record LeaseConfiguration(
        ObjectKey key, ObjectKey targetLease, String strategy, long generation, ConfigurationStatus status) {

    private static final String ANY = "*";

    /** A configuration without a status, as an administrator creates it. */
    public LeaseConfiguration(ObjectKey key, ObjectKey targetLease, String strategy) {
        this(key, targetLease, strategy, 1, ConfigurationStatus.NONE);
    }

    /** Whether it names a prefix. */
    public boolean prefix() {
        return isPrefix(targetLease);
    }

    /** Whether a target names a prefix rather than a lease. */
    public static boolean isPrefix(ObjectKey target) {
        return target.name().endsWith(ANY);
    }

    /** The target that names a prefix of a lease's name, of a given length. */
    public static ObjectKey prefixOf(ObjectKey lease, int length) {
        return new ObjectKey(lease.namespace(), lease.name().substring(0, length) + ANY);
    }

    /** Whether it names a lease. */
    public boolean names(ObjectKey lease) {
        String name = targetLease.name();
        return prefix()
                ? targetLease.namespace().equals(lease.namespace())
                        && lease.name().startsWith(name.substring(0, name.length() - ANY.length()))
                : targetLease.equals(lease);
    }

    /** Whether both ask for the same strategy of the same leases. */
    public boolean asksTheSameAs(LeaseConfiguration other) {
        return targetLease.equals(other.targetLease) && strategy.equals(other.strategy);
    }

    /**
     * The order of those that name a lease, the one in force first: the exact name, then the longest prefix; then those of the lease's own namespace;
     * then by namespace and name.
     *
     * @param namespace the lease's
     */
    public static Comparator<LeaseConfiguration> precedence(String namespace) {
        return Comparator.comparing(LeaseConfiguration::prefix)
                .thenComparing(
                        configuration -> -configuration.targetLease().name().length())
                .thenComparing(configuration -> !configuration.key().namespace().equals(namespace))
                .thenComparing(LeaseConfiguration::key);
    }
}

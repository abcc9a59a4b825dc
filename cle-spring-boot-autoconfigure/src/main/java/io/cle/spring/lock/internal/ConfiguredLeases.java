package io.cle.spring.lock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.cle.InvalidConfigurationException;
import io.cle.spring.migration.internal.LeaderMigration;
import io.cle.spring.properties.internal.CleProperties;
import io.cle.spring.properties.internal.LeaseBinder;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.LeaseSettingsResolver;
import io.cle.spring.properties.internal.ProcessFacts;
import io.cle.strategy.internal.Strategies;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * The settings of this application's leases: the default one, the configured ones, and a migration's. Properties are
 * checked on creation, without I/O. Looking up the namespace of this process may need a cluster, so it is deferred
 * until a lease is first requested. Thread-safe.
 */
public final class ConfiguredLeases {

    private final ProcessFacts facts;
    private final Set<String> furtherNames;
    /** The properties of each lease, the default one's first. */
    private final List<LeaseBinder.Bound> configured;
    /** All leases, the default one first. Resolved when a lease is first requested. */
    private final Supplier<List<LeaseSettings>> leases;

    /**
     * Checks the properties of an environment.
     *
     * @param strategies the strategies that candidates may ask for by their plain names
     * @throws InvalidConfigurationException if a property can't be used
     */
    public ConfiguredLeases(
            Environment environment,
            CleProperties properties,
            LeaderMigration migration,
            ProcessFacts facts,
            Strategies strategies) {
        this.facts = facts;
        LeaseSettingsResolver resolver = new LeaseSettingsResolver(facts, strategies);
        properties.refuseAClusterBesideStandalone();
        LeaseBinder binder = new LeaseBinder(environment);
        furtherNames = binder.names();
        List<LeaseBinder.Bound> all = new ArrayList<>(binder.all());
        migration
                .propertiesOfLease(furtherNames)
                .ifPresent(
                        own -> all.add(binder.further(migration.lease().orElseThrow(), LeaderMigration.PREFIX, own)));
        all.forEach(resolver::check);
        configured = List.copyOf(all);
        leases = SingletonSupplier.of(() -> resolver.settings(configured));
    }

    /**
     * Returns the default lease.
     *
     * @throws InvalidConfigurationException if it has no name, the namespace of this process can't be used, or two leases are the same
     */
    public LeaseSettings main() {
        if (facts.applicationName() == null && !mainIsNamed()) {
            throw new InvalidConfigurationException(
                    "cle.lease-name",
                    null,
                    "spring.application.name, which would name the lease, isn't set either",
                    "Set spring.application.name or cle.lease-name; all replicas of an application need the same.");
        }
        return all().get(0);
    }

    /** Returns whether {@code cle.lease-name} is set, the only property of the default lease that further leases don't inherit. */
    public boolean mainIsNamed() {
        return configured.get(0).values().leaseName() != null;
    }

    /** Returns the names of the beans that are locks of further leases. */
    public Set<String> furtherLocks() {
        return furtherNames.stream().map(FurtherLeaseLocksRegistrar::lockBean).collect(Collectors.toSet());
    }

    /** Returns the other leases. */
    public List<LeaseSettings> further() {
        // With only the default lease, looking up its namespace may need a cluster that nothing else needs.
        return configured.size() == 1 ? List.of() : all().subList(1, all().size());
    }

    /** Returns all leases, the default one first. */
    public List<LeaseSettings> all() {
        return leases.get();
    }

    /** Finds a lease by its name in this application. */
    public Optional<LeaseSettings> find(String name) {
        return all().stream().filter(lease -> lease.name().equals(name)).findFirst();
    }

    /** Returns the longest time that draining and handing over all leases may take. */
    public Duration longestStop() {
        return all().stream()
                .map(lease -> lease.drainTimeout().plus(lease.timings().leaseDuration()))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }
}

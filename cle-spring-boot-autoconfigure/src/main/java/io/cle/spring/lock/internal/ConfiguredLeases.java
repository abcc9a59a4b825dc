package io.cle.spring.lock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.cle.InvalidConfigurationException;
import io.cle.spring.migration.internal.LeaderMigration;
import io.cle.spring.properties.internal.CleProperties;
import io.cle.spring.properties.internal.LeaseBinder;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.LeaseSettingsResolver;
import io.cle.spring.properties.internal.ProcessFacts;
import io.cle.strategy.internal.Strategies;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/**
 * Settings of this application's leases: the default one, those that are configured, a migration's, and those that are created at run time.
 * The properties are checked on creation, without I/O. The namespace of this process may need a cluster, so it is looked up when a lease is
 * requested first. Thread-safe.
 */
public final class ConfiguredLeases {

    private final ProcessFacts facts;
    private final LeaseSettingsResolver resolver;
    private final LeaseBinder binder;
    /** The properties of the leases that aren't created at run time. */
    private final List<LeaseBinder.Bound> configured;

    /** The first is the default lease; {@code null} until a lease is requested. Written under this object's monitor. */
    private volatile @Nullable Map<LeaseBinder.Bound, List<LeaseSettings>> leases;

    /**
     * Checks the properties of an environment.
     *
     * @param strategies the strategies that candidates may ask for by their plain names
     * @throws InvalidConfigurationException if one can't be used
     */
    public ConfiguredLeases(
            Environment environment,
            CleProperties properties,
            LeaderMigration migration,
            ProcessFacts facts,
            Strategies strategies) {
        this.facts = facts;
        resolver = new LeaseSettingsResolver(facts, strategies);
        properties.refuseAClusterBesideStandalone();
        binder = new LeaseBinder(environment);
        List<LeaseBinder.Bound> all = new ArrayList<>(binder.all());
        migration
                .propertiesOfLease(binder.names())
                .ifPresent(
                        own -> all.add(binder.further(migration.lease().orElseThrow(), LeaderMigration.PREFIX, own)));
        all.forEach(resolver::check);
        configured = List.copyOf(all);
    }

    private Map<LeaseBinder.Bound, List<LeaseSettings>> leases() {
        Map<LeaseBinder.Bound, List<LeaseSettings>> known = leases;
        return known == null ? resolved() : known;
    }

    private synchronized Map<LeaseBinder.Bound, List<LeaseSettings>> resolved() {
        if (leases == null) {
            leases = resolver.settings(Map.of(), configured);
        }
        return leases;
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
                    "there is no spring.application.name either to name the lease by",
                    "Set spring.application.name or cle.lease-name; all replicas of an application need the same.");
        }
        return all().findFirst().orElseThrow();
    }

    /** Returns whether the default lease has a property of its own: all others are inherited by the further leases. */
    public boolean mainIsNamed() {
        return configured.get(0).values().leaseName() != null;
    }

    /** Returns the names of the beans that are locks of further leases. */
    public Set<String> furtherLocks() {
        return binder.names().stream().map(FurtherLeaseLocksRegistrar::lockBean).collect(Collectors.toSet());
    }

    /** Returns the other leases. */
    public List<LeaseSettings> further() {
        boolean none = configured.size() == 1 && leases == null;
        return none ? List.of() : all().skip(1).toList();
    }

    /** Returns all leases, the default one first. */
    public Stream<LeaseSettings> all() {
        return leases().values().stream().flatMap(List::stream);
    }

    /** Finds a lease by its name in this application. */
    public Optional<LeaseSettings> find(String name) {
        return all().filter(lease -> lease.name().equals(name)).findFirst();
    }

    /**
     * Adds a lease at run time.
     *
     * @param name the name of the lease in this application
     * @param own the properties that differ from the default lease's, by the keys that are used under {@code cle.leases.<name>}
     * @throws InvalidConfigurationException if one of its properties can't be used, or if there is such a lease already
     */
    public synchronized LeaseSettings add(String name, Map<String, String> own) {
        LeaseBinder.Bound bound = binder.further(name, "cle.leases." + name + ".", own);
        Integer shards = bound.values().shards();
        if (shards != null) {
            throw new InvalidConfigurationException(
                    "cle.leases." + name + ".shards",
                    shards.toString(),
                    "a lease that is created at run time can't be led in parts",
                    "Configure the lease by properties, or create one lease for each part.");
        }
        Map<LeaseBinder.Bound, List<LeaseSettings>> all = resolver.settings(leases(), List.of(bound));
        leases = all;
        return all.getOrDefault(bound, List.of()).get(0);
    }

    /** Removes a lease that was created at run time. */
    public synchronized void remove(String name) {
        Map<LeaseBinder.Bound, List<LeaseSettings>> all = new LinkedHashMap<>(leases());
        all.keySet().removeIf(lease -> name.equals(lease.name()));
        leases = all;
    }

    /** Returns how long it takes at most to drain and hand over all leases. */
    public Duration longestStop() {
        return all().map(lease -> lease.drainTimeout().plus(lease.timings().leaseDuration()))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }
}

package io.cle.spring.properties.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.cle.InvalidConfigurationException;
import io.cle.strategy.internal.Strategies;

/** Properties in which nothing is wrong, as far as that can be told without a cluster. Immutable. */
public final class CheckedProperties {

    private final LeaseBinder binder;
    private final ProcessFacts facts;
    private final Strategies strategies;
    private final List<LeaseSettingsResolver.Resolved> resolved;

    /**
     * Checks them. Does no I/O.
     *
     * @param further leases that don't stand under {@code cle.leases}: by their names, what differs from the default lease
     * @param strategies the strategies that candidates may ask for by their plain names
     * @throws InvalidConfigurationException with everything that is wrong
     */
    public CheckedProperties(
            CleProperties properties,
            LeaseBinder binder,
            Map<String, Map<String, String>> further,
            ProcessFacts facts,
            Strategies strategies) {
        this.binder = binder;
        this.facts = facts;
        this.strategies = strategies;
        List<BoundLease> leases = new ArrayList<>(binder.all());
        further.forEach((name, own) -> leases.add(binder.further(name, own)));
        LeaseSettingsResolver resolver = new LeaseSettingsResolver(facts, strategies);
        resolver.refuseAClusterBesideStandalone(properties);
        this.resolved = resolver.resolve(leases);
    }

    /**
     * What follows from them for each lease, the default one first. Looks for the namespace where none is configured.
     *
     * @throws InvalidConfigurationException when two leases are the same
     */
    public List<LeaseSettings> leases() {
        return new LeaseSettingsResolver(facts, strategies).place(resolved);
    }

    /**
     * What follows from them for one more lease.
     *
     * @param name what it is called in this application
     * @param own what differs from the default lease, by the keys that are used under {@code cle.leases.<name>}
     * @throws InvalidConfigurationException with everything that is wrong with its properties
     */
    public LeaseSettings lease(String name, Map<String, String> own) {
        LeaseSettingsResolver resolver = new LeaseSettingsResolver(facts, strategies);
        return resolver.place(resolver.resolve(List.of(binder.further(name, own))))
                .get(0);
    }
}

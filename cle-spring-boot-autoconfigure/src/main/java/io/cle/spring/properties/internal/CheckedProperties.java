package io.cle.spring.properties.internal;

import java.util.List;

import io.cle.spring.properties.CleProperties;
import io.cle.spring.properties.InvalidCleConfigurationException;
import io.cle.spring.properties.LeaseSettings;
import io.cle.strategy.Strategies;

/** Properties in which nothing is wrong, as far as that can be told without a cluster. Immutable. */
public final class CheckedProperties {

    private final CleProperties properties;
    private final ProcessFacts facts;
    private final Strategies strategies;

    /**
     * Checks them. Does no I/O.
     *
     * @param strategies the strategies that candidates may ask for by their plain names
     * @throws InvalidCleConfigurationException with everything that is wrong
     */
    public CheckedProperties(CleProperties properties, ProcessFacts facts, Strategies strategies) {
        LeaseSettingsResolver.check(properties, facts, strategies);
        this.properties = properties;
        this.facts = facts;
        this.strategies = strategies;
    }

    /** As they were given. */
    public CleProperties written() {
        return properties;
    }

    /**
     * What follows from them for each lease, the default one first. Looks for the namespace where none is configured.
     *
     * @throws InvalidCleConfigurationException when two leases are the same
     */
    public List<LeaseSettings> leases() {
        return LeaseSettingsResolver.resolve(properties, facts, strategies);
    }
}

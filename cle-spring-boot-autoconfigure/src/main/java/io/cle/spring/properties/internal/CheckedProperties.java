package io.cle.spring.properties.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.cle.spring.properties.CleProperties;
import io.cle.spring.properties.InvalidCleConfigurationException;
import io.cle.spring.properties.LeaseProperties;
import io.cle.spring.properties.LeaseSettings;
import io.cle.strategy.Strategies;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.NestedExceptionUtils;

/**
 * Properties in which nothing is wrong, as far as that can be told without a cluster. Immutable.
 *
 * @param written as they were given
 * @param strategies the strategies that candidates may ask for by their plain names
 */
public record CheckedProperties(CleProperties written, ProcessFacts facts, Strategies strategies) {

    /**
     * Checks them. Does no I/O.
     *
     * @throws InvalidCleConfigurationException with everything that is wrong
     */
    public CheckedProperties {
        LeaseSettingsResolver.check(written, facts, strategies);
    }

    /**
     * What follows from them for each lease, the default one first. Looks for the namespace where none is configured.
     *
     * @throws InvalidCleConfigurationException when two leases are the same
     */
    public List<LeaseSettings> leases() {
        return LeaseSettingsResolver.resolve(written, facts, strategies);
    }

    /**
     * What follows from them for one more lease.
     *
     * @param name what it is called in this application
     * @param own what differs from the default lease, by the keys that are used under {@code cle.leases.<name>}
     * @throws InvalidCleConfigurationException with everything that is wrong with its properties
     */
    public LeaseSettings lease(String name, Map<String, String> own) {
        List<LeaseSettings> all =
                LeaseSettingsResolver.resolve(written.withLease(name, bind(name, own)), facts, strategies);
        return all.stream()
                .filter(lease -> lease.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static LeaseProperties bind(String name, Map<String, String> own) {
        Map<String, String> written = new LinkedHashMap<>();
        own.forEach((key, value) -> written.put("lease." + key, value));
        try {
            return new Binder(new MapConfigurationPropertySource(written))
                    .bindOrCreate(
                            "lease",
                            Bindable.of(LeaseProperties.class),
                            new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
        } catch (BindException e) {
            String key = e.getName().toString().replaceFirst("^lease\\.?", "");
            throw new InvalidCleConfigurationException(
                    "cle.leases." + name + (key.isEmpty() ? "" : "." + key),
                    own.get(key),
                    "can't be used: "
                            + NestedExceptionUtils.getMostSpecificCause(e).getMessage(),
                    "Use the keys and values of cle.leases.<name>.");
        }
    }
}

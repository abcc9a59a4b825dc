package io.cle.spring.properties.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import io.cle.InvalidConfigurationException;
import io.cle.spring.properties.LeaseProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PlaceholdersResolver;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.Environment;

/**
 * Binds the properties of leases. Those of a further lease are bound from two layers, its own and the default lease's under it, so that it inherits
 * key by key.
 */
public final class LeaseBinder {

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("cle");
    private static final ConfigurationPropertyName LEASES = ROOT.append("leases");
    private static final ConfigurationPropertyName LEASE_NAME = ConfigurationPropertyName.of("lease-name");

    private final List<ConfigurationPropertySource> sources = new ArrayList<>();
    private final PlaceholdersResolver placeholders;

    /** Binds from an environment. */
    public LeaseBinder(Environment environment) {
        ConfigurationPropertySources.get(environment).forEach(sources::add);
        placeholders = new PropertySourcesPlaceholdersResolver(environment);
    }

    /** The keys under {@code cle.leases}. */
    public Set<String> names() {
        return prefixes().keySet();
    }

    private Map<String, ConfigurationPropertyName> prefixes() {
        Map<String, ConfigurationPropertyName> prefixes = new LinkedHashMap<>();
        for (ConfigurationPropertySource source : sources) {
            if (source instanceof IterableConfigurationPropertySource names) {
                names.stream()
                        .filter(LEASES::isAncestorOf)
                        .map(name -> name.chop(LEASES.getNumberOfElements() + 1))
                        .forEach(prefix -> prefixes.putIfAbsent(
                                prefix.getLastElement(ConfigurationPropertyName.Form.ORIGINAL), prefix));
            }
        }
        return prefixes;
    }

    /** The default lease and those under {@code cle.leases}, in this order. */
    List<BoundLease> all() {
        List<BoundLease> leases = new ArrayList<>();
        leases.add(new BoundLease(null, bind(layer(ROOT::append), BindHandler.DEFAULT), key -> false));
        prefixes().forEach((name, prefix) -> {
            refuseAValue(name, prefix);
            leases.add(further(name, layer(prefix::append), BindHandler.DEFAULT));
        });
        return leases;
    }

    /**
     * A lease whose own properties don't stand under {@code cle.leases}.
     *
     * @param own by the keys that are used there
     * @throws InvalidConfigurationException if one of them is unknown or has a value that can't be used
     */
    BoundLease further(String name, Map<String, String> own) {
        try {
            return further(
                    name,
                    List.of(new MapConfigurationPropertySource(own)),
                    new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
        } catch (BindException e) {
            String key = e.getName().toString();
            throw new InvalidConfigurationException(
                    "cle.leases." + name + (key.isEmpty() ? "" : "." + key),
                    own.get(key),
                    "can't be used: "
                            + NestedExceptionUtils.getMostSpecificCause(e).getMessage(),
                    "Use the keys and values of cle.leases.<name>.");
        }
    }

    private BoundLease further(String name, List<ConfigurationPropertySource> own, BindHandler handler) {
        List<ConfigurationPropertySource> layers = new ArrayList<>(own);
        layers.addAll(layer(key -> key.equals(LEASE_NAME) ? null : ROOT.append(key)));
        return new BoundLease(
                name,
                bind(layers, handler),
                key -> find(own, ConfigurationPropertyName.of(key)) != null
                        || find(own, ConfigurationPropertyName.of(key + "[0]")) != null);
    }

    /**
     * The sources as they are seen from a place in them.
     *
     * @param place where a key of the lease stands; {@code null} if it isn't to be found
     */
    private List<ConfigurationPropertySource> layer(
            Function<ConfigurationPropertyName, @Nullable ConfigurationPropertyName> place) {
        return sources.stream()
                .<ConfigurationPropertySource>map(source -> key -> {
                    ConfigurationPropertyName name = place.apply(key);
                    return name == null ? null : source.getConfigurationProperty(name);
                })
                .toList();
    }

    private LeaseProperties bind(List<ConfigurationPropertySource> layers, BindHandler handler) {
        return new Binder(layers, placeholders)
                .bindOrCreate(ConfigurationPropertyName.EMPTY, Bindable.of(LeaseProperties.class), handler);
    }

    /** A lease without keys, {@code reports:} or {@code reports: {}} in YAML, is an empty text. */
    private void refuseAValue(String name, ConfigurationPropertyName prefix) {
        ConfigurationProperty written = find(sources, prefix);
        if (written != null && !String.valueOf(written.getValue()).isEmpty()) {
            throw new InvalidConfigurationException(
                    "cle.leases." + name,
                    String.valueOf(written.getValue()),
                    "a lease has keys of its own, such as cle.leases." + name + ".namespace, and no value",
                    "Write cle.leases." + name + "= without a value for a lease with the settings of the main one.");
        }
    }

    private static @Nullable ConfigurationProperty find(
            List<ConfigurationPropertySource> sources, ConfigurationPropertyName name) {
        for (ConfigurationPropertySource source : sources) {
            ConfigurationProperty found = source.getConfigurationProperty(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}

package io.cle.spring.properties.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

import io.cle.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PlaceholdersResolver;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Binds the properties of leases. A further lease is bound from two layers, its own properties above the default lease's, so that it
 * inherits key by key, except its name, its number of shards and its group.
 */
public final class LeaseBinder {

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("cle");
    private static final ConfigurationPropertyName LEASES = ROOT.append("leases");
    private static final ConfigurationPropertyName SHARDS = ConfigurationPropertyName.of("shards");
    private static final Set<ConfigurationPropertyName> NOT_INHERITED =
            Set.of(ConfigurationPropertyName.of("lease-name"), SHARDS, ConfigurationPropertyName.of("group"));

    private final List<ConfigurationPropertySource> sources = new ArrayList<>();
    private final PlaceholdersResolver placeholders;

    /**
     * The bound properties of one lease.
     *
     * @param name the key under {@code cle.leases}; {@code null} for the default lease
     * @param values the lease's own values, and the default lease's for the other keys
     * @param isOwn whether a key is the lease's own
     * @param written the unconverted value of a key; {@code null} if no source has it
     */
    public record Bound(
            @Nullable String name,
            LeaseProperties values,
            Predicate<String> isOwn,
            Function<String, @Nullable Object> written) {

        /** Returns the value of a key with the full name of the property that has the value or the default. */
        <T> Setting<T> setting(String key, T value) {
            return new Setting<>((isOwn.test(key) ? "cle.leases." + name + "." : "cle.") + key, value);
        }

        /** Returns the value of a key that need not be set. */
        <T> Setting<Optional<T>> optional(String key, @Nullable T value) {
            return setting(key, Optional.ofNullable(value));
        }

        /** Returns the name of the Lease, which isn't inherited. */
        Setting<Optional<String>> leaseName() {
            return notInherited("lease-name", values.leaseName());
        }

        /** Returns the number of shards, which isn't inherited. */
        Setting<Optional<Integer>> shards() {
            return notInherited("shards", values.shards());
        }

        private <T> Setting<Optional<T>> notInherited(String key, @Nullable T value) {
            return new Setting<>(
                    name == null ? "cle." + key : "cle.leases." + name + "." + key, Optional.ofNullable(value));
        }

        /** Returns the group of leases, which isn't inherited. */
        Setting<Optional<String>> group() {
            return notInherited("group", values.group());
        }

        /** Returns the property because of which a coordinator spreads leases over the replicas; empty if the lease is led by the best candidate. */
        Optional<Setting<?>> spreadBy() {
            if (shards().value().isPresent()) {
                return Optional.of(shards());
            }
            return group().value().isPresent() ? Optional.of(group()) : Optional.empty();
        }
    }

    /** Binds from an environment. */
    public LeaseBinder(Environment environment) {
        ConfigurationPropertySources.get(environment).forEach(sources::add);
        placeholders = new PropertySourcesPlaceholdersResolver(environment);
    }

    /** Returns the keys under {@code cle.leases}. */
    public Set<String> names() {
        return prefixes().keySet();
    }

    /** Returns those of the {@link #names()} that are led in parts. */
    public Set<String> sharded() {
        Set<String> sharded = new LinkedHashSet<>();
        prefixes().forEach((name, prefix) -> {
            if (find(layer(prefix::append), SHARDS) != null) {
                sharded.add(name);
            }
        });
        return sharded;
    }

    /**
     * Returns the leases' names, each with the prefix of its properties. Names of environment variables have neither dashes nor case:
     * {@code CLE_LEASES_DAILYREPORTS_…} is a property of the lease {@code daily-reports} if another source, such as a file, has one.
     */
    private Map<String, ConfigurationPropertyName> prefixes() {
        Map<String, ConfigurationPropertyName> prefixes = new LinkedHashMap<>();
        sources.stream()
                .sorted(Comparator.comparing(LeaseBinder::isEnvironment))
                .filter(IterableConfigurationPropertySource.class::isInstance)
                .flatMap(source -> ((IterableConfigurationPropertySource) source).stream())
                .filter(LEASES::isAncestorOf)
                .map(name -> name.chop(LEASES.getNumberOfElements() + 1))
                .distinct()
                .forEach(prefix ->
                        prefixes.putIfAbsent(prefix.getLastElement(ConfigurationPropertyName.Form.ORIGINAL), prefix));
        return prefixes;
    }

    private static boolean isEnvironment(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
    }

    /** Returns the default lease and those under {@code cle.leases}, in this order. */
    public List<Bound> all() {
        List<Bound> leases = new ArrayList<>();
        List<ConfigurationPropertySource> main = layer(ROOT::append);
        leases.add(new Bound(null, bind(main, BindHandler.DEFAULT), key -> false, key -> value(main, key)));
        prefixes().forEach((name, prefix) -> {
            refuseAValue(name, prefix);
            leases.add(further(name, layer(prefix::append), BindHandler.DEFAULT));
        });
        return leases;
    }

    /**
     * Binds a lease whose own properties aren't under {@code cle.leases}.
     *
     * @param own by the keys that are used there
     * @throws InvalidConfigurationException if one of them is unknown or has a value that can't be used
     */
    public Bound further(String name, Map<String, String> own) {
        try {
            return further(
                    name,
                    List.of(new MapConfigurationPropertySource(own)),
                    new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
        } catch (BindException e) {
            if (e.getCause() instanceof UnboundConfigurationPropertiesException unknown) {
                throw unknown(name, unknown.getUnboundProperties().iterator().next());
            }
            String key = e.getName().toString();
            throw new InvalidConfigurationException(
                    "cle.leases." + name + (key.isEmpty() ? "" : "." + key),
                    own.get(key),
                    "can't be used: "
                            + NestedExceptionUtils.getMostSpecificCause(e).getMessage(),
                    "Use the keys and values of cle.leases.<name>.");
        }
    }

    private static InvalidConfigurationException unknown(String lease, ConfigurationProperty written) {
        String property = "cle.leases." + lease + "." + written.getName();
        return new InvalidConfigurationException(
                property,
                String.valueOf(written.getValue()),
                "there is no such property",
                "Use the keys of cle.leases.<name>, which docs/reference.md lists.");
    }

    private Bound further(String name, List<ConfigurationPropertySource> own, BindHandler handler) {
        List<ConfigurationPropertySource> layers = new ArrayList<>(own);
        layers.addAll(layer(key -> NOT_INHERITED.contains(key) ? null : ROOT.append(key)));
        return new Bound(
                name,
                bind(layers, handler),
                key -> value(own, key) != null || value(own, key + "[0]") != null,
                key -> value(layers, key));
    }

    /**
     * Returns the sources as seen from a prefix.
     *
     * @param place returns the full name of a key; {@code null} to hide the key
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

    /**
     * Refuses a lease with a value. A lease without keys, {@code reports:} or {@code reports: {}} in YAML, is an empty text, which is
     * allowed.
     */
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

    private static @Nullable Object value(List<ConfigurationPropertySource> sources, String key) {
        ConfigurationProperty found = find(sources, ConfigurationPropertyName.of(key));
        return found == null ? null : found.getValue();
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

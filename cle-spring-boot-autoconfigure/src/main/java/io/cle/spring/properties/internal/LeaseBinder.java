package io.cle.spring.properties.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import io.cle.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PlaceholdersResolver;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Binds the properties of leases. A further lease is bound from two layers, its own properties above the default
 * lease's. It inherits key by key, except the name, the number of shards and the group.
 */
public final class LeaseBinder {

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("cle");
    private static final ConfigurationPropertyName LEASES = ROOT.append("leases");
    private static final Set<String> NOT_INHERITED = Set.of("lease-name", "shards", "group");

    private final List<ConfigurationPropertySource> sources = new ArrayList<>();
    private final PlaceholdersResolver placeholders;

    /**
     * The bound properties of one lease.
     *
     * @param name the key under {@code cle.leases}; {@code null} for the default lease
     * @param prefix the prefix of its own properties' names
     * @param values the lease's own values, and the default lease's for the other keys
     * @param raw the unconverted value of a key; {@code null} if no source has it
     */
    public record Bound(
            @Nullable String name, String prefix, LeaseProperties values, Function<String, @Nullable Object> raw) {

        /** Returns the full name of a property of the lease. */
        String property(String key) {
            return prefix + key;
        }

        /** Returns the property that names the lease. */
        String nameProperty() {
            if (values.leaseName() != null) {
                return property("lease-name");
            }
            return name == null ? "spring.application.name" : prefix.substring(0, prefix.length() - 1);
        }

        /** Describes the property of a key with its value. */
        String written(String key, @Nullable Object value) {
            return property(key) + " (" + Setting.text(value) + ")";
        }

        /** Fails if the value of a key is wrong. */
        void refuse(boolean wrong, String key, @Nullable Object value, String reason, String action) {
            if (wrong) {
                throw problem(key, value, reason, action);
            }
        }

        /** Fails if there is a problem with the value of a key. */
        void refuse(Optional<String> problem, String key, Object value, String action) {
            problem.ifPresent(reason -> refuse(true, key, value, reason, action));
        }

        /** Returns the exception for a key's value. */
        InvalidConfigurationException problem(String key, @Nullable Object value, String reason, String action) {
            return new InvalidConfigurationException(property(key), Setting.text(value), reason, action);
        }

        /** Returns the key that makes a coordinator spread leases, {@code shards} or {@code group}; {@code null} if the best candidate leads. */
        @Nullable
        String spreadBy() {
            return values.shards() != null ? "shards" : values.group() != null ? "group" : null;
        }

        /** Returns the value of {@link #spreadBy()}. */
        @Nullable
        Object spread() {
            return values.shards() != null ? values.shards() : values.group();
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

    /** Returns those of the {@link #names()} that have shards. */
    public Set<String> sharded() {
        Map<String, ConfigurationPropertyName> prefixes = prefixes();
        prefixes.values().removeIf(prefix -> value(layer(prefix::append), "shards") == null);
        return prefixes.keySet();
    }

    /**
     * Returns the leases' names, each with the prefix of its properties. Names of environment variables have neither
     * dashes nor case: {@code CLE_LEASES_DAILYREPORTS_…} is a property of the lease {@code daily-reports} if another
     * source, such as a file, has a property of that lease.
     */
    private Map<String, ConfigurationPropertyName> prefixes() {
        Map<String, ConfigurationPropertyName> prefixes = new LinkedHashMap<>();
        sources.stream()
                .sorted(Comparator.comparing(
                        source -> source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource))
                .filter(IterableConfigurationPropertySource.class::isInstance)
                .flatMap(source -> ((IterableConfigurationPropertySource) source).stream())
                .filter(LEASES::isAncestorOf)
                .map(name -> name.chop(LEASES.getNumberOfElements() + 1))
                .distinct()
                .forEach(prefix ->
                        prefixes.putIfAbsent(prefix.getLastElement(ConfigurationPropertyName.Form.ORIGINAL), prefix));
        return prefixes;
    }

    /** Returns the default lease and those under {@code cle.leases}, in this order. */
    public List<Bound> all() {
        List<Bound> leases = new ArrayList<>();
        List<ConfigurationPropertySource> main = layer(ROOT::append);
        leases.add(new Bound(null, "cle.", bind(main), key -> value(main, key)));
        prefixes()
                .forEach(
                        (name, prefix) -> leases.add(further(name, "cle.leases." + name + ".", layer(prefix::append))));
        return leases;
    }

    /**
     * Binds a lease whose own properties aren't under {@code cle.leases}.
     *
     * @param prefix the prefix of its own properties' names
     * @param own its own properties, without the prefix
     */
    public Bound further(String name, String prefix, Map<String, String> own) {
        return further(name, prefix, List.of(new MapConfigurationPropertySource(own)));
    }

    private Bound further(String name, String prefix, List<ConfigurationPropertySource> own) {
        List<ConfigurationPropertySource> layers = new ArrayList<>(own);
        layers.addAll(layer(key -> NOT_INHERITED.contains(key.toString()) ? null : ROOT.append(key)));
        return new Bound(name, prefix, bind(layers), key -> value(layers, key));
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

    private LeaseProperties bind(List<ConfigurationPropertySource> layers) {
        return new Binder(layers, placeholders).bindOrCreate("", Bindable.of(LeaseProperties.class));
    }

    private static @Nullable Object value(List<ConfigurationPropertySource> sources, String key) {
        ConfigurationPropertyName name = ConfigurationPropertyName.of(key);
        return sources.stream()
                .map(source -> source.getConfigurationProperty(name))
                .filter(Objects::nonNull)
                .map(ConfigurationProperty::getValue)
                .findFirst()
                .orElse(null);
    }
}

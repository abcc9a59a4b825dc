package io.cle.strategy.internal;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeSet;

import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.ElectionStrategy;

/** The strategies that a coordinator knows, by name. Immutable and thread-safe. */
public final class Strategies {

    /** The prefix of our strategies in the native format; kube-apiserver leaves strategies with a prefix to third-party coordinators. */
    public static final String NATIVE_PREFIX = "coordination.cle.io/";

    /** The older name of {@code OldestCompatibilityVersion} (protocol.md#which-strategy-applies). */
    public static final String OLDER_NAME_OF_OLDEST = "MinimumCompatibilityVersion";

    /**
     * kube-apiserver's own strategy in the native format: kube-apiserver elects, and our coordinator doesn't. In the crd format, where
     * kube-apiserver doesn't elect, this is an alias of {@code OldestCompatibilityVersion}, as {@link #OLDER_NAME_OF_OLDEST} is.
     */
    public static final String KUBE_APISERVERS_OWN = "OldestEmulationVersion";

    private final Map<String, ElectionStrategy> byName = new LinkedHashMap<>();

    /**
     * Creates the built-in strategies and further ones.
     *
     * @throws IllegalArgumentException if two have the same name
     */
    public Strategies(Collection<? extends ElectionStrategy> further) {
        for (ElectionStrategy strategy : BuiltInStrategy.values()) {
            byName.put(strategy.wireName(), strategy);
        }
        byName.put(OLDER_NAME_OF_OLDEST, BuiltInStrategy.OLDEST_COMPATIBILITY_VERSION);
        for (ElectionStrategy strategy : further) {
            ElectionStrategy other = byName.putIfAbsent(strategy.wireName(), strategy);
            if (other != null) {
                throw new IllegalArgumentException("two strategies are named '" + strategy.wireName() + "': "
                        + other.getClass().getName() + " and "
                        + strategy.getClass().getName() + "; rename one or take it off the class path");
            }
        }
    }

    /** Returns the built-in strategies. */
    public static Strategies builtIn() {
        return new Strategies(List.of());
    }

    /**
     * Returns the built-in strategies and those that {@link ServiceLoader} finds with a class loader.
     *
     * @throws IllegalArgumentException when two have the same name
     * @throws java.util.ServiceConfigurationError if a listed class can't be instantiated
     */
    public static Strategies onPathOf(ClassLoader loader) {
        return new Strategies(ServiceLoader.load(ElectionStrategy.class, loader).stream()
                .map(ServiceLoader.Provider::get)
                .toList());
    }

    /** Returns the strategy with a name, with or without {@link #NATIVE_PREFIX}; empty if there is none. */
    public Optional<ElectionStrategy> find(String name) {
        String plain = name.startsWith(NATIVE_PREFIX) ? name.substring(NATIVE_PREFIX.length()) : name;
        return Optional.ofNullable(byName.get(plain));
    }

    /** Returns the names of all strategies in alphabetical order, for messages. */
    public Collection<String> names() {
        return Collections.unmodifiableSet(new TreeSet<>(byName.keySet()));
    }
}

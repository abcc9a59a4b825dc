package io.cle.coordinator.settings;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;

/**
 * Puts the slashes back into the keys of {@code cle.coordinator.strategies}. Spring Boot keeps them only in keys that are
 * written in brackets, and drops them from {@code cle.coordinator.strategies.shop/orders} without a word.
 */
public final class StrategyKeys {

    private static final String PREFIX = "cle.coordinator.strategies.";
    private static final String DROPPED = "[^A-Za-z0-9.-]";

    private StrategyKeys() {}

    /**
     * The strategies under the keys as they were written.
     *
     * @param bound the strategies as Spring Boot has bound them
     * @param environment where they were bound from
     */
    public static Map<String, String> restore(Map<String, String> bound, ConfigurableEnvironment environment) {
        Map<String, String> restored = new LinkedHashMap<>(bound);
        environment.getPropertySources().stream()
                .flatMap(source -> source instanceof EnumerablePropertySource<?> enumerable
                        ? Stream.of(enumerable.getPropertyNames())
                        : Stream.empty())
                .filter(name -> name.startsWith(PREFIX) && name.indexOf('/') > 0)
                .map(name -> name.substring(PREFIX.length()))
                .forEach(key -> {
                    String strategy = restored.remove(key.replaceAll(DROPPED, ""));
                    if (strategy != null) {
                        restored.putIfAbsent(key, strategy);
                    }
                });
        return restored;
    }
}

package io.cle.kubernetes;

import io.cle.strategy.Strategies;
import org.jspecify.annotations.Nullable;

/**
 * Names of strategies in the native format: ours have a prefix, which makes kube-apiserver leave them to us; its own has none,
 * and other parties' have theirs.
 */
final class NativeStrategies {

    private static final String KUBERNETES_OWN = "OldestEmulationVersion";

    private NativeStrategies() {}

    static @Nullable String encode(@Nullable String strategy) {
        return strategy == null || strategy.equals(KUBERNETES_OWN) || strategy.indexOf('/') >= 0
                ? strategy
                : Strategies.NATIVE_PREFIX + strategy;
    }

    static @Nullable String decode(@Nullable String strategy) {
        if (strategy == null || strategy.isEmpty()) {
            return null;
        }
        return strategy.startsWith(Strategies.NATIVE_PREFIX)
                ? strategy.substring(Strategies.NATIVE_PREFIX.length())
                : strategy;
    }
}

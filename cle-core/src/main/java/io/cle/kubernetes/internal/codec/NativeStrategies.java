package io.cle.kubernetes.internal.codec;

import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.internal.Strategies;
import org.jspecify.annotations.Nullable;

/**
 * Names of strategies in the native format. Our strategies have a prefix, so kube-apiserver doesn't elect for them; its own strategy has no
 * prefix, and other parties use their own prefixes.
 */
final class NativeStrategies {

    private static final String KUBERNETES_OWN = Strategies.KUBE_APISERVERS_OWN;

    private NativeStrategies() {}

    static @Nullable String encode(@Nullable String strategy) {
        return strategy == null || strategy.equals(KUBERNETES_OWN) || strategy.indexOf('/') >= 0
                ? strategy
                : Strategies.NATIVE_PREFIX + strategy;
    }

    /**
     * Returns the name that a candidate announces. The default strategy of the crd format becomes kube-apiserver's own, so that
     * kube-apiserver elects without our coordinator. A candidate requests our strategy for the oldest version by its prefixed name.
     */
    static @Nullable String announced(String strategy) {
        boolean oldest = strategy.equals(BuiltInStrategy.OLDEST_COMPATIBILITY_VERSION.wireName())
                || strategy.equals(Strategies.OLDER_NAME_OF_OLDEST);
        return oldest ? KUBERNETES_OWN : encode(strategy);
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

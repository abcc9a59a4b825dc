package io.cle.kubernetes.internal.codec;

import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.internal.Strategies;
import io.cle.strategy.internal.StrategyRule;
import org.jspecify.annotations.Nullable;

/**
 * Names of strategies in the native format: ours have a prefix, which makes kube-apiserver leave them to us; its own has none,
 * and other parties' have theirs.
 */
final class NativeStrategies {

    private static final String KUBERNETES_OWN = StrategyRule.KUBE_APISERVERS_OWN;

    private NativeStrategies() {}

    static @Nullable String encode(@Nullable String strategy) {
        return strategy == null || strategy.equals(KUBERNETES_OWN) || strategy.indexOf('/') >= 0
                ? strategy
                : Strategies.NATIVE_PREFIX + strategy;
    }

    /**
     * What a candidate announces. The default of the crd format is kube-apiserver's own strategy here, so that it elects without
     * a coordinator of ours; a candidate requests ours for the oldest version with its prefix.
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

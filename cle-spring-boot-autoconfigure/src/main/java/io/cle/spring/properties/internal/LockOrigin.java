package io.cle.spring.properties.internal;

import java.util.function.BooleanSupplier;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.Environment;

/**
 * The origin of this process's locks. It is decided when the application starts, not by conditions: ahead-of-time
 * processing evaluates those on the build machine, and if that isn't a pod, every replica would lead.
 */
public enum LockOrigin {
    /** A cluster, whose election this process joins. */
    CLUSTER,
    /** This process, which joins no election and leads at once, like every other process that is started in the same way. */
    PROCESS,
    /** A test that has replaced the bean, for example by a mock. No cluster is needed or looked for. */
    TEST;

    /**
     * Determines the origin of this application's locks. Must be called before the lock's settings are created: a lock
     * that exists earlier is a test's. A condition can't detect it, because Spring's tests replace a bean after the
     * conditions of auto-configurations were evaluated.
     *
     * @param clusterIsNamedByBean whether a bean of the application names its cluster; called only if needed
     */
    public static LockOrigin of(
            CleProperties properties,
            Environment environment,
            ConfigurableListableBeanFactory factory,
            BooleanSupplier clusterIsNamedByBean) {
        if (factory.containsSingleton("coordinatedLeaseLock")) {
            return TEST;
        }
        if (!properties.enabled()) {
            return PROCESS;
        }
        return switch (properties.mode()) {
            case KUBERNETES -> CLUSTER;
            case STANDALONE -> PROCESS;
            case AUTO ->
                CloudPlatform.KUBERNETES.isActive(environment)
                                || properties.kubernetes().written().isPresent()
                                || clusterIsNamedByBean.getAsBoolean()
                        ? CLUSTER
                        : PROCESS;
        };
    }

    /** Returns whether this process joins a cluster's election. */
    public boolean isCluster() {
        return this == CLUSTER;
    }
}

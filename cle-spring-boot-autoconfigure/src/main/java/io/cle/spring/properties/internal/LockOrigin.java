package io.cle.spring.properties.internal;

import java.util.function.BooleanSupplier;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.Environment;

/**
 * The origin of this process's locks. Decided when the application starts and not by conditions, because an application that is processed
 * ahead of time evaluates conditions on the machine that builds it: built outside a pod, every replica would lead.
 */
public enum LockOrigin {
    /** A cluster, whose election this process joins. */
    CLUSTER,
    /** This process, which joins no election and leads at once, like every other process that is started in the same way. */
    PROCESS,
    /** A test, which has replaced the bean, for example by a mock. No cluster is needed, and none is looked for. */
    TEST;

    /**
     * Determines the origin of this application's locks. Must be called before the settings from which the lock is created: a lock that
     * exists before is a test's. Spring's tests replace a bean after the conditions of auto-configurations were evaluated, so that a
     * condition can't notice.
     *
     * @param clusterIsNamedByBean whether a bean of the application names its cluster; called only if that matters
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

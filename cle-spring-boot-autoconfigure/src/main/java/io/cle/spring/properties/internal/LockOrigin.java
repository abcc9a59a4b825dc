package io.cle.spring.properties.internal;

import java.util.function.BooleanSupplier;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.Environment;

/**
 * Where the locks of this process come from. Decided when the application starts and not by conditions, which an application that is
 * processed ahead of time evaluates on the machine that builds it: built outside a pod, every replica would lead by itself.
 */
public enum LockOrigin {
    /** A cluster, whose election this process joins. */
    CLUSTER,
    /** This process: it leads by itself, and so does every other one that is started like it. */
    PROCESS,
    /** A test, which has replaced the bean, for example by a mock. No cluster is needed, and none is looked for. */
    TEST;

    /**
     * Decides where this application's locks come from. To be called before the settings are made, which the lock is made of: if the lock is
     * there already, it is a test's. Spring's tests replace a bean after the conditions of auto-configurations were evaluated, so that a
     * condition can't tell.
     *
     * @param clusterIsNamedByBean whether a bean of the application says where its cluster is; asked only where it matters
     */
    public static LockOrigin of(
            CleProperties properties,
            Environment environment,
            ConfigurableListableBeanFactory factory,
            BooleanSupplier clusterIsNamedByBean) {
        if (factory.containsSingleton("coordinatedLeaseLock")) {
            return TEST;
        }
        return switch (properties.mode()) {
            case KUBERNETES -> CLUSTER;
            case STANDALONE -> PROCESS;
            case AUTO ->
                CloudPlatform.KUBERNETES.isActive(environment)
                                || !properties.kubernetes().written().isEmpty()
                                || clusterIsNamedByBean.getAsBoolean()
                        ? CLUSTER
                        : PROCESS;
        };
    }

    /** Whether this process joins a cluster's election. */
    public boolean isCluster() {
        return this == CLUSTER;
    }
}

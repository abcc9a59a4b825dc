package io.cle.spring.properties.internal;

import java.util.function.BooleanSupplier;

import io.cle.spring.properties.Mode;

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
     * Decides.
     *
     * @param replaced whether a test has replaced the lock
     * @param mode as it is configured
     * @param inPod whether this process runs in a pod
     * @param clusterIsNamed whether a property or a bean of the application says where its cluster is; asked only where it matters
     */
    public static LockOrigin of(boolean replaced, Mode mode, boolean inPod, BooleanSupplier clusterIsNamed) {
        if (replaced) {
            return TEST;
        }
        return switch (mode) {
            case KUBERNETES -> CLUSTER;
            case STANDALONE -> PROCESS;
            case AUTO -> inPod || clusterIsNamed.getAsBoolean() ? CLUSTER : PROCESS;
        };
    }

    /** Whether this process joins a cluster's election. */
    public boolean isCluster() {
        return this == CLUSTER;
    }
}

package io.cle.spring.properties;

/** The source of leadership ({@code cle.mode}). */
public enum Mode {
    /**
     * {@link #KUBERNETES} in a pod, and if the application names a cluster; otherwise {@link #STANDALONE}, so that a program that is
     * started on a laptop doesn't take leadership in the cluster that the kubeconfig happens to name.
     */
    AUTO,
    /** A Lease in a Kubernetes cluster. */
    KUBERNETES,
    /** None: there is no cluster, and this process leads at once. For development and single instances. */
    STANDALONE
}

package io.cle.spring.properties;

/** Where leadership comes from ({@code cle.mode}). */
public enum Mode {
    /**
     * As {@link #KUBERNETES} in a pod, and wherever the application says which cluster it means; elsewhere as {@link #STANDALONE}: a
     * program that is started on a laptop doesn't take the leadership of the cluster that the kubeconfig there happens to name.
     */
    AUTO,
    /** From a Lease in a Kubernetes cluster. */
    KUBERNETES,
    /** From nowhere: there is no cluster, and this process leads at once. For development and single instances. */
    STANDALONE
}

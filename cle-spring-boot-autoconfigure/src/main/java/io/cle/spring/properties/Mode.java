package io.cle.spring.properties;

/** Where leadership comes from ({@code cle.mode}). */
public enum Mode {
    /** From a Lease in a Kubernetes cluster. */
    KUBERNETES,
    /** From nowhere: there is no cluster, and this process leads at once. For development and single instances. */
    STANDALONE
}

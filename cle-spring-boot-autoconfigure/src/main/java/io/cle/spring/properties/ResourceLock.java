package io.cle.spring.properties;

/** What is led by ({@code cle.resource-lock}); the names are those of Kubernetes' {@code --leader-elect-resource-lock}. */
public enum ResourceLock {
    /** A Lease that a coordinator gives to the best candidate (KEP-4355). */
    COORDINATEDLEASES,
    /** A Lease that processes race for, as client-go's do. */
    LEASES,
    /** The legacy annotation of an Endpoints object. */
    ENDPOINTS,
    /** The legacy annotation of a ConfigMap object. */
    CONFIGMAPS;

    /** Whether candidates are announced and a coordinator elects. */
    public boolean coordinated() {
        return this == COORDINATEDLEASES;
    }
}

package io.cle.spring.properties;

/** In which wire format candidates are announced ({@code cle.api}). */
public enum ApiSelection {
    /** The native one where the API server serves it, else the CRD. */
    AUTO,
    /** {@code coordination.cle.io/v1alpha1}. */
    CRD,
    /** {@code coordination.k8s.io/v1beta1}. */
    NATIVE
}

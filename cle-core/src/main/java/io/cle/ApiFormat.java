package io.cle;

/** In which wire format candidates and coordinated leases are written. */
public enum ApiFormat {
    /** {@code coordination.cle.io/v1alpha1} LeaseCandidates; annotations carry what a Lease has no field for. */
    CRD,
    /** {@code coordination.k8s.io} LeaseCandidates, in the newest version that is served, {@code spec.strategy} and {@code spec.preferredHolder}. */
    NATIVE
}

package io.cle;

import java.util.Locale;

/** The wire format of candidates and coordinated leases. */
public enum ApiFormat {
    /** {@code coordination.cle.io/v1alpha1} LeaseCandidates; annotations hold the data that a Lease has no field for. */
    CRD,
    /** {@code coordination.k8s.io} LeaseCandidates, in the newest served version, with {@code spec.strategy} and {@code spec.preferredHolder}. */
    NATIVE;

    /** Returns the name in properties, the endpoint and logs: {@code crd}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}

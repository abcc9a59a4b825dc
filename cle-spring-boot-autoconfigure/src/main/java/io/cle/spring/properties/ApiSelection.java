package io.cle.spring.properties;

import java.util.Optional;

import io.cle.ApiFormat;

/** The wire format of candidates ({@code cle.api}). */
public enum ApiSelection {
    /** The native one where the API server serves it, else the CRD. */
    AUTO,
    /** {@code coordination.cle.io/v1alpha1}. */
    CRD,
    /** {@code coordination.k8s.io}, in the newest version that the API server serves. */
    NATIVE;

    /** Returns the format that is set; empty if discovery decides. */
    public Optional<ApiFormat> pinned() {
        return switch (this) {
            case AUTO -> Optional.empty();
            case CRD -> Optional.of(ApiFormat.CRD);
            case NATIVE -> Optional.of(ApiFormat.NATIVE);
        };
    }
}

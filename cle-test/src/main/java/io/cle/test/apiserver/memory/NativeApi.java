package io.cle.test.apiserver.memory;

/** How much of Kubernetes' own coordinated leader election a server offers. */
public enum NativeApi {
    /** None: LeaseCandidates aren't served, and the new fields of Leases are silently dropped. */
    NOT_SERVED,

    /**
     * LeaseCandidates are served, but the new fields of Leases are silently dropped: a server with the API enabled and
     * the feature gate off. Discovery can't distinguish it from {@link #SERVED}.
     */
    SERVED_WITHOUT_THE_GATE,

    /** LeaseCandidates, and {@code spec.strategy} and {@code spec.preferredHolder} of Leases. */
    SERVED
}

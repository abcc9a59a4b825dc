package io.cle.test.apiserver.memory;

/** How much of Kubernetes' own coordinated leader election a server offers. */
public enum NativeApi {
    /** None: the LeaseCandidates aren't there, and what is new in Leases is dropped without a word. */
    NOT_SERVED,

    /**
     * The LeaseCandidates are there, but what is new in Leases is dropped without a word: a server with the API enabled and
     * the feature gate off. Discovery can't tell it from {@link #SERVED}.
     */
    SERVED_WITHOUT_THE_GATE,

    /** LeaseCandidates, and {@code spec.strategy} and {@code spec.preferredHolder} of Leases. */
    SERVED
}

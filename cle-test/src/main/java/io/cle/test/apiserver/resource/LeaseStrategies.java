package io.cle.test.apiserver.resource;

import java.util.List;

import io.cle.test.apiserver.status.StatusCause;

/** Validates {@code spec.strategy} of Leases and native LeaseCandidates. */
final class LeaseStrategies {

    /** The only strategy that Kubernetes' own coordinator knows. */
    static final String OLDEST_EMULATION_VERSION = "OldestEmulationVersion";

    private LeaseStrategies() {}

    /** A name without a domain must be one of Kubernetes' own; a name with a domain may be any. */
    static void validate(String strategy, List<StatusCause> causes) {
        // kube-apiserver repeats the field.
        String field = "spec.strategy.strategy";
        if (strategy.indexOf('/') < 0) {
            if (!strategy.equals(OLDEST_EMULATION_VERSION)) {
                causes.add(StatusCause.unsupported(field, strategy, '"' + OLDEST_EMULATION_VERSION + '"'));
            }
            return;
        }
        MetadataRules.validateKey(field, strategy, causes);
    }
}

package io.cle.spring.kubernetes.internal;

import java.util.Optional;

import io.cle.spring.lock.internal.ElectionSettings;

/** Tells in which wire format the candidates of a lease stand, and why. Thread-safe. */
@FunctionalInterface
public interface CandidateFormats {

    /** Where there is no cluster, and so no format. */
    CandidateFormats NONE = unused -> Optional.empty();

    /**
     * The format of a lease's candidates; empty for a lease without candidates, or that there isn't.
     *
     * @param lease the lease's name
     */
    Optional<ChosenFormat> of(String lease);

    /** The formats of the leases of an application. */
    static CandidateFormats of(ClusterClient cluster, ElectionSettings settings) {
        return name -> settings.find(name).flatMap(cluster::chosenFormat);
    }
}

package io.cle.spring.kubernetes.internal;

import java.util.Optional;

import io.cle.ApiFormat;
import io.cle.spring.lock.internal.Lease;
import org.jspecify.annotations.Nullable;

/** Tells in which wire format the candidates of a lease stand, and why. Thread-safe. */
@FunctionalInterface
public interface CandidateFormats {

    /**
     * The wire format of the candidates of a lease.
     *
     * @param format the format; {@code null} while the API server hasn't said what it serves
     * @param reason for a person: why it is this one, or why it isn't known
     */
    record Chosen(@Nullable ApiFormat format, String reason) {}

    /** Where there is no cluster, and so no format. */
    CandidateFormats NONE = unused -> Optional.empty();

    /** Returns the format of a lease's candidates; empty for a lease without candidates, or whose lock the application brings itself. */
    Optional<Chosen> of(Lease lease);

    /**
     * Returns the formats of the leases in a cluster.
     *
     * @param cluster {@code null} if this process joins no cluster
     */
    static CandidateFormats in(@Nullable ClusterClient cluster) {
        return cluster == null
                ? NONE
                : lease -> Optional.ofNullable(lease.settings()).flatMap(cluster::chosenFormat);
    }
}

package io.cle.spring.kubernetes.internal;

import java.util.Optional;

import io.cle.ApiFormat;
import io.cle.spring.lock.internal.Lease;
import org.jspecify.annotations.Nullable;

/** Returns the wire format of a lease's candidates, with the reason. Thread-safe. */
@FunctionalInterface
public interface CandidateFormats {

    /**
     * The wire format of the candidates of a lease.
     *
     * @param format the format; {@code null} until the API server has answered which formats it serves
     * @param reason why this format is used, or why it isn't known, for people to read
     */
    record Chosen(@Nullable ApiFormat format, String reason) {}

    /** Without a cluster there is no format. */
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

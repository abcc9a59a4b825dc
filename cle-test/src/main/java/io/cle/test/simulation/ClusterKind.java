package io.cle.test.simulation;

import java.time.Duration;

import io.cle.kubernetes.DirectLock;
import io.cle.kubernetes.ResourceType;
import org.jspecify.annotations.Nullable;

/** How the candidates of a simulated cluster come to a leader. */
public enum ClusterKind {
    /** Coordinators elect, in the crd format. */
    COORDINATED,
    /** Candidates race for a Lease. */
    LEASES,
    /** Candidates race for a record in an annotation of an Endpoints object. */
    ENDPOINTS,
    /** Candidates race for a record in an annotation of a ConfigMap object. */
    CONFIG_MAPS,
    /** Candidates of coordinators, candidates that race and client-go's electors, all on one Lease, as during a migration. */
    MIGRATION;

    /** Whether coordinators elect. */
    boolean coordinated() {
        return this == COORDINATED || this == MIGRATION;
    }

    /** What candidates race for; null where coordinators elect. */
    @Nullable
    DirectLock direct() {
        return switch (this) {
            case LEASES, MIGRATION -> DirectLock.LEASES;
            case ENDPOINTS -> DirectLock.ENDPOINTS;
            case CONFIG_MAPS -> DirectLock.CONFIGMAPS;
            default -> null;
        };
    }

    /** The smallest step in which a renewal's time can be written; records have whole seconds. */
    Duration renewTimeStep() {
        return resource().equals(ResourceType.LEASES) ? Duration.ofNanos(1000) : Duration.ofSeconds(1);
    }

    /** Where the lease stands. */
    ResourceType resource() {
        return switch (this) {
            case ENDPOINTS -> ResourceType.ENDPOINTS;
            case CONFIG_MAPS -> ResourceType.CONFIG_MAPS;
            default -> ResourceType.LEASES;
        };
    }
}

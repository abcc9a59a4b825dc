package io.cle.test.simulation.scenario;

import java.time.Duration;
import java.util.List;

import io.cle.ApiFormat;
import io.cle.ResourceLock;
import io.cle.kubernetes.internal.transport.ResourceType;
import org.jspecify.annotations.Nullable;

/** How a simulated cluster elects a leader. */
public enum ClusterKind {
    /** Coordinators elect, in the crd format. */
    COORDINATED,
    /** Candidates race for a Lease. */
    LEASES,
    /** Candidates race for a record in an annotation of an Endpoints object. */
    ENDPOINTS,
    /** Candidates race for a record in an annotation of a ConfigMap object. */
    CONFIG_MAPS,
    /** Candidates race for a Lease, and those of higher keys ask those of lower ones to yield (KEP-2835). */
    PRIORITIZED,
    /** kube-apiserver elects, in the native format, by its own strategy. */
    NATIVE,
    /** Coordinators elect, in the native format, by strategies that kube-apiserver leaves to them. */
    NATIVE_THIRD_PARTY,
    /** Candidates of coordinators, candidates that race and client-go's electors, all on one Lease, as during a migration. */
    MIGRATION,
    /**
     * Coordinators elect, in the crd format, set up in every way: in all namespaces or in some, by LeaseConfigurations
     * that are edited, among candidates whose pods' status shows their termination late or never, or shows pods as dead whose processes run.
     */
    CONFIGURED,
    /**
     * Coordinators elect while the API server starts and stops serving the native API. Candidates and coordinators start over in the other
     * format when theirs is no longer served.
     */
    CHANGING,
    /** Coordinators elect, and some candidates race, while etcd is restored from backups: resourceVersions run backwards. */
    RESTORED,
    /**
     * Coordinators elect, and some candidates race, through two API servers with one etcd. Each serves watches from its own cache, which lags by
     * seconds; a process may reach another server whenever it connects.
     */
    TWO_API_SERVERS,
    /**
     * The API server serves no candidates at first: the CRD is applied and deleted while processes run. Candidates race without the CRD and join
     * the coordinators' election with it; some notice it earlier than others.
     */
    BARE,
    /**
     * Coordinators spread the shards of one lease over its replicas, some of which ask for another number of shards. Now and then all replicas of
     * one number end, so that the other becomes effective.
     */
    SHARDED,
    /** Coordinators elect the leader of a lease of a group that is renamed in a roll-out: some candidates name the former group, some the new one. */
    RENAMED;

    /** Whether candidates announce themselves. */
    public boolean coordinated() {
        return this == COORDINATED || this == CONFIGURED || grouped() || discovers() || mixed() || nativeFormat();
    }

    /** Whether the lease, or each of its shards, belongs to a group, so that nobody races for it. */
    public boolean grouped() {
        return this == SHARDED || this == RENAMED;
    }

    /** Whether processes ask the API server which candidates it serves, because that changes. */
    public boolean discovers() {
        return this == CHANGING || this == BARE;
    }

    /** Whether some candidates race for the lease for which coordinators elect. */
    public boolean mixed() {
        return this == MIGRATION || this == RESTORED || this == TWO_API_SERVERS;
    }

    /** Whether kube-apiserver serves candidates, and has a controller for them. */
    public boolean nativeFormat() {
        return this == NATIVE || this == NATIVE_THIRD_PARTY;
    }

    /** In which format candidates announce themselves. */
    public ApiFormat format() {
        return nativeFormat() ? ApiFormat.NATIVE : ApiFormat.CRD;
    }

    /** The kind of candidate objects. */
    public ResourceType candidates() {
        return nativeFormat() ? ResourceType.NATIVE_CANDIDATES : ResourceType.CRD_CANDIDATES;
    }

    /** The strategies that candidates may ask for. */
    public List<String> strategies() {
        return switch (this) {
            case NATIVE -> List.of("OldestCompatibilityVersion");
            case NATIVE_THIRD_PARTY ->
                List.of(
                        "NewestCompatibilityVersion",
                        "HighestPriority",
                        "coordination.cle.io/OldestCompatibilityVersion");
            case CHANGING -> List.of("NewestCompatibilityVersion", "HighestPriority");
            case SHARDED -> List.of("Balanced");
            case RENAMED -> List.of("Balanced", "OldestCompatibilityVersion", "HighestPriority");
            default ->
                List.of(
                        "OldestCompatibilityVersion",
                        "OldestCompatibilityVersion",
                        "MinimumCompatibilityVersion",
                        "NewestCompatibilityVersion",
                        "HighestPriority",
                        "NoCoordination");
        };
    }

    /** What candidates race for; null if coordinators elect. */
    @Nullable
    public ResourceLock direct() {
        return switch (this) {
            case LEASES, PRIORITIZED, MIGRATION, RESTORED, TWO_API_SERVERS -> ResourceLock.LEASES;
            case ENDPOINTS -> ResourceLock.ENDPOINTS;
            case CONFIG_MAPS -> ResourceLock.CONFIGMAPS;
            default -> null;
        };
    }

    /** Whether candidates have keys (KEP-2835). */
    public boolean keys() {
        return this == PRIORITIZED;
    }

    /** The smallest step in which a renewal's time can be written; records have whole seconds. */
    public Duration renewTimeStep() {
        return resource().equals(ResourceType.LEASES) ? Duration.ofNanos(1000) : Duration.ofSeconds(1);
    }

    /** The kind of object that holds the lease. */
    public ResourceType resource() {
        ResourceLock direct = direct();
        return direct == null ? ResourceType.LEASES : ResourceType.of(direct);
    }
}

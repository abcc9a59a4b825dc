package io.cle.spring.properties.internal;

import java.time.Duration;
import java.util.List;

import io.cle.ResourceLock;
import io.cle.spring.properties.ApiSelection;
import io.cle.spring.properties.OnLost;
import io.cle.spring.properties.Requirement;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of a lease. The default lease has these keys under {@code cle}. A further lease has them under {@code cle.leases.<name>},
 * and inherits the default lease's value of each key that isn't set there, except the name, the number of shards and the group.
 *
 * @param leaseName Name of the default lease. Defaults to "spring.application.name".
 * @param shards Number of shards of a lease under "cle.leases", which a coordinator spreads evenly over the replicas.
 *     Each shard is a Lease of its own. Not for the default lease, and not inherited from it.
 * @param group Group of leases that a coordinator spreads evenly over the replicas. Not for the default lease, and not inherited from it.
 * @param namespace Namespace of the leases. Defaults to the pod's, else the kubeconfig context's, else "default".
 * @param identity Identity of this process, unique among the candidates for the lease. Defaults to the host name and five
 *     random characters. Candidates are named by the lease, a hyphen and the identity.
 * @param api Wire format of candidates; "auto" asks the API server what it serves.
 * @param resourceLock Kind of lock. A coordinator elects the best candidate for "coordinatedleases"; candidates race for the others.
 * @param leaseDuration How long others wait after the last renewal before they may take the lease; whole seconds.
 * @param renewDeadline How long after its last successful renewal the leader may still lead; below the lease duration.
 * @param retryPeriod How long to wait after a request that failed; below the renew deadline.
 * @param drainTimeout How long to wait for revoked work before the lease is handed over.
 * @param candidate Properties of this process as a candidate.
 * @param fallback Whether and when candidates race for a lease that no coordinator grants. No candidate races for a
 *     shard, or for a lease of a group.
 * @param onLost What to do when leadership is lost; "exit" ends the process. A shard that moves to another replica isn't lost.
 */
@ConfigurationProperties("cle")
public record LeaseProperties(
        @Nullable String leaseName,
        @Nullable Integer shards,
        @Nullable String group,
        @Nullable String namespace,
        @Nullable String identity,
        @DefaultValue("auto") ApiSelection api,
        @DefaultValue("coordinatedleases") ResourceLock resourceLock,
        @DefaultValue("15s") Duration leaseDuration,
        @DefaultValue("10s") Duration renewDeadline,
        @DefaultValue("2s") Duration retryPeriod,
        @DefaultValue("30s") Duration drainTimeout,
        @DefaultValue Candidate candidate,
        @DefaultValue Fallback fallback,
        @DefaultValue("continue") OnLost onLost) {

    /**
     * Properties of this process as a candidate.
     *
     * @param enabled Whether this process may be elected. If not, it follows the lease: it knows the leader and receives OnLeaderChanged.
     * @param requires Which availability state of the application a candidate needs: "readiness" (which includes liveness),
     *     "liveness" or "none". Without it, a standby withdraws, and a leader hands over while there is another candidate.
     * @param binaryVersion Semantic version of this program. Defaults to the build info's, else the manifest's.
     * @param compatibilityVersion Semantic version that this program is compatible with; not above the binary version. Defaults
     *     to the binary version.
     * @param strategy Strategy by which the coordinator chooses among the candidates.
     * @param priority The higher the better, for the strategy "HighestPriority".
     * @param renewInterval How often the candidacy is renewed while no ping arrives; it is valid for twice as long.
     * @param key Key by which this process may take a direct lock over from a holder; at most 256 characters. Defaults to the program's
     *     version if versions are compared.
     * @param keyComparison Which of two keys takes precedence on a direct lock: "oldest-version", "newest-version", "largest-number",
     *     "smallest-number", or a list of keys, the best first.
     * @param takeoverTimeout How long a holder has to yield to a higher key; above the drain timeout.
     * @param container Name of the container that this process runs in, by which the coordinator notices its end. Defaults to the pod's
     *     only container; needed if the pod has several, including sidecars and ephemeral ones.
     */
    public record Candidate(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("readiness") Requirement requires,
            @Nullable String binaryVersion,
            @Nullable String compatibilityVersion,
            @DefaultValue("OldestCompatibilityVersion") String strategy,
            @Nullable Integer priority,
            @DefaultValue("5m") Duration renewInterval,
            @Nullable String key,
            @Nullable List<String> keyComparison,
            @DefaultValue("60s") Duration takeoverTimeout,
            @Nullable String container) {

        /** Returns the configured key comparison; {@code null} if keys aren't compared. */
        public @Nullable String comparedBy() {
            return keyComparison == null || keyComparison.isEmpty() ? null : String.join(", ", keyComparison);
        }
    }

    /**
     * Whether and when candidates race for a lease that no coordinator grants.
     *
     * @param enabled Whether candidates race for the lease when no coordinator elects.
     * @param delay For how long the lease must have been free or expired.
     */
    public record Fallback(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("30s") Duration delay) {}
}

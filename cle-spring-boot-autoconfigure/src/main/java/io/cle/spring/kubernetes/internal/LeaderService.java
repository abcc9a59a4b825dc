package io.cle.spring.kubernetes.internal;

import java.util.concurrent.CompletionStage;

import io.cle.CoordinatedLeaseLock;
import io.cle.InvalidConfigurationException;
import io.cle.LeadershipListener;
import io.cle.Term;
import io.cle.kubernetes.internal.client.LeaderEndpoints;
import io.cle.model.PodRef;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.properties.internal.LeaseSettings;
import org.jspecify.annotations.Nullable;

/**
 * Routes the Service {@code <lease>-leader} of the default lease to the leader alone. The lease is handed over only after the old leader
 * has been removed from the Service.
 */
public final class LeaderService implements LeaseLockCustomizer {

    private final @Nullable ClusterClient cluster;
    private final Leases leases;
    private final String address;
    private final @Nullable PodRef pod;

    /**
     * Creates the customizer of the default lease's lock.
     *
     * @param cluster {@code null} if this process joins no cluster, and so has no Service
     * @param address the pod's IP address, {@code POD_IP}
     * @param pod the pod; {@code null} if it isn't known
     * @throws InvalidConfigurationException if there is no address
     */
    public LeaderService(
            @Nullable ClusterClient cluster, Leases leases, @Nullable String address, @Nullable PodRef pod) {
        if (cluster != null && (address == null || address.isBlank())) {
            throw new InvalidConfigurationException(
                    "cle.leader-service.enabled",
                    "true",
                    "the address of this pod isn't known, because POD_IP isn't set",
                    "Set POD_IP by the downward API (fieldRef status.podIP), as in"
                            + " cle-coordinator-app/deploy/leader-service/pod-ip.yaml.");
        }
        this.cluster = cluster;
        this.leases = leases;
        this.address = address == null ? "" : address;
        this.pod = pod;
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        LeaseSettings settings = leases.main().settings();
        if (cluster != null && settings != null && name.equals(settings.name())) {
            lock.addListener(new Listener(cluster.endpoints(settings, address, pod)));
        }
    }

    private record Listener(LeaderEndpoints endpoints) implements LeadershipListener {

        @Override
        public void onGranted(Term term) {
            endpoints.lead(term.fencingToken());
        }

        /** Called after all listeners: requests that arrive until then are answered by a process whose listeners have all been called. */
        @Override
        public CompletionStage<Void> drained(Term term) {
            return endpoints.leave(term.fencingToken());
        }
    }
}

package io.cle.spring.kubernetes.internal;

import java.util.concurrent.CompletionStage;

import io.cle.CoordinatedLeaseLock;
import io.cle.InvalidConfigurationException;
import io.cle.LeadershipListener;
import io.cle.Term;
import io.cle.kubernetes.internal.client.LeaderPod;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.properties.internal.LeaseSettings;
import org.jspecify.annotations.Nullable;

/**
 * Marks the pod of this process while it leads. A lease is handed over only after its label has been removed.
 *
 * @param pod {@code null} if this process joins no cluster
 */
public record MarkedPod(@Nullable LeaderPod pod, Leases leases) implements LeaseLockCustomizer {

    /**
     * Returns the marker of this process's pod, and removes the marks of an earlier process in it.
     *
     * @param factory creates the locks
     * @param pod {@code null} if it isn't known
     * @throws InvalidConfigurationException if this process joins a cluster and its pod isn't known
     */
    public static MarkedPod of(LeaseLockFactory factory, Leases leases, @Nullable PodRef pod) {
        if (!(factory instanceof KubernetesLeaseLockFactory cluster)) {
            return new MarkedPod(null, leases);
        }
        if (pod == null) {
            throw new InvalidConfigurationException(
                    "cle.leader-pod.enabled",
                    "true",
                    "the pod of this process isn't known, because POD_NAME, POD_UID and POD_NAMESPACE aren't all set",
                    "Set them by the downward API, as in cle-coordinator-app/deploy/application/deployment.yaml.");
        }
        LeaderPod marked = cluster.leaderPod(pod);
        marked.start();
        return new MarkedPod(marked, leases);
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        LeaseSettings settings = leases.get(name).settings();
        if (pod != null && settings != null) {
            lock.addListener(new Listener(pod, settings.lease()));
        }
    }

    /** Returns the status of the marks; {@code null} if this process joins no cluster. */
    public @Nullable Status status() {
        return pod == null ? null : new Status(pod.name(), pod.deletedLast());
    }

    /**
     * The pod of this process on the endpoint.
     *
     * @param deletedLast whether the pod has the deletion cost that this process wrote, as of the response to the last patch
     */
    public record Status(String name, boolean deletedLast) {}

    private record Listener(LeaderPod pod, ObjectKey lease) implements LeadershipListener {

        @Override
        public void onGranted(Term term) {
            pod.lead(lease);
        }

        @Override
        public CompletionStage<Void> drained(Term term) {
            return pod.leave(lease);
        }
    }
}

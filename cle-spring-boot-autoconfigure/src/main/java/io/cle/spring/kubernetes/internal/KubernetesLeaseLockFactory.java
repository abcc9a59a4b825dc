package io.cle.spring.kubernetes.internal;

import io.cle.lock.LockConfig;
import io.cle.model.PodRef;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.internal.lock.Entropy;
import io.cle.runtime.internal.lock.LeaseLock;
import io.cle.runtime.internal.lock.LockThreads;
import io.cle.spring.lock.LeaseLockFactory;
import io.cle.spring.properties.LeaseSettings;
import org.jspecify.annotations.Nullable;

/** Makes locks on leases in a cluster. */
public final class KubernetesLeaseLockFactory implements LeaseLockFactory {

    private final Cluster cluster;
    private final LockThreads threads;
    private final @Nullable PodRef pod;
    private final Takeovers takeovers;

    /**
     * Makes a factory.
     *
     * @param cluster where the leases are
     * @param threads are shared by all its locks
     * @param pod the pod that owns the candidates, where it is known
     * @param takeovers who may take a direct lock over
     */
    public KubernetesLeaseLockFactory(Cluster cluster, LockThreads threads, @Nullable PodRef pod, Takeovers takeovers) {
        this.cluster = cluster;
        this.threads = threads;
        this.pod = pod;
        this.takeovers = takeovers;
    }

    @Override
    public CoordinatedLeaseLock create(LeaseSettings settings) {
        LockConfig config = LockConfigs.of(settings, pod, takeovers);
        return new LeaseLock(
                config,
                cluster.leases(settings),
                config.candidacy() == null ? null : cluster.candidates(settings),
                Entropy.system(),
                threads.loop(),
                threads.callbacks());
    }
}

package io.cle.spring.kubernetes.internal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.cle.OwnedLock;
import io.cle.lock.internal.Entropy;
import io.cle.lock.internal.GroupCandidacy;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockThreads;
import io.cle.model.LeaseGroup;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.StandaloneLeaseLockFactory;
import io.cle.spring.properties.Mode;
import io.cle.spring.properties.internal.LeaseSettings;
import org.jspecify.annotations.Nullable;

/** Creates locks on leases in a cluster. The locks on the shards of one lease share a candidate. Thread-safe. */
public final class KubernetesLeaseLockFactory implements LeaseLockFactory {

    private final ClusterClient cluster;
    private final LockThreads threads;
    private final Map<LeaseGroup, GroupCandidacy> candidacies = new ConcurrentHashMap<>();

    private KubernetesLeaseLockFactory(ClusterClient cluster, LockThreads threads) {
        this.cluster = cluster;
        this.threads = threads;
    }

    /**
     * Returns a factory of locks in the cluster that this process joins, or of locks that lead by themselves.
     *
     * @param cluster has the leases; {@code null} if this process joins no cluster
     * @param mode as it is configured
     * @param threads are shared by all its locks
     */
    public static LeaseLockFactory orStandalone(@Nullable ClusterClient cluster, Mode mode, LockThreads threads) {
        return cluster == null
                ? StandaloneLeaseLockFactory.of(mode, threads)
                : new KubernetesLeaseLockFactory(cluster, threads);
    }

    @Override
    public OwnedLock create(LeaseSettings settings) {
        return StandaloneLeaseLockFactory.followingIfDisabled(settings, lock(settings));
    }

    private LeaseLock lock(LeaseSettings settings) {
        LockConfig config = settings.config();
        LeaseGroup group = settings.group();
        GroupCandidacy candidacy = group == null
                ? null
                : candidacies.computeIfAbsent(group, unused -> new GroupCandidacy(config, threads));
        return new LeaseLock(config, cluster.stores(settings), Entropy.system(), threads, candidacy);
    }
}

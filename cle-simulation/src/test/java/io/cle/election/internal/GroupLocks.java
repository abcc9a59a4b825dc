package io.cle.election.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.cle.ApiFormat;
import io.cle.Timings;
import io.cle.kubernetes.internal.client.CandidateClient;
import io.cle.kubernetes.internal.client.GroupLeases;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.lock.internal.GroupCandidacy;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.loop.internal.EventLoop;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.Version;
import io.cle.strategy.BuiltInStrategy;
import io.cle.test.simulation.internal.process.SimulatedEntropy;

/** Makes the locks of one process on the leases of a group, which share a candidate and a watch. */
final class GroupLocks {

    private static final Timings TIMINGS =
            new Timings(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    private GroupLocks() {}

    /** Returns a lock for each lease, in their order. */
    static List<LeaseLock> of(
            LeaseGroup group, String identity, List<ObjectKey> leases, KubernetesTransport transport, EventLoop loop) {
        ObjectClient client = new ObjectClient(transport, loop, new Random(3), Duration.ofSeconds(5));
        LockStores stores = new LockStores(
                new GroupLeases(LeaseClient.of(client, ApiFormat.CRD, null), group),
                new CandidateClient(client, ApiFormat.CRD));
        GroupCandidacy candidacy =
                new GroupCandidacy(config(group, identity, leases.get(0)), LockThreads.of(loop, Runnable::run));
        List<LeaseLock> locks = new ArrayList<>();
        leases.forEach(lease -> locks.add(new LeaseLock(
                config(group, identity, lease),
                stores.always(),
                new SimulatedEntropy(identity + " on " + lease),
                LockThreads.of(loop, Runnable::run),
                candidacy)));
        return locks;
    }

    /** Returns a lock on a lease without shards. */
    static LeaseLock plain(ObjectKey lease, String identity, KubernetesTransport transport, EventLoop loop) {
        ObjectClient client = new ObjectClient(transport, loop, new Random(3), Duration.ofSeconds(5));
        LockStores stores =
                new LockStores(LeaseClient.of(client, ApiFormat.CRD, null), new CandidateClient(client, ApiFormat.CRD));
        Candidate candidate = Candidate.builder(new ObjectKey(lease.namespace(), identity), lease)
                .binaryVersion(Version.parse("1.0.0"))
                .compatibilityVersion(Version.parse("1.0.0"))
                .build();
        LockConfig config = new LockConfig(
                lease,
                identity,
                TIMINGS,
                Duration.ofSeconds(30),
                new LockConfig.Fallback(true, Duration.ofSeconds(30)),
                new LockConfig.Candidacy(candidate, Duration.ofMinutes(5)),
                null,
                Duration.ofNanos(1000));
        return new LeaseLock(
                config, stores.always(), new SimulatedEntropy(identity), LockThreads.of(loop, Runnable::run), null);
    }

    private static LockConfig config(LeaseGroup group, String identity, ObjectKey lease) {
        Candidate.Builder template = Candidate.builder(new ObjectKey(group.namespace(), identity), group)
                .strategy(BuiltInStrategy.BALANCED.wireName())
                .binaryVersion(Version.parse("1.0.0"))
                .compatibilityVersion(Version.parse("1.0.0"));
        if (!group.isSharded()) {
            template.leases(List.of(lease));
        }
        return new LockConfig(
                lease,
                identity,
                TIMINGS,
                Duration.ofSeconds(30),
                new LockConfig.Fallback(false, Duration.ofSeconds(30)),
                new LockConfig.Candidacy(template.build(), Duration.ofMinutes(5)),
                null,
                Duration.ofNanos(1000));
    }
}

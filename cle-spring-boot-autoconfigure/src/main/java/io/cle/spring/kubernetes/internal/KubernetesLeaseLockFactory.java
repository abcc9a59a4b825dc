package io.cle.spring.kubernetes.internal;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

import io.cle.OwnedLock;
import io.cle.Timings;
import io.cle.kubernetes.internal.client.LeaderPod;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.discovery.FormatChoice;
import io.cle.kubernetes.internal.discovery.FormatDiscovery;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.lock.internal.Entropy;
import io.cle.lock.internal.GroupCandidacy;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.model.LeaseGroup;
import io.cle.model.PodRef;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.StandaloneLeaseLockFactory;
import io.cle.spring.properties.ApiSelection;
import io.cle.spring.properties.internal.LeaseSettings;
import org.jspecify.annotations.Nullable;

/** Creates locks on leases in a cluster. The locks on the leases of one group share a candidate and its watches. Thread-safe. */
public final class KubernetesLeaseLockFactory implements LeaseLockFactory {

    private static final Pattern LABEL_VALUE = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    private final KubernetesTransport transport;
    private final LockThreads threads;
    private final RandomGenerator random = new SplittableRandom();
    private final @Nullable String application;
    private final Map<FormatOf, FormatChoice> formats = new ConcurrentHashMap<>();
    private final Map<LeaseGroup, LockStores.Source> groups = new ConcurrentHashMap<>();
    private final Map<LeaseGroup, GroupCandidacy> candidacies = new ConcurrentHashMap<>();

    /** The format is discovered once for all leases of a namespace, because permissions are granted per namespace. */
    private record FormatOf(ApiSelection selection, String namespace) {}

    /**
     * Creates a factory. Sends no request.
     *
     * @param transport sends the requests
     * @param threads shared by all its locks
     * @param application the application's name, which labels its Leases if it is a valid label value; {@code null} if it has none
     */
    public KubernetesLeaseLockFactory(
            KubernetesTransport transport, LockThreads threads, @Nullable String application) {
        this.transport = transport;
        this.threads = threads;
        this.application =
                application != null && LABEL_VALUE.matcher(application).matches() ? application : null;
    }

    @Override
    public OwnedLock create(LeaseSettings settings) {
        LockConfig config = settings.config();
        LeaseGroup group = settings.group();
        GroupCandidacy candidacy = group == null
                ? null
                : candidacies.computeIfAbsent(group, unused -> new GroupCandidacy(config, threads));
        return StandaloneLeaseLockFactory.followingIfDisabled(
                settings, new LeaseLock(config, stores(settings), Entropy.system(), threads, candidacy));
    }

    /** Returns the stores of a lock's lease, and of its candidate if a coordinator elects. */
    private LockStores.Source stores(LeaseSettings lease) {
        LeaseGroup group = lease.group();
        if (group != null) {
            return groups.computeIfAbsent(
                    group, unused -> LockStores.ofGroup(choice(lease), client(lease.timings()), application, group));
        }
        ObjectClient client = client(lease.timings());
        return lease.config().coordinated()
                ? LockStores.chosenBy(choice(lease), client, application)
                : new LockStores(LeaseClient.of(client, lease.properties().resourceLock(), application), null).always();
    }

    /** Returns the marker of this process's pod. */
    LeaderPod leaderPod(PodRef pod) {
        return new LeaderPod(client(Timings.DEFAULT), pod);
    }

    private FormatChoice choice(LeaseSettings lease) {
        FormatOf wanted = new FormatOf(lease.api(), lease.lease().namespace());
        return formats.computeIfAbsent(
                wanted,
                of -> FormatChoice.ofCandidate(
                        new FormatDiscovery(transport, of.namespace(), Timings.DEFAULT.requestTimeout()),
                        of.selection().pinned(),
                        threads.loop(),
                        random));
    }

    private ObjectClient client(Timings timings) {
        return new ObjectClient(transport, threads.loop(), random, timings.requestTimeout());
    }
}

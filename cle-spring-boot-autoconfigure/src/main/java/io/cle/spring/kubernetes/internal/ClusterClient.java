package io.cle.spring.kubernetes.internal;

import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

import io.cle.Timings;
import io.cle.kubernetes.internal.client.LeaderPod;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.discovery.FormatChoice;
import io.cle.kubernetes.internal.discovery.FormatDiscovery;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.lock.internal.LockStores;
import io.cle.loop.internal.EventLoop;
import io.cle.model.LeaseGroup;
import io.cle.model.PodRef;
import io.cle.spring.properties.ApiSelection;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.LockOrigin;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Accesses the API server for the locks of an application: the stores of each lease, and the pod of this process. */
public final class ClusterClient {

    private static final Pattern LABEL_VALUE = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    private final KubernetesTransport transport;
    private final EventLoop loop;
    private final RandomGenerator random;
    private final @Nullable String application;
    private final Map<FormatOf, FormatChoice> formats = new ConcurrentHashMap<>();
    private final Map<LeaseGroup, LockStores.Source> groups = new ConcurrentHashMap<>();

    /** The format is discovered once for all leases of a namespace, because rights are granted per namespace. */
    private record FormatOf(ApiSelection selection, String namespace) {}

    /**
     * Creates a client. Sends no request.
     *
     * @param transport sends the requests
     * @param loop where results and events arrive
     * @param random for the jitter of retries
     * @param application the application's name, which its Leases get as a label if it can be one; {@code null} if it has none
     */
    public ClusterClient(
            KubernetesTransport transport, EventLoop loop, RandomGenerator random, @Nullable String application) {
        this.transport = transport;
        this.loop = loop;
        this.random = random;
        this.application =
                application != null && LABEL_VALUE.matcher(application).matches() ? application : null;
    }

    /** Returns the client of the cluster whose election this process joins; {@code null} if it joins none. */
    public static @Nullable ClusterClient ofJoined(
            LockOrigin origin,
            ObjectProvider<KubernetesTransport> transport,
            EventLoop loop,
            @Nullable String application) {
        return origin.isCluster()
                ? new ClusterClient(transport.getObject(), loop, new SplittableRandom(), application)
                : null;
    }

    /** Returns the stores of a lock's lease, and of its candidate if a coordinator elects. */
    LockStores.Source stores(LeaseSettings lease) {
        LeaseGroup group = lease.group();
        if (group != null) {
            return groups.computeIfAbsent(
                    group, unused -> LockStores.ofGroup(format(lease), client(lease), application, group));
        }
        return lease.properties().resourceLock().coordinated()
                ? LockStores.chosenBy(format(lease), client(lease), application)
                : new LockStores(
                                LeaseClient.of(client(lease), lease.properties().resourceLock(), application), null)
                        .always();
    }

    /** Returns the marker of this process's pod. */
    LeaderPod leaderPod(PodRef pod) {
        return new LeaderPod(new ObjectClient(transport, loop, random, Timings.DEFAULT.requestTimeout()), pod);
    }

    /** Returns the format of a lease's candidates; empty for a direct lock. */
    Optional<CandidateFormats.Chosen> chosenFormat(LeaseSettings lease) {
        if (!lease.properties().resourceLock().coordinated()) {
            return Optional.empty();
        }
        FormatChoice format = format(lease);
        return Optional.of(new CandidateFormats.Chosen(format.known().orElse(null), format.reason()));
    }

    private FormatChoice format(LeaseSettings lease) {
        // A candidate of the native format can lead one lease only.
        ApiSelection selection = lease.group() == null ? lease.properties().api() : ApiSelection.CRD;
        FormatOf wanted = new FormatOf(selection, lease.lease().namespace());
        return formats.computeIfAbsent(
                wanted,
                of -> FormatChoice.ofCandidate(
                        new FormatDiscovery(transport, of.namespace(), Timings.DEFAULT.requestTimeout()),
                        of.selection().pinned(),
                        loop,
                        random));
    }

    private ObjectClient client(LeaseSettings lease) {
        return new ObjectClient(transport, loop, random, lease.timings().requestTimeout());
    }
}

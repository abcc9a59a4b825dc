package io.cle.spring.kubernetes.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.cle.ResourceLock;
import io.cle.Timings;
import io.cle.kubernetes.internal.access.AccessReport;
import io.cle.kubernetes.internal.access.AccessRight;
import io.cle.kubernetes.internal.access.AccessRights;
import io.cle.kubernetes.internal.access.Preflight;
import io.cle.kubernetes.internal.client.LeaderEvents;
import io.cle.kubernetes.internal.client.LeaderPod;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.discovery.FormatChoice;
import io.cle.kubernetes.internal.discovery.FormatDiscovery;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.LockStores;
import io.cle.loop.internal.EventLoop;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.internal.ApiResult;
import io.cle.spring.properties.ApiSelection;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.LockOrigin;
import io.cle.store.internal.Subscription;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Accesses the API server for the locks of an application: the stores of each lease, Events, the rights of this process, and its pod. */
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
                : new LockStores(leases(lease), null).always();
    }

    /**
     * Deletes the Lease object unless a process holds it. Endpoints and ConfigMaps aren't deleted, because they may serve another purpose.
     *
     * @return whether the object is gone
     */
    CompletionStage<ApiResult<Boolean>> delete(LeaseSettings lease) {
        return leases(lease).deleteFree(lease.lease());
    }

    /** Returns the writer of Events on the record of a direct lock; empty for a coordinated lease, for which the coordinator writes Events. */
    public Optional<LeaderEvents> events(LeaseSettings lease, String component) {
        ResourceLock lock = lease.properties().resourceLock();
        return lock.coordinated()
                ? Optional.empty()
                : Optional.of(new LeaderEvents(client(lease), lock, lease.lease(), lease.identity(), component));
    }

    /** Returns the marker of this process's pod. */
    LeaderPod leaderPod(PodRef pod) {
        return new LeaderPod(new ObjectClient(transport, loop, random, Timings.DEFAULT.requestTimeout()), pod);
    }

    /**
     * Checks whether the rights that a lease needs are granted. Never fails: the report names what could not be checked, also if the needed
     * rights aren't known.
     *
     * @param events whether Events are written on the record of a direct lock
     */
    CompletionStage<AccessReport> checkRights(LeaseSettings lease, boolean events) {
        Preflight preflight = new Preflight(transport, lease.timings().requestTimeout());
        ResourceLock lock = lease.properties().resourceLock();
        if (!lock.coordinated()) {
            List<AccessRight> rights = new ArrayList<>(AccessRights.ofRacer(lock, lease.lease()));
            if (events) {
                rights.add(AccessRights.ofEvents(lease.lease().namespace()));
            }
            return preflight.check(rights);
        }
        CompletableFuture<AccessReport> result = new CompletableFuture<>();
        Subscription asking = format(lease)
                .use(
                        kind -> preflight.check(ofElector(kind, lease)).thenAccept(result::complete),
                        problem -> result.complete(AccessReport.unknown(problem)));
        result.thenRun(asking::close);
        return result;
    }

    /** Returns the rights that a coordinated lock needs at the moment: none on candidates while none are served. */
    private static List<AccessRight> ofElector(Optional<ResourceType> candidates, LeaseSettings lease) {
        if (lease.group() != null) {
            return AccessRights.ofGroup(lease.lease().namespace());
        }
        return candidates
                .map(kind -> AccessRights.ofCandidate(kind.format(), lease.lease()))
                .orElseGet(() -> AccessRights.ofRacer(ResourceLock.LEASES, lease.lease()));
    }

    /**
     * Reads the grace period of a pod. Checks the right to read the pod first, so that a missing right causes no refused request in the API
     * server's audit log.
     *
     * @return empty if it can't be read; never fails
     */
    public CompletionStage<Optional<Duration>> gracePeriod(ObjectKey pod) {
        Duration timeout = Timings.DEFAULT.requestTimeout();
        AccessRight right = new AccessRight(ResourceType.PODS, List.of("get"), pod.namespace(), pod.name());
        ApiRequest request =
                new ApiRequest(Verb.GET, ResourceType.PODS, pod.namespace(), pod.name(), Map.of(), null, timeout);
        return new Preflight(transport, timeout).check(List.of(right)).thenCompose(report -> {
            boolean allowed = report.missing().isEmpty() && report.unchecked().isEmpty();
            return allowed
                    ? transport.send(request).thenApply(ClusterClient::gracePeriodOf)
                    : CompletableFuture.completedFuture(Optional.empty());
        });
    }

    private static Optional<Duration> gracePeriodOf(ApiResponse response) {
        if (!(response instanceof ApiResponse.Answered answered) || !answered.ok()) {
            return Optional.empty();
        }
        JsonElement seconds = answered.body().get("spec") instanceof JsonObject spec
                ? spec.get("terminationGracePeriodSeconds")
                : null;
        return seconds instanceof JsonPrimitive number && number.isNumber()
                ? Optional.of(Duration.ofSeconds(number.getAsLong()))
                : Optional.empty();
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

    private LeaseClient leases(LeaseSettings lease) {
        return LeaseClient.of(client(lease), lease.properties().resourceLock(), application);
    }
}

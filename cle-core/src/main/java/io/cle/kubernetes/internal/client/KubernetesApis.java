package io.cle.kubernetes.internal.client;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

import io.cle.ApiFormat;
import io.cle.ResourceLock;
import io.cle.kubernetes.internal.codec.AnnotatedLeaseCodec;
import io.cle.kubernetes.internal.codec.CandidateCodec;
import io.cle.kubernetes.internal.codec.NativeLeaseCodec;
import io.cle.kubernetes.internal.codec.RecordLeaseCodec;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.loop.internal.EventLoop;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.store.internal.CandidateStore;
import io.cle.store.internal.CoordinatorApi;
import io.cle.store.internal.LeaseStore;
import org.jspecify.annotations.Nullable;

/**
 * Makes the stores of all wire formats. Results and events of everything made here arrive on one event loop. Thread-safe, as
 * is what it makes.
 */
public final class KubernetesApis {

    /** How many characters an object may have: fifty times what a candidate or a Lease of ours has. */
    public static final long LARGEST_OBJECT = 64 * 1024;

    private final ObjectClient client;
    private final EventOutbox events;
    private final LeaseStore annotatedLeases;
    private final LeaseStore nativeLeases;

    /**
     * A maker of stores.
     *
     * @param transport sends requests to the API server
     * @param loop where results and events arrive
     * @param random for the jitter of retries
     * @param requestTimeout how long a request may take, see {@link io.cle.Timings#requestTimeout()}
     */
    public KubernetesApis(
            KubernetesTransport transport, EventLoop loop, RandomGenerator random, Duration requestTimeout) {
        this(transport, loop, random, requestTimeout, null);
    }

    /**
     * The same for one application.
     *
     * @param application its name, which its leases get as a label; {@code null} for none
     */
    public KubernetesApis(
            KubernetesTransport transport,
            EventLoop loop,
            RandomGenerator random,
            Duration requestTimeout,
            @Nullable String application) {
        client = new ObjectClient(transport, loop, random, requestTimeout);
        events = new EventOutbox(loop);
        annotatedLeases = new JsonLeaseStore(client, new AnnotatedLeaseCodec(), application);
        nativeLeases = new JsonLeaseStore(client, new NativeLeaseCodec(), application);
    }

    /** Candidates in a format; in the native one of {@code v1beta1}. */
    public CandidateStore candidates(ApiFormat format) {
        return candidates(ResourceType.candidates(format));
    }

    /** Candidates of a kind. */
    public CandidateStore candidates(ResourceType kind) {
        return new JsonCandidateStore(client, CandidateCodec.of(kind));
    }

    /** Leases that a coordinator elects for, in a format; the same store each time. */
    public LeaseStore leases(ApiFormat format) {
        return format == ApiFormat.NATIVE ? nativeLeases : annotatedLeases;
    }

    /**
     * Leases that processes race for. On Leases they are written as in the crd format, so that holders of both kinds share
     * them (safety.md#mixed-electors).
     */
    public LeaseStore leases(ResourceLock lock) {
        return switch (lock) {
            case COORDINATEDLEASES, LEASES -> annotatedLeases;
            case ENDPOINTS, CONFIGMAPS -> new RecordLeaseStore(client, new RecordLeaseCodec(ResourceType.of(lock)));
        };
    }

    /**
     * Deletes a Lease that nobody holds, as a compare and swap on the version that was read.
     *
     * @return whether it is gone; false if a process holds it, or has written it meanwhile
     */
    public CompletionStage<ApiResult<Boolean>> deleteFree(ObjectKey lease) {
        AnnotatedLeaseCodec codec = new AnnotatedLeaseCodec();
        return client.read(codec, lease).thenCompose(read -> {
            Lease found = read instanceof ApiResult.Ok<Optional<Lease>> ok
                    ? ok.value().orElse(null)
                    : null;
            if (found == null || found.held()) {
                return CompletableFuture.completedStage(read.map(Optional::isEmpty));
            }
            return client.delete(codec, lease, Optional.ofNullable(found.resourceVersion()))
                    .thenApply(deleted -> deleted instanceof ApiResult.Conflict
                            ? new ApiResult.Ok<>(false)
                            : deleted.map(unused -> true));
        });
    }

    /**
     * Client-go's Events on the record of a direct lock.
     *
     * @param lease the lock's lease
     * @param identity the lock's identity
     * @param component how the application calls itself in Events
     */
    public LeaderEvents events(ResourceLock lock, ObjectKey lease, String identity, String component) {
        return new LeaderEvents(client, events, ResourceType.of(lock), leases(lock), lease, identity, component);
    }

    /**
     * Keeps a pod in the EndpointSlice of a Service while it leads.
     *
     * @param slice the EndpointSlice, which has to exist
     * @param address the pod's IP address
     * @param pod the pod; {@code null} if it isn't known
     */
    public LeaderEndpoints endpoints(ObjectKey slice, String address, @Nullable PodRef pod) {
        return new LeaderEndpoints(client, slice, address, pod);
    }

    /** Takes dead leaders out of the EndpointSlices of their Services. */
    public LeaderlessEndpoints leaderlessEndpoints() {
        return new LeaderlessEndpoints(client);
    }

    /**
     * All that a coordinator needs, in a format; in the native one of {@code v1beta1}.
     *
     * @param namespaces the namespaces in scope; empty for all
     * @param component how it calls itself in events
     */
    public CoordinatorApi coordinator(ApiFormat format, Set<String> namespaces, String component) {
        return coordinator(ResourceType.candidates(format), namespaces, LARGEST_OBJECT, component);
    }

    /**
     * The same for a kind of candidates, with a bound of its own.
     *
     * @param largestObject how many characters an object may have; a larger one is malformed
     */
    public CoordinatorApi coordinator(ResourceType kind, Set<String> namespaces, long largestObject, String component) {
        return new KubernetesCoordinatorApi(
                client, leases(kind.format()), candidates(kind), events, kind, namespaces, largestObject, component);
    }
}

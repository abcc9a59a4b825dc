package io.cle.kubernetes.internal.client;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonObject;
import io.cle.ResourceLock;
import io.cle.kubernetes.internal.codec.KubernetesEvents;
import io.cle.kubernetes.internal.transport.Answers;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes client-go's Event on the record of a direct lock, {@code LeaderElection: <identity> became leader}, so that {@code kubectl describe}
 * shows who led when. The {@link EventOutbox} sends Events one at a time; that a term has ended isn't written, because its process may have
 * ended by then. If the right to write them is
 * missing, this is logged once.
 */
public final class LeaderEvents {

    private static final String REASON = "LeaderElection";
    private static final Logger log = LoggerFactory.getLogger(LeaderEvents.class);

    private final ObjectClient client;
    private final ResourceType resource;
    private final LeaseClient leases;
    private final ObjectKey lease;
    private final String identity;
    private final String component;

    /**
     * Creates the Events writer of a lock.
     *
     * @param lock the kind of object that has the record
     * @param identity the lock's identity
     * @param component the application's name in Events
     */
    public LeaderEvents(ObjectClient client, ResourceLock lock, ObjectKey lease, String identity, String component) {
        this.client = client;
        this.resource = ResourceType.of(lock);
        // To read the uid of the record's object, by which `kubectl describe` finds Events.
        this.leases = LeaseClient.of(client, lock, null);
        this.lease = lease;
        this.identity = identity;
        this.component = component;
    }

    /** Records that a term has begun. Returns at once. */
    public void becameLeader() {
        Instant time = client.loop().clock().wall();
        client.outbox()
                .post(() -> leases.read(lease).thenCompose(read -> send(read, time)))
                .thenAccept(result -> {
                    if (!(result instanceof ApiResult.Ok<String>)) {
                        log.debug("lease {}: an Event was not written: {}", lease, result.describe());
                    }
                });
    }

    private CompletionStage<ApiResult<String>> send(ApiResult<Optional<Lease>> read, Instant time) {
        if (!(read instanceof ApiResult.Ok<Optional<Lease>> ok) || ok.value().isEmpty()) {
            return CompletableFuture.completedFuture(read.map(gone -> "the record is gone"));
        }
        JsonObject event = KubernetesEvents.of(
                resource,
                ok.value().get(),
                false,
                REASON,
                identity + " became leader",
                component,
                time,
                Long.toHexString(client.random().nextLong()));
        ApiRequest request = client.request(Verb.CREATE, ResourceType.EVENTS, lease, null, event);
        return client.send(
                request, response -> Answers.resultOf(request, response, created -> new ApiResult.Ok<>(identity)));
    }
}

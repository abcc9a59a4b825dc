package io.cle.kubernetes.internal.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.transport.Answers;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.loop.internal.EventLoop.Timer;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.ResourceVersions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this process's pod in the EndpointSlice of a Service while it leads, so that the Service routes to the leader only. The slice must
 * already exist, with its ports. Only its endpoints are written, by compare and swap, with the fencing token of the term in an annotation.
 * A process that resumes after its term has ended can therefore neither replace nor remove its successor.
 *
 * <p>The slice is checked every half minute, because applying the manifest again empties it. Thread-safe.
 */
public final class LeaderEndpoints {

    /** How often a leader checks whether it is still in the slice. */
    static final Duration REFRESH = Duration.ofSeconds(30);

    /** The delay before a failed write is retried. */
    static final Duration AGAIN = Duration.ofSeconds(1);

    private static final String TOKEN = "coordination.cle.io/fencing-token";
    private static final long NONE = -1;
    private static final Logger log = LoggerFactory.getLogger(LeaderEndpoints.class);

    private final ObjectClient client;
    private final ObjectKey slice;
    private final JsonArray endpoints;
    // The rest is confined to the loop.
    private long leading = NONE;
    private Timer next = () -> {};
    /**
     * The request in progress; never fails. The endpoint is removed only after a write that adds it was answered, because that write might
     * otherwise be applied later.
     */
    private CompletionStage<?> underWay = CompletableFuture.completedFuture(null);

    private @Nullable String problem;

    /** Returns the slice of a lease, {@code <lease>-leader}. */
    public static ObjectKey sliceOf(ObjectKey lease) {
        return new ObjectKey(lease.namespace(), lease.name() + "-leader");
    }

    /**
     * Creates an instance that sends nothing yet.
     *
     * @param slice the EndpointSlice
     * @param address the pod's IP address
     * @param pod the pod; {@code null} if unknown
     */
    public LeaderEndpoints(ObjectClient client, ObjectKey slice, String address, @Nullable PodRef pod) {
        this.client = client;
        this.slice = slice;
        JsonArray addresses = new JsonArray();
        addresses.add(address);
        JsonObject conditions = new JsonObject();
        conditions.addProperty("ready", true);
        JsonObject endpoint = new JsonObject();
        endpoint.add("addresses", addresses);
        endpoint.add("conditions", conditions);
        if (pod != null) {
            JsonObject target = new JsonObject();
            target.addProperty("kind", "Pod");
            target.addProperty("namespace", pod.key().namespace());
            target.addProperty("name", pod.key().name());
            target.addProperty("uid", pod.uid());
            endpoint.add("targetRef", target);
        }
        this.endpoints = new JsonArray();
        this.endpoints.add(endpoint);
    }

    /** Adds this process to the slice because it leads. Returns at once; retries until it succeeds or the term ends. */
    public void lead(long fencingToken) {
        client.loop().execute(() -> {
            leading = fencingToken;
            enter(fencingToken);
        });
    }

    /**
     * Removes this process from the slice because its term has ended.
     *
     * @return completes when this process is no longer in the slice, or after one failed attempt; never fails
     */
    public CompletionStage<Void> leave(long fencingToken) {
        CompletableFuture<Void> left = new CompletableFuture<>();
        client.loop().execute(() -> {
            leading = NONE;
            next.cancel();
            update(object -> tokenOf(object) == fencingToken, new JsonArray(), fencingToken)
                    .thenAccept(result -> left.complete(null));
        });
        return left;
    }

    private void enter(long token) {
        if (leading != token) {
            return;
        }
        update(object -> mayEnter(object, token), endpoints, token).thenAccept(result -> {
            if (leading == token) {
                next.cancel();
                next = client.loop()
                        .schedule(result instanceof ApiResult.Ok<JsonObject> ? REFRESH : AGAIN, () -> enter(token));
            }
        });
    }

    /** Reads the slice after the request in progress is answered, and writes it if it has to change. */
    private CompletionStage<ApiResult<JsonObject>> update(
            Predicate<JsonObject> replaced, JsonArray content, long token) {
        CompletionStage<ApiResult<JsonObject>> updated = underWay.thenCompose(unused -> read())
                .thenCompose(read -> read instanceof ApiResult.Ok<JsonObject> ok && replaced.test(ok.value())
                        ? write(ok.value(), content, token)
                        : CompletableFuture.completedFuture(read));
        underWay = updated.thenAccept(this::report);
        return updated;
    }

    /** Returns whether this process may write the slice: a process of a later term is never replaced. */
    private boolean mayEnter(JsonObject object, long token) {
        long written = tokenOf(object);
        return leading == token && written <= token && !(written == token && endpoints.equals(object.get("endpoints")));
    }

    private CompletionStage<ApiResult<JsonObject>> read() {
        ApiRequest request = client.request(Verb.GET, ResourceType.ENDPOINT_SLICES, slice, slice.name(), null);
        return client.send(request, response -> Answers.resultOf(request, response, ApiResult.Ok::new));
    }

    private CompletionStage<ApiResult<JsonObject>> write(JsonObject read, JsonArray content, long token) {
        JsonObject annotations = new JsonObject();
        annotations.addProperty(TOKEN, Long.toString(token));
        JsonObject metadata = new JsonObject();
        metadata.add("annotations", annotations);
        return write(client, slice, read, metadata, content);
    }

    private static CompletionStage<ApiResult<JsonObject>> write(
            ObjectClient client, ObjectKey slice, JsonObject read, JsonObject metadata, JsonArray content) {
        Json.add(metadata, "resourceVersion", text(metadataOf(read).get("resourceVersion")));
        JsonObject patch = new JsonObject();
        patch.add("metadata", metadata);
        patch.add("endpoints", content);
        ApiRequest request = client.request(Verb.PATCH, ResourceType.ENDPOINT_SLICES, slice, slice.name(), patch);
        return client.send(request, response -> Answers.resultOf(request, response, ApiResult.Ok::new));
    }

    /**
     * Removes a dead leader from the slice in which it kept itself, for a coordinator. Writes by compare and swap, so that a leader that was
     * added meanwhile stays.
     *
     * @return whether an endpoint was removed; false if the slice doesn't exist. Never fails
     */
    public static CompletionStage<ApiResult<Boolean>> empty(ObjectClient client, ObjectKey slice) {
        ApiRequest read = client.request(Verb.GET, ResourceType.ENDPOINT_SLICES, slice, slice.name(), null);
        return client.<JsonObject>send(
                        read,
                        response -> Answers.missesObject(read, response)
                                ? new ApiResult.Ok<>(new JsonObject())
                                : Answers.resultOf(read, response, ApiResult.Ok::new))
                .thenCompose(result -> {
                    boolean occupied = result instanceof ApiResult.Ok<JsonObject> ok
                            && ok.value().get("endpoints") instanceof JsonArray endpoints
                            && !endpoints.isEmpty();
                    return occupied
                            ? write(
                                            client,
                                            slice,
                                            ((ApiResult.Ok<JsonObject>) result).value(),
                                            new JsonObject(),
                                            new JsonArray())
                                    .thenApply(written -> written.map(unused -> true))
                            : CompletableFuture.completedFuture(result.map(unused -> false));
                });
    }

    private void report(ApiResult<JsonObject> result) {
        if (result instanceof ApiResult.Ok<JsonObject>) {
            problem = null;
        } else if (!(result instanceof ApiResult.Conflict<JsonObject>)
                && !result.describe().equals(problem)) {
            problem = result.describe();
            log.warn(
                    "EndpointSlice {}: the Service doesn't route to the current leader: {}; apply the Service, the EndpointSlice and the"
                            + " Role of cle-coordinator-app/deploy/leader-service",
                    slice,
                    problem);
        }
    }

    /** Returns the token of the term in which it was last written; below all tokens if it was never written. */
    private static long tokenOf(JsonObject object) {
        String token = metadataOf(object).get("annotations") instanceof JsonObject annotations
                ? text(annotations.get(TOKEN))
                : null;
        return ResourceVersions.isToken(token) ? ResourceVersions.toNumber(token) : NONE;
    }

    private static JsonObject metadataOf(JsonObject object) {
        return object.get("metadata") instanceof JsonObject metadata ? metadata : new JsonObject();
    }

    private static @Nullable String text(@Nullable JsonElement element) {
        return element != null && element.isJsonPrimitive() ? element.getAsString() : null;
    }
}

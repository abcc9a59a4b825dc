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
 * Keeps this process's pod in the EndpointSlice of a Service while it leads, and out of it otherwise, so that the Service leads to the leader
 * alone. The slice exists already and has the ports; only its endpoints are written, each time by compare and swap on what was read, with the
 * fencing token of the term as an annotation. So a process that wakes up after its term can neither put itself back over its successor nor
 * remove its successor.
 *
 * <p>Written again every half minute, because an administrator who applies the manifest once more empties it. Thread-safe.
 */
public final class LeaderEndpoints {

    /** How often a leader looks whether it is still in the slice. */
    static final Duration REFRESH = Duration.ofSeconds(30);

    /** After what time a failed write is tried again. */
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
    /** What is under way; never fails. The slice is left only after a write that enters it has been answered, or it could be carried out afterwards. */
    private CompletionStage<?> underWay = CompletableFuture.completedFuture(null);

    private @Nullable String problem;

    /**
     * Creates what keeps a slice up to date; nothing is sent yet.
     *
     * @param slice the EndpointSlice
     * @param address the pod's IP address
     * @param pod the pod; {@code null} if it isn't known
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

    /** This process leads from now on. Returns at once; is tried until it succeeds or the term ends. */
    public void lead(long fencingToken) {
        client.loop().execute(() -> {
            leading = fencingToken;
            enter(fencingToken);
        });
    }

    /**
     * The term has ended.
     *
     * @return completes when this process is in the slice no more, or after one attempt that failed; never fails
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

    /** Reads the slice when what is under way has been answered, and writes it if what was read is to be replaced. */
    private CompletionStage<ApiResult<JsonObject>> update(
            Predicate<JsonObject> replaced, JsonArray content, long token) {
        CompletionStage<ApiResult<JsonObject>> updated = underWay.thenCompose(unused -> read())
                .thenCompose(read -> read instanceof ApiResult.Ok<JsonObject> ok && replaced.test(ok.value())
                        ? write(ok.value(), content, token)
                        : CompletableFuture.completedFuture(read));
        underWay = updated.thenAccept(this::report);
        return updated;
    }

    /** Whether the slice has to be written: another process of a later term is left alone. */
    private boolean mayEnter(JsonObject object, long token) {
        long written = tokenOf(object);
        return leading == token && written <= token && !(written == token && endpoints.equals(object.get("endpoints")));
    }

    private CompletionStage<ApiResult<JsonObject>> read() {
        return send(client.request(Verb.GET, ResourceType.ENDPOINT_SLICES, slice, slice.name(), null));
    }

    private CompletionStage<ApiResult<JsonObject>> write(JsonObject read, JsonArray content, long token) {
        JsonObject annotations = new JsonObject();
        annotations.addProperty(TOKEN, Long.toString(token));
        JsonObject metadata = new JsonObject();
        Json.add(metadata, "resourceVersion", text(metadataOf(read).get("resourceVersion")));
        metadata.add("annotations", annotations);
        JsonObject patch = new JsonObject();
        patch.add("metadata", metadata);
        patch.add("endpoints", content);
        return send(client.request(Verb.PATCH, ResourceType.ENDPOINT_SLICES, slice, slice.name(), patch));
    }

    private CompletionStage<ApiResult<JsonObject>> send(ApiRequest request) {
        return client.send(request, response -> Answers.resultOf(request, response, ApiResult.Ok::new));
    }

    private void report(ApiResult<JsonObject> result) {
        if (result instanceof ApiResult.Ok<JsonObject>) {
            problem = null;
        } else if (!(result instanceof ApiResult.Conflict<JsonObject>)
                && !result.describe().equals(problem)) {
            problem = result.describe();
            log.warn(
                    "EndpointSlice {}: the Service doesn't lead to the present leader: {}; apply the Service, the EndpointSlice and the"
                            + " Role of cle-coordinator-app/deploy/leader-service",
                    slice,
                    problem);
        }
    }

    /** The token of the term in which it was last written; below all others if it never was. */
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

package io.cle.kubernetes.internal.store;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.random.RandomGenerator;

import com.google.gson.JsonObject;
import io.cle.api.Subscription;
import io.cle.api.Watcher;
import io.cle.kubernetes.internal.codec.ObjectCodec;
import io.cle.kubernetes.internal.codec.ServedObject;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.Answers;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.kubernetes.internal.watch.OwnWatches;
import io.cle.kubernetes.internal.watch.Reflector;
import io.cle.kubernetes.internal.watch.WatchScope;
import io.cle.model.ApiResult;
import io.cle.model.ObjectKey;
import io.cle.runtime.internal.loop.EventLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests about single objects, whose results arrive on the event loop.
 *
 * @param transport the door to the API server
 * @param loop where results and events arrive
 * @param random for the jitter of retries
 * @param timeout how long a request may take
 * @param watches what is told of the versions that answers show
 */
public record ObjectClient(
        KubernetesTransport transport, EventLoop loop, RandomGenerator random, Duration timeout, OwnWatches watches) {

    private static final Logger log = LoggerFactory.getLogger(ObjectClient.class);

    /** The status of results about objects that can't be read or written: what an API server answers to such ones. */
    private static final int UNPROCESSABLE = 422;

    public ObjectClient(KubernetesTransport transport, EventLoop loop, RandomGenerator random, Duration timeout) {
        this(transport, loop, random, timeout, new OwnWatches());
    }

    /** Reads one object; empty when it isn't there, or says nothing of what the codec is about. */
    public <T> CompletionStage<ApiResult<Optional<T>>> read(ObjectCodec<T> codec, ObjectKey key) {
        ApiRequest request = request(Verb.GET, codec.resource(), key, key.name(), null);
        return send(request, response -> {
            if (Answers.missesObject(request, response)) {
                return new ApiResult.Ok<>(Optional.empty());
            }
            return Answers.resultOf(request, response, object -> decoded(codec, key, object));
        });
    }

    /** Creates an object. */
    public <T> CompletionStage<ApiResult<T>> create(ObjectCodec<T> codec, ObjectKey key, JsonObject object) {
        return write(codec, request(Verb.CREATE, codec.resource(), key, null, object));
    }

    /** Changes an object by a merge patch; by compare and swap where a resourceVersion is given. */
    public <T> CompletionStage<ApiResult<T>> patch(
            ObjectCodec<T> codec, ObjectKey key, JsonObject patch, @Nullable String resourceVersion) {
        if (resourceVersion != null) {
            patch.getAsJsonObject("metadata").addProperty("resourceVersion", resourceVersion);
        }
        return write(codec, request(Verb.PATCH, codec.resource(), key, key.name(), patch));
    }

    /** Deletes an object; one that isn't there counts as deleted. Gives the object where the server returns it. */
    public <T> CompletionStage<ApiResult<Optional<T>>> delete(
            ObjectCodec<T> codec, ObjectKey key, Optional<String> resourceVersion) {
        JsonObject options = new JsonObject();
        options.addProperty("apiVersion", "v1");
        options.addProperty("kind", "DeleteOptions");
        resourceVersion.ifPresent(version -> {
            JsonObject preconditions = new JsonObject();
            preconditions.addProperty("resourceVersion", version);
            options.add("preconditions", preconditions);
        });
        ApiRequest request = request(Verb.DELETE, codec.resource(), key, key.name(), options);
        return send(request, response -> {
            ApiResult<Optional<T>> result =
                    Answers.resultOf(request, response, object -> new ApiResult.Ok<>(deleted(codec, object)));
            return result instanceof ApiResult.Gone ? new ApiResult.Ok<>(Optional.empty()) : result;
        });
    }

    /** Watches one object. */
    public <T> Subscription watch(ObjectCodec<T> codec, ObjectKey key, Watcher<T> watcher) {
        Reflector<T> reflector = new Reflector<>(transport, loop, random, codec, WatchScope.one(key), watcher);
        watches.opened(key, reflector);
        reflector.start();
        return () -> {
            watches.closed(key, reflector);
            reflector.close();
        };
    }

    /** Watches the objects of a scope. */
    public <T> Subscription watch(ObjectCodec<T> codec, WatchScope scope, Watcher<T> watcher) {
        Reflector<T> reflector = new Reflector<>(transport, loop, random, codec, scope, watcher);
        watches.opened(reflector);
        reflector.start();
        return () -> {
            watches.closed(reflector);
            reflector.close();
        };
    }

    /** A stage that is completed on the loop, with a request that can't be made. */
    public <T> CompletionStage<ApiResult<T>> unwritable(
            ResourceType resource, ObjectKey key, IllegalArgumentException problem) {
        CompletableFuture<ApiResult<T>> stage = new CompletableFuture<>();
        ApiResult<T> refused = new ApiResult.Refused<>(
                UNPROCESSABLE, resource + " " + key + " can't be written: " + problem.getMessage(), null);
        loop.execute(() -> stage.complete(refused));
        return stage;
    }

    /** Sends a request; what its answer means is given to the stage on the loop. */
    public <R> CompletionStage<ApiResult<R>> send(ApiRequest request, Function<ApiResponse, ApiResult<R>> meaning) {
        CompletableFuture<ApiResult<R>> stage = new CompletableFuture<>();
        transport
                .send(request)
                .exceptionally(e -> new ApiResponse.Unanswered(request.describe() + ": " + e))
                .thenAccept(response -> loop.deliver(() -> stage.complete(meaningOf(request, response, meaning))));
        return stage;
    }

    /** If the stage never completed, its lock would wait for it for ever, and renew nothing meanwhile (safety.md#unknown-outcome). */
    private static <R> ApiResult<R> meaningOf(
            ApiRequest request, ApiResponse response, Function<ApiResponse, ApiResult<R>> meaning) {
        try {
            return meaning.apply(response);
        } catch (RuntimeException | Error e) {
            log.error("{}: the answer can't be handled; this is a bug, please report it", request.describe(), e);
            return new ApiResult.OutcomeUnknown<>(request.describe() + ": the answer can't be handled: " + e);
        }
    }

    public ApiRequest request(
            Verb verb, ResourceType resource, ObjectKey key, @Nullable String name, @Nullable JsonObject body) {
        return new ApiRequest(verb, resource, key.namespace(), name, Map.of(), body, timeout);
    }

    private <T> CompletionStage<ApiResult<T>> write(ObjectCodec<T> codec, ApiRequest request) {
        return send(
                request, response -> Answers.resultOf(request, response, object -> written(codec, request, object)));
    }

    private <T> ApiResult<Optional<T>> decoded(ObjectCodec<T> codec, ObjectKey key, JsonObject object) {
        try {
            return new ApiResult.Ok<>(shown(codec, object, false));
        } catch (MalformedObjectException e) {
            String message = codec.resource() + " " + key + " can't be understood: " + e.getMessage();
            return new ApiResult.Refused<>(UNPROCESSABLE, message, null);
        }
    }

    private <T> ApiResult<T> written(ObjectCodec<T> codec, ApiRequest request, JsonObject object) {
        String problem = "it hasn't what was written";
        try {
            Optional<T> stored = shown(codec, object, true);
            if (stored.isPresent()) {
                return new ApiResult.Ok<>(stored.get());
            }
        } catch (MalformedObjectException e) {
            problem = e.problem();
        }
        return new ApiResult.OutcomeUnknown<>(request.describe() + ": the answer can't be understood: " + problem);
    }

    private <T> Optional<T> shown(ObjectCodec<T> codec, JsonObject object, boolean written)
            throws MalformedObjectException {
        ServedObject served = ServedObject.of(object);
        watches.shown(codec.resource(), served, written);
        return codec.decodeStored(served);
    }

    private static <T> Optional<T> deleted(ObjectCodec<T> codec, JsonObject answer) {
        try {
            return codec.decode(ServedObject.of(answer));
        } catch (MalformedObjectException e) {
            // The response was a Status in place of the object, or malformed; the object is deleted all the same.
            return Optional.empty();
        }
    }
}

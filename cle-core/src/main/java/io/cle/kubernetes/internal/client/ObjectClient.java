package io.cle.kubernetes.internal.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.codec.JsonCodec;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.Answers;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.kubernetes.internal.watch.Reflector;
import io.cle.kubernetes.internal.watch.WatchedKind;
import io.cle.loop.internal.EventLoop;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.Watcher;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends requests about objects and delivers their results on the event loop. Thread-safe. */
public final class ObjectClient {

    private static final Logger log = LoggerFactory.getLogger(ObjectClient.class);

    /** The maximum number of objects per page of a list. */
    private static final int PAGE = 500;

    private final KubernetesTransport transport;
    private final EventLoop loop;
    private final RandomGenerator random;
    private final Duration timeout;
    private final EventOutbox outbox;

    /** The open watches. If a watch doesn't report the version in a response soon, it is stuck. */
    private final Set<Reflector<?>> watches = new CopyOnWriteArraySet<>();

    /**
     * Creates a client.
     *
     * @param transport sends requests to the API server
     * @param loop the loop that delivers results and events
     * @param random for the jitter of retries
     * @param timeout the timeout of a request
     */
    public ObjectClient(KubernetesTransport transport, EventLoop loop, RandomGenerator random, Duration timeout) {
        this.transport = transport;
        this.loop = loop;
        this.random = random;
        this.timeout = timeout;
        this.outbox = new EventOutbox(loop);
    }

    /** Returns the loop that delivers results and events. */
    public EventLoop loop() {
        return loop;
    }

    /** Returns the source of random suffixes and jitter. */
    public RandomGenerator random() {
        return random;
    }

    /** Returns the queue of Kubernetes Events, which are sent with a delay. */
    public EventOutbox outbox() {
        return outbox;
    }

    /** Reads one object; empty if it doesn't exist or has nothing that the codec decodes. */
    public <T> CompletionStage<ApiResult<Optional<T>>> read(JsonCodec<T> codec, ObjectKey key) {
        ApiRequest request = request(Verb.GET, codec.resource(), key, key.name(), null);
        return send(request, response -> {
            if (Answers.missesObject(request, response)) {
                return new ApiResult.Ok<>(Optional.empty());
            }
            return Answers.resultOf(request, response, object -> decoded(codec, key, object));
        });
    }

    /** Lists objects of a namespace, page by page; malformed objects are skipped. */
    public <T> CompletionStage<ApiResult<List<T>>> list(JsonCodec<T> codec, String namespace, Predicate<T> wanted) {
        CompletableFuture<ApiResult<List<T>>> stage = new CompletableFuture<>();
        listPage(codec, namespace, wanted, new ArrayList<>(), "", stage);
        return stage;
    }

    private <T> void listPage(
            JsonCodec<T> codec,
            String namespace,
            Predicate<T> wanted,
            List<T> found,
            String continuation,
            CompletableFuture<ApiResult<List<T>>> stage) {
        Map<String, String> query = new HashMap<>(Map.of("limit", Integer.toString(PAGE)));
        if (!continuation.isEmpty()) {
            query.put("continue", continuation);
        }
        ApiRequest request = new ApiRequest(Verb.LIST, codec.resource(), namespace, null, query, null, timeout);
        answered(
                        request,
                        () -> transport.list(
                                request,
                                item -> decodedIfReadable(codec, item)
                                        .filter(wanted)
                                        .ifPresent(found::add)))
                .thenAccept(response -> loop.deliver(() -> {
                    ApiResult<String> next = meaningOf(
                            request, response, answer -> Answers.resultOf(request, answer, ObjectClient::continuation));
                    if (next instanceof ApiResult.Ok<String> ok && !ok.value().isEmpty()) {
                        listPage(codec, namespace, wanted, found, ok.value(), stage);
                    } else {
                        stage.complete(next.map(end -> List.copyOf(found)));
                    }
                }));
    }

    private static ApiResult<String> continuation(JsonObject list) {
        try {
            String token = Fields.of(list).child("metadata").string("continue");
            return new ApiResult.Ok<>(token == null ? "" : token);
        } catch (MalformedObjectException e) {
            return new ApiResult.OutcomeUnknown<>("the list is malformed: " + e.getMessage());
        }
    }

    /**
     * Decodes an object of a list, or the answer to a deletion; empty if it can't be decoded. The coordinator reports malformed candidates, and a
     * deletion that is answered with a Status has succeeded as well.
     */
    private static <T> Optional<T> decodedIfReadable(JsonCodec<T> codec, JsonObject object) {
        try {
            return codec.decode(Fields.of(object));
        } catch (MalformedObjectException e) {
            return Optional.empty();
        }
    }

    /**
     * Creates an object.
     *
     * @param patch the merge patch with its fields; throws an {@link IllegalArgumentException} if it can't be written
     */
    public <T> CompletionStage<ApiResult<T>> create(JsonCodec<T> codec, ObjectKey key, Supplier<JsonObject> patch) {
        return write(codec, Verb.CREATE, key, null, () -> codec.created(key, patch.get()));
    }

    /**
     * Changes an object by a merge patch.
     *
     * @param patch the merge patch; throws an {@link IllegalArgumentException} if it can't be written
     * @param resourceVersion the version to compare and swap; {@code null} to write to any version
     */
    public <T> CompletionStage<ApiResult<T>> patch(
            JsonCodec<T> codec, ObjectKey key, Supplier<JsonObject> patch, @Nullable String resourceVersion) {
        return write(codec, Verb.PATCH, key, key.name(), () -> {
            JsonObject changes = patch.get();
            if (resourceVersion != null) {
                changes.getAsJsonObject("metadata").addProperty("resourceVersion", resourceVersion);
            }
            return changes;
        });
    }

    /** Deletes an object; succeeds if it doesn't exist. Returns the object if the server does. */
    public <T> CompletionStage<ApiResult<Optional<T>>> delete(
            JsonCodec<T> codec, ObjectKey key, Optional<String> resourceVersion) {
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
                    Answers.resultOf(request, response, object -> new ApiResult.Ok<>(decodedIfReadable(codec, object)));
            return result instanceof ApiResult.Gone ? new ApiResult.Ok<>(Optional.empty()) : result;
        });
    }

    /** Watches one object. */
    public <T> Subscription watch(JsonCodec<T> codec, ObjectKey key, Watcher<T> watcher) {
        return watch(WatchedKind.one(codec, key), watcher);
    }

    /** Watches objects of a kind. */
    public <T> Subscription watch(WatchedKind<T> kind, Watcher<T> watcher) {
        Reflector<T> reflector = new Reflector<>(transport, loop, random, kind, watcher);
        watches.add(reflector);
        reflector.start();
        return () -> {
            watches.remove(reflector);
            reflector.close();
        };
    }

    /**
     * Sends a request and completes the stage on the loop with the meaning of the response. Never throws, and the stage never fails: if the
     * request can't be sent, for example for lack of memory for a thread, its outcome is unknown.
     */
    public <R> CompletionStage<ApiResult<R>> send(ApiRequest request, Function<ApiResponse, ApiResult<R>> meaning) {
        CompletableFuture<ApiResult<R>> stage = new CompletableFuture<>();
        answered(request, () -> transport.send(request))
                .thenAccept(response -> loop.deliver(() -> stage.complete(meaningOf(request, response, meaning))));
        return stage;
    }

    private static CompletionStage<ApiResponse> answered(
            ApiRequest request, Supplier<CompletionStage<ApiResponse>> sending) {
        CompletionStage<ApiResponse> response;
        try {
            response = sending.get();
        } catch (RuntimeException | Error e) {
            response = CompletableFuture.failedStage(e);
        }
        return response.exceptionally(failure -> {
            log.error("{}: failed without a response; this is a bug, please report it", request.describe(), failure);
            return new ApiResponse.Unanswered("failed without a response: " + failure);
        });
    }

    /**
     * Interprets a response. Never throws: if the stage never completed, the lock would wait forever and not renew its lease
     * (safety.md#unknown-outcome).
     */
    private static <R> ApiResult<R> meaningOf(
            ApiRequest request, ApiResponse response, Function<ApiResponse, ApiResult<R>> meaning) {
        try {
            return meaning.apply(response);
        } catch (RuntimeException | Error e) {
            log.error("{}: the answer can't be handled; this is a bug, please report it", request.describe(), e);
            return new ApiResult.OutcomeUnknown<>(request.describe() + ": the answer can't be handled: " + e);
        }
    }

    /**
     * Returns a request about one object, or about the objects of a namespace.
     *
     * @param name {@code null} for a new object
     * @param body {@code null} for a request without one
     */
    public ApiRequest request(
            Verb verb, ResourceType resource, ObjectKey key, @Nullable String name, @Nullable JsonObject body) {
        return new ApiRequest(verb, resource, key.namespace(), name, Map.of(), body, timeout);
    }

    private <T> CompletionStage<ApiResult<T>> write(
            JsonCodec<T> codec, Verb verb, ObjectKey key, @Nullable String name, Supplier<JsonObject> body) {
        JsonObject content;
        try {
            content = body.get();
        } catch (RuntimeException | Error e) {
            return unwritable(codec.resource(), key, e);
        }
        ApiRequest request = request(verb, codec.resource(), key, name, content);
        return send(
                request,
                response -> Answers.resultOf(request, response, object -> written(codec, request, content, object)));
    }

    /** Returns a stage that completes on the loop with the failure of a request that can't be sent. */
    private <T> CompletionStage<ApiResult<T>> unwritable(ResourceType resource, ObjectKey key, Throwable problem) {
        CompletableFuture<ApiResult<T>> stage = new CompletableFuture<>();
        ApiResult<T> refused = new ApiResult.Refused<>(
                ApiResult.Refused.NONE, resource + " " + key + " can't be written: " + problem.getMessage(), null);
        loop.execute(() -> stage.complete(refused));
        return stage;
    }

    private <T> ApiResult<Optional<T>> decoded(JsonCodec<T> codec, ObjectKey key, JsonObject object) {
        try {
            return new ApiResult.Ok<>(shown(codec, object, false));
        } catch (MalformedObjectException e) {
            String message = codec.resource() + " " + key + " is malformed: " + e.getMessage();
            return new ApiResult.Refused<>(ApiResult.Refused.NONE, message, null);
        }
    }

    private <T> ApiResult<T> written(JsonCodec<T> codec, ApiRequest request, JsonObject content, JsonObject object) {
        String changes = String.join(", ", codec.changes(content, object));
        String problem = "it lacks the written fields " + changes;
        try {
            Optional<T> stored = shown(codec, object, true);
            if (stored.isPresent()) {
                return changes.isEmpty()
                        ? new ApiResult.Ok<>(stored.get())
                        : new ApiResult.Changed<>(stored.get(), request.describe() + ": " + changes);
            }
        } catch (MalformedObjectException e) {
            problem = e.problem();
        }
        return new ApiResult.OutcomeUnknown<>(request.describe() + ": the answer is malformed: " + problem);
    }

    private <T> Optional<T> shown(JsonCodec<T> codec, JsonObject object, boolean written)
            throws MalformedObjectException {
        Fields served = Fields.of(object);
        String version = served.resourceVersion();
        if (version != null) {
            ObjectKey key = served.key();
            for (Reflector<?> reflector : watches) {
                reflector.shown(codec.resource(), key, version, written);
            }
        }
        return codec.decodeStored(served);
    }
}

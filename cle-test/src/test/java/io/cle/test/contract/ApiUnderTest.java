package io.cle.test.contract;

import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.LockThreads;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** The API server that a contract tests: its stores, and direct access that bypasses them. */
public final class ApiUnderTest implements AutoCloseable {

    /** Timeout for a server that other tests overload. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final long SEED = 1;

    private final KubernetesTransport transport;
    private final LockThreads threads = LockThreads.create("contract");
    private final ObjectClient client;

    /**
     * Creates an API that closes the transport when it is closed.
     *
     * @param transport to a server with the namespace {@code default}
     */
    public ApiUnderTest(KubernetesTransport transport) {
        this.transport = transport;
        this.client = new ObjectClient(transport, threads.loop(), new Random(SEED), Duration.ofSeconds(10));
    }

    /** Returns the client of the stores. */
    public ObjectClient client() {
        return client;
    }

    /** Returns a unique key, in a namespace that exists. */
    public ObjectKey newKey(String prefix) {
        return new ObjectKey("default", prefix + "-" + UUID.randomUUID());
    }

    /** Reads an object as stored. */
    public JsonObject stored(ResourceType resource, ObjectKey key) {
        return answerTo(Verb.GET, resource, key, null);
    }

    /** Applies a merge patch to an object, bypassing the stores. */
    public JsonObject merge(ResourceType resource, ObjectKey key, JsonObject patch) {
        return answerTo(Verb.PATCH, resource, key, patch);
    }

    /** Creates an object, bypassing the stores. */
    public JsonObject create(ResourceType resource, ObjectKey key, JsonObject object) {
        object.addProperty("apiVersion", resource.apiVersion());
        object.addProperty("kind", resource.kind());
        JsonObject metadata = object.has("metadata") ? object.getAsJsonObject("metadata") : new JsonObject();
        metadata.addProperty("name", key.name());
        metadata.addProperty("namespace", key.namespace());
        object.add("metadata", metadata);
        return answerTo(Verb.CREATE, resource, key, object);
    }

    /** Deletes an object, bypassing the stores. */
    public void delete(ResourceType resource, ObjectKey key) {
        answerTo(Verb.DELETE, resource, key, null);
    }

    /** Waits for a result; fails unless it is a success. */
    public static <T> T ok(CompletionStage<ApiResult<T>> stage) {
        ApiResult<T> result = await(stage);
        assertThat(result).as(result.describe()).isInstanceOf(ApiResult.Ok.class);
        return ((ApiResult.Ok<T>) result).value();
    }

    /** Waits for a result. */
    public static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("no result", e);
        }
    }

    @Override
    public void close() {
        transport.close();
        threads.close();
    }

    private JsonObject answerTo(Verb verb, ResourceType resource, ObjectKey key, @Nullable JsonObject body) {
        String name = verb == Verb.CREATE ? null : key.name();
        ApiRequest request = new ApiRequest(verb, resource, key.namespace(), name, Map.of(), body, PATIENCE);
        ApiResponse response = await(transport.send(request));
        assertThat(response).isInstanceOf(ApiResponse.Answered.class);
        ApiResponse.Answered answered = (ApiResponse.Answered) response;
        assertThat(answered.ok()).as("%s: %s", request.describe(), answered).isTrue();
        return answered.body();
    }
}

package io.cle.kubernetes.internal.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.transport.Answers;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;

/**
 * Removes a dead leader from the EndpointSlice in which it kept itself ({@link LeaderEndpoints}), for a coordinator. Writes by compare and
 * swap, so that a leader that was added meanwhile stays.
 */
public final class LeaderlessEndpoints {

    private final ObjectClient client;

    /** Creates an instance that sends nothing yet. */
    public LeaderlessEndpoints(ObjectClient client) {
        this.client = client;
    }

    /**
     * Empties a slice.
     *
     * @return whether an endpoint was removed; false if the slice doesn't exist. Never fails
     */
    public CompletionStage<ApiResult<Boolean>> empty(ObjectKey slice) {
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
                            ? patch(slice, ((ApiResult.Ok<JsonObject>) result).value())
                            : CompletableFuture.completedFuture(result.map(unused -> false));
                });
    }

    private CompletionStage<ApiResult<Boolean>> patch(ObjectKey slice, JsonObject found) {
        JsonObject metadata = new JsonObject();
        JsonElement version = found.getAsJsonObject("metadata").get("resourceVersion");
        metadata.add("resourceVersion", version);
        JsonObject patch = new JsonObject();
        patch.add("metadata", metadata);
        patch.add("endpoints", new JsonArray());
        ApiRequest write = client.request(Verb.PATCH, ResourceType.ENDPOINT_SLICES, slice, slice.name(), patch);
        return client.send(write, response -> Answers.resultOf(write, response, changed -> new ApiResult.Ok<>(true)));
    }
}

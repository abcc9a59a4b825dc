package io.cle.coordinator;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Acts on a cluster as an administrator, or as a writer of malformed objects. */
final class Cluster implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int CREATED = 201;
    private static final int CONFLICT = 409;
    private static final ResourceType NAMESPACES = new ResourceType("", "v1", "namespaces", "Namespace");

    private final KubernetesTransport transport;

    Cluster(KubernetesAccess access) {
        this.transport = OkHttpTransport.to(access);
    }

    /** Creates an object. */
    void create(ResourceType type, String namespace, String name, String specAsJson) {
        JsonObject object = object(type, name);
        object.getAsJsonObject("metadata").addProperty("namespace", namespace);
        object.add("spec", JsonParser.parseString(specAsJson));
        send(new ApiRequest(Verb.CREATE, type, namespace, null, Map.of(), object, TIMEOUT));
    }

    /** Creates a namespace, unless another test class that shares the API server has. */
    void createNamespace(String name) {
        ApiRequest request =
                new ApiRequest(Verb.CREATE, NAMESPACES, null, null, Map.of(), object(NAMESPACES, name), TIMEOUT);
        assertThat(transport.send(request).toCompletableFuture().join())
                .isInstanceOfSatisfying(
                        ApiResponse.Answered.class,
                        answer -> assertThat(answer.status()).isIn(CREATED, CONFLICT));
    }

    /** Applies a merge patch to an object. */
    void patch(ResourceType type, String namespace, String name, String patchAsJson) {
        JsonObject patch = JsonParser.parseString(patchAsJson).getAsJsonObject();
        send(new ApiRequest(Verb.PATCH, type, namespace, name, Map.of(), patch, TIMEOUT));
    }

    /** Deletes an object. */
    void delete(ResourceType type, @Nullable String namespace, String name) {
        send(new ApiRequest(Verb.DELETE, type, namespace, name, Map.of(), null, TIMEOUT));
    }

    /** Returns the objects of a namespace. */
    List<JsonObject> list(ResourceType type, String namespace) {
        JsonObject list = send(new ApiRequest(Verb.LIST, type, namespace, null, Map.of(), null, TIMEOUT));
        return list.getAsJsonArray("items").asList().stream()
                .map(JsonElement::getAsJsonObject)
                .toList();
    }

    private static JsonObject object(ResourceType type, String name) {
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", name);
        JsonObject object = new JsonObject();
        object.addProperty("apiVersion", type.apiVersion());
        object.addProperty("kind", type.kind());
        object.add("metadata", metadata);
        return object;
    }

    private JsonObject send(ApiRequest request) {
        ApiResponse response = transport.send(request).toCompletableFuture().join();
        assertThat(response)
                .as(request.describe())
                .isInstanceOfSatisfying(
                        ApiResponse.Answered.class,
                        answer -> assertThat(answer.ok()).as("%s", answer).isTrue());
        return ((ApiResponse.Answered) response).body();
    }

    @Override
    public void close() {
        transport.close();
    }
}

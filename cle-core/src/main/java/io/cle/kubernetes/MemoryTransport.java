package io.cle.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.api.Subscription;

/**
 * A door to no API server, but to a few objects in memory: enough for a rehearsal, in which nobody writes what another one has
 * changed meanwhile, so that versions count and are never compared. All that passes is written out and parsed, as it is on the wire. For
 * an API server to test against see the module cle-test.
 *
 * <p>Confined to one thread, on which answers and events arrive before the call returns.
 */
public final class MemoryTransport implements KubernetesTransport {

    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int NOT_FOUND = 404;

    private final Map<String, JsonObject> objects = new TreeMap<>();
    private final List<Watch> watches = new ArrayList<>();
    private long version = 1;

    private record Watch(String collection, WatchStream stream) {}

    @Override
    public CompletionStage<ApiResponse> send(ApiRequest request) {
        String path = request.path();
        JsonObject body = request.body() == null ? new JsonObject() : overTheWire(request.body());
        return CompletableFuture.completedFuture(
                switch (request.verb()) {
                    case CREATE -> create(path, body);
                    case LIST, WATCH -> answer(OK, list(path));
                    case GET, PATCH, DELETE -> {
                        JsonObject object = objects.get(path);
                        yield object == null ? missing(request) : answer(OK, about(request.verb(), path, object, body));
                    }
                });
    }

    @Override
    public Subscription watch(ApiRequest request, WatchStream stream) {
        Watch watch = new Watch(request.path(), stream);
        watches.add(watch);
        return () -> watches.remove(watch);
    }

    @Override
    public void close() {
        watches.clear();
    }

    private JsonObject about(ApiRequest.Verb verb, String path, JsonObject object, JsonObject body) {
        if (verb == ApiRequest.Verb.PATCH) {
            merge(object, body);
            changed("MODIFIED", path, object);
        } else if (verb == ApiRequest.Verb.DELETE) {
            objects.remove(path);
            changed("DELETED", path, object);
        }
        return object;
    }

    private ApiResponse create(String collection, JsonObject object) {
        JsonObject metadata = object.getAsJsonObject("metadata");
        String path = collection + '/' + metadata.get("name").getAsString();
        metadata.addProperty("uid", path);
        objects.put(path, object);
        changed("ADDED", path, object);
        return answer(CREATED, object);
    }

    private JsonObject list(String collection) {
        JsonArray items = new JsonArray();
        objects.forEach((path, object) -> {
            if (collectionOf(path).equals(collection)) {
                items.add(object);
            }
        });
        JsonObject metadata = new JsonObject();
        metadata.addProperty("resourceVersion", Long.toString(version));
        JsonObject list = new JsonObject();
        list.add("metadata", metadata);
        list.add("items", items);
        return list;
    }

    private void changed(String type, String path, JsonObject object) {
        object.getAsJsonObject("metadata").addProperty("resourceVersion", Long.toString(++version));
        JsonObject event = new JsonObject();
        event.addProperty("type", type);
        event.add("object", object);
        for (Watch watch : List.copyOf(watches)) {
            if (watch.collection().equals(collectionOf(path))) {
                watch.stream().onEvent(overTheWire(event));
            }
        }
    }

    private static String collectionOf(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    /** A merge patch, RFC 7386. */
    private static void merge(JsonObject target, JsonObject patch) {
        for (Map.Entry<String, JsonElement> member : patch.entrySet()) {
            String name = member.getKey();
            JsonElement value = member.getValue();
            if (value.isJsonNull()) {
                target.remove(name);
            } else if (value instanceof JsonObject inner) {
                JsonObject merged = target.get(name) instanceof JsonObject known ? known : new JsonObject();
                merge(merged, inner);
                target.add(name, merged);
            } else {
                target.add(name, value);
            }
        }
    }

    private static ApiResponse answer(int status, JsonObject body) {
        return new ApiResponse.Answered(status, overTheWire(body), null);
    }

    private static ApiResponse missing(ApiRequest request) {
        JsonObject details = new JsonObject();
        details.addProperty("name", Objects.requireNonNull(request.name()));
        JsonObject status = new JsonObject();
        status.addProperty("kind", "Status");
        status.addProperty("reason", "NotFound");
        status.add("details", details);
        return answer(NOT_FOUND, status);
    }

    private static JsonObject overTheWire(JsonObject object) {
        try {
            return Json.parseObject(object.toString());
        } catch (MalformedObjectException e) {
            throw new IllegalStateException("what was written can't be read", e);
        }
    }
}

package io.cle.test.apiserver.memory;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.resource.Ages;
import io.cle.test.apiserver.resource.ApiResource;
import io.cle.test.apiserver.status.ApiFailure;
import io.cle.test.apiserver.store.FieldSelector;
import io.cle.test.apiserver.store.LabelSelector;
import io.cle.test.apiserver.store.Listing;
import io.cle.test.apiserver.store.ObjectStore;
import org.jspecify.annotations.Nullable;

/** Gets, lists and watches. */
final class Reads {

    private final ObjectStore store;
    private final Supplier<Instant> wallClock;
    private final Collection<WatchStream> openWatches;

    Reads(ObjectStore store, Supplier<Instant> wallClock, Collection<WatchStream> openWatches) {
        this.store = store;
        this.wallClock = wallClock;
        this.openWatches = openWatches;
    }

    ServerResponse get(ApiResource type, RequestPath path, ApiServerRequest request) {
        requireReached(resourceVersion(request));
        String name = path.objectName();
        JsonObject object = store.get(type.groupResource(), path.objectNamespace(), name);
        if (object == null) {
            throw ApiFailure.notFound(type.group(), type.plural(), name);
        }
        JsonObject seen = type.view(object);
        return new ServerResponse.Answer(
                200, request.wantsTable() ? Tables.of(type, seen, ages(), wantsWholeObjects(request)) : seen);
    }

    ServerResponse list(ApiResource type, RequestPath path, ApiServerRequest request) {
        Long asked = resourceVersion(request);
        requireReached(asked);
        Predicate<JsonObject> selector = selector(type, path, request);
        ListPage page = ListPage.of(request, asked);
        Long state = page.resourceVersion();
        Listing listing = state == null
                ? store.list(type.groupResource(), path.namespace(), selector)
                : store.listAt(type.groupResource(), path.namespace(), selector, state);
        List<JsonObject> items = new ArrayList<>(page.items(listing));
        items.replaceAll(type::view);
        String resourceVersion = store.text(listing.resourceVersion());
        JsonObject list = request.wantsTable()
                ? Tables.of(type, items, resourceVersion, ages(), wantsWholeObjects(request))
                : listOf(type, items, resourceVersion);
        page.describe(listing, list.getAsJsonObject("metadata"));
        return new ServerResponse.Answer(200, list);
    }

    WatchStream watch(ApiResource type, RequestPath path, ApiServerRequest request) {
        UnaryOperator<JsonObject> view = type::view;
        if (request.wantsTable()) {
            boolean whole = wantsWholeObjects(request);
            view = object -> Tables.of(type, type.view(object), ages(), whole);
        }
        return new WatchStream(
                store,
                openWatches,
                type,
                path.namespace(),
                resourceVersion(request),
                selector(type, path, request),
                view,
                request.isSet("allowWatchBookmarks"),
                timeoutSeconds(request));
    }

    /** Returns a list. As in kube-apiserver, items of built-in kinds have no kind and apiVersion. */
    private static JsonObject listOf(ApiResource type, List<JsonObject> objects, String resourceVersion) {
        JsonObject metadata = new JsonObject();
        metadata.addProperty("resourceVersion", resourceVersion);
        JsonArray items = new JsonArray(objects.size());
        for (JsonObject object : objects) {
            items.add(type.custom() ? object : withoutKind(object));
        }
        JsonObject list = new JsonObject();
        list.addProperty("kind", type.kind() + "List");
        list.addProperty("apiVersion", type.apiVersion());
        list.add("metadata", metadata);
        list.add("items", items);
        return list;
    }

    private static Predicate<JsonObject> selector(ApiResource type, RequestPath path, ApiServerRequest request) {
        Predicate<JsonObject> selector = LabelSelector.parse(request.query().get("labelSelector"))
                .and(FieldSelector.parse(request.query().get("fieldSelector"), type.selectableFields()));
        String name = path.name();
        return name == null ? selector : selector.and(FieldSelector.name(name));
    }

    private static JsonObject withoutKind(JsonObject object) {
        JsonObject item = new JsonObject();
        object.asMap().forEach((field, value) -> {
            if (!field.equals("kind") && !field.equals("apiVersion")) {
                item.add(field, value);
            }
        });
        return item;
    }

    private @Nullable Long resourceVersion(ApiServerRequest request) {
        String text = request.query().get("resourceVersion");
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            return store.number(text);
        } catch (NumberFormatException e) {
            throw ApiFailure.badRequest("resourceVersion: Invalid value: \"" + text
                    + "\": strconv.ParseUint: parsing \"" + text + "\": invalid syntax");
        }
    }

    private static int timeoutSeconds(ApiServerRequest request) {
        try {
            return Integer.parseInt(request.query().getOrDefault("timeoutSeconds", "0"));
        } catch (NumberFormatException e) {
            throw ApiFailure.badRequest("timeoutSeconds is not a number of seconds: "
                    + request.query().get("timeoutSeconds"));
        }
    }

    private void requireReached(@Nullable Long resourceVersion) {
        if (resourceVersion != null && resourceVersion > store.resourceVersion()) {
            throw ApiFailure.tooLargeResourceVersion(store.text(resourceVersion), store.text(store.resourceVersion()));
        }
    }

    private static boolean wantsWholeObjects(ApiServerRequest request) {
        return "Object".equals(request.query().get("includeObject"));
    }

    private Ages ages() {
        return new Ages(wallClock.get());
    }
}

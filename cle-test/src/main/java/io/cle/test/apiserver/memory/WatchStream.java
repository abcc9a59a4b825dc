package io.cle.test.apiserver.memory;

import java.util.Collection;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.resource.ApiResource;
import io.cle.test.apiserver.status.ApiFailure;
import io.cle.test.apiserver.store.ObjectChange;
import io.cle.test.apiserver.store.ObjectStore;
import io.cle.test.apiserver.store.OpenWatch;
import org.jspecify.annotations.Nullable;

/**
 * A requested watch. It delivers nothing until it is started, and has no clock of its own: its owner sends
 * {@link #bookmark() bookmarks} periodically and {@link #close() closes} it after {@link #timeoutSeconds()}.
 *
 * <p>Not thread-safe, like its server: start, bookmark and close it under the same lock as requests.
 */
public final class WatchStream implements ServerResponse, OpenWatch {

    private final ObjectStore store;
    private final Collection<WatchStream> open;
    private final ApiResource type;
    private final @Nullable String namespace;
    private final @Nullable Long from;
    private final Predicate<JsonObject> selector;
    private final UnaryOperator<JsonObject> view;
    private final boolean bookmarks;
    private final int timeoutSeconds;
    private @Nullable WatchListener listener;
    private @Nullable OpenWatch subscription;

    WatchStream(
            ObjectStore store,
            Collection<WatchStream> open,
            ApiResource type,
            @Nullable String namespace,
            @Nullable Long from,
            Predicate<JsonObject> selector,
            UnaryOperator<JsonObject> view,
            boolean bookmarks,
            int timeoutSeconds) {
        this.store = store;
        this.open = open;
        this.type = type;
        this.namespace = namespace;
        this.from = from;
        this.selector = selector;
        this.view = view;
        this.bookmarks = bookmarks;
        this.timeoutSeconds = timeoutSeconds;
    }

    @Override
    public int code() {
        return 200;
    }

    /** Whether the client has asked for bookmarks. */
    public boolean wantsBookmarks() {
        return bookmarks;
    }

    /** Returns the timeout of the watch; 0 if the client set none. */
    public int timeoutSeconds() {
        return timeoutSeconds;
    }

    /**
     * Starts delivering past changes, then new ones as they happen. A watch from before the kept history delivers one {@code ERROR} of 410 and ends.
     */
    public void start(WatchListener told) {
        listener = told;
        open.add(this);
        try {
            subscription = store.watch(type.groupResource(), namespace, from, selector, this::tell);
        } catch (ApiFailure failure) {
            fail(failure);
        }
    }

    /**
     * Sends a bookmark if the client wants them and the watch is open, unless it starts from a version that the server hasn't reached.
     */
    public void bookmark() {
        boolean reached = from == null || from <= store.resourceVersion();
        if (bookmarks && listener != null && reached) {
            JsonObject metadata = new JsonObject();
            metadata.addProperty("resourceVersion", store.text(store.resourceVersion()));
            JsonObject object = new JsonObject();
            object.addProperty("kind", type.kind());
            object.addProperty("apiVersion", type.apiVersion());
            object.add("metadata", metadata);
            tell("BOOKMARK", object);
        }
    }

    /** Ends the watch for the client: nothing more is delivered. Idempotent. */
    @Override
    public void close() {
        listener = null;
        open.remove(this);
        if (subscription != null) {
            subscription.close();
            subscription = null;
        }
    }

    /** Ends the watch from the server's side. */
    public void end() {
        WatchListener told = listener;
        close();
        if (told != null) {
            told.onEnd();
        }
    }

    /** Ends the watch with an {@code ERROR}. */
    void fail(ApiFailure failure) {
        tell("ERROR", failure.toStatus());
        end();
    }

    boolean isOf(ApiResource other) {
        return type.equals(other);
    }

    private void tell(ObjectChange event) {
        tell(event.type().name(), view.apply(event.object()));
    }

    private void tell(String what, JsonElement object) {
        if (listener != null) {
            JsonObject event = new JsonObject();
            event.addProperty("type", what);
            event.add("object", object);
            listener.onEvent(event);
        }
    }
}

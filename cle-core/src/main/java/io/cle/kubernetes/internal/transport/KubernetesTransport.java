package io.cle.kubernetes.internal.transport;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.store.internal.Subscription;

/**
 * A door to an API server that passes JSON through. It retries nothing and interprets nothing; that is done above it.
 * Thread-safe. Answers may arrive on any thread, also on the caller's before the call returns.
 */
public interface KubernetesTransport extends AutoCloseable {

    /** Sends a request without blocking. Never throws; the stage never fails, and completes within the request's timeout. */
    CompletionStage<ApiResponse> send(ApiRequest request);

    /**
     * Sends a list request without blocking, and hands over each object as soon as it has been read, so that a list of many large objects
     * never stands in memory as a whole. The stage never fails, and completes within the request's timeout.
     *
     * @param items takes the objects in their order, one at a time, on any thread, before the stage completes. An object may come
     *     from a list that breaks off afterwards: then the response isn't a successful one
     * @return the response, whose body has no {@code items}
     */
    default CompletionStage<ApiResponse> list(ApiRequest request, Consumer<JsonObject> items) {
        return send(request).thenApply(response -> {
            if (!(response instanceof ApiResponse.Answered answered) || !answered.ok()) {
                return response;
            }
            try {
                JsonObject rest = Json.withoutItems(answered.body(), items);
                return new ApiResponse.Answered(answered.status(), rest, answered.retryAfter());
            } catch (MalformedObjectException e) {
                return new ApiResponse.Unanswered(
                        request.describe() + ": the list can't be understood: " + e.getMessage());
            }
        });
    }

    /**
     * Opens a watch without blocking. One that isn't open within seconds ends as {@link WatchEnd.NotOpened}. An open one may be silent for
     * any time: how long is too long is the caller's to judge.
     *
     * @return cuts the watch; its stream may still hear of what was under way
     */
    Subscription watch(ApiRequest request, WatchStream stream);

    /** Cuts what is under way and frees threads and connections. Idempotent. */
    @Override
    void close();

    /** Receives a watch's events one after the other, then its end, once. Must not block. */
    interface WatchStream {

        /** An event, as the server sent it: {@code {"type": …, "object": …}}. */
        void onEvent(JsonObject event);

        /** The watch is over. */
        void onEnd(WatchEnd end);
    }

    /** How a watch ended. */
    sealed interface WatchEnd {

        /** The server ended it in good order, as it does after a while. */
        record Completed() implements WatchEnd {}

        /** The server answered with something else than a watch. */
        record Refused(ApiResponse.Answered answer) implements WatchEnd {}

        /** The server couldn't be reached, or hasn't answered: there has been no watch. */
        record NotOpened(String message) implements WatchEnd {}

        /** The connection broke while the watch was open, or what came over it is no JSON. */
        record Broken(String message) implements WatchEnd {}
    }
}

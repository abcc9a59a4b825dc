package io.cle.kubernetes.internal.transport;

import java.io.IOException;
import java.io.StringReader;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.store.internal.Subscription;

/**
 * Sends JSON requests to an API server. Doesn't retry or interpret anything; callers do. Thread-safe. Answers may arrive on any thread,
 * even on the caller's before the method returns.
 */
public interface KubernetesTransport extends AutoCloseable {

    /** Sends a request without blocking. Never throws; the stage never fails and completes within the request's timeout. */
    CompletionStage<ApiResponse> send(ApiRequest request);

    /**
     * Sends a list request without blocking, and passes on each object as soon as it is read, so that a large list is never in memory as a
     * whole. The stage never fails and completes within the request's timeout.
     *
     * @param items receives the objects in order, one at a time, on any thread, before the stage completes. If the list breaks off
     *     afterwards, the response is not successful
     * @return the response, whose body has no {@code items}
     */
    default CompletionStage<ApiResponse> list(ApiRequest request, Consumer<JsonObject> items) {
        return send(request).thenApply(response -> {
            if (!(response instanceof ApiResponse.Answered answered) || !answered.ok()) {
                return response;
            }
            try {
                JsonObject rest = Json.readList(new StringReader(answered.body().toString()), items);
                return new ApiResponse.Answered(answered.status(), rest, answered.retryAfter());
            } catch (MalformedObjectException | IOException e) {
                return new ApiResponse.Unanswered(request.describe() + ": the list is malformed: " + e.getMessage());
            }
        });
    }

    /**
     * Opens a watch without blocking. If it can't be opened within seconds, it ends as {@link WatchEnd.NotOpened}. An open watch may be
     * silent for any time; the caller has to detect dead watches.
     *
     * @return cancels the watch; its stream may still receive events in progress
     */
    Subscription watch(ApiRequest request, WatchStream stream);

    /** Cancels all requests and watches and releases threads and connections. Idempotent. */
    @Override
    void close();

    /** Receives the events of a watch one at a time, and finally its end. Must not block. */
    interface WatchStream {

        /** Handles an event, as sent by the server: {@code {"type": …, "object": …}}. */
        void onEvent(JsonObject event);

        /** Handles the end of the watch. */
        void onEnd(WatchEnd end);
    }

    /** How a watch ended. */
    sealed interface WatchEnd {

        /** The server closed it regularly, as it does after some time. */
        record Completed() implements WatchEnd {}

        /** The server refused the watch. */
        record Refused(ApiResponse.Answered answer) implements WatchEnd {}

        /** The server couldn't be reached, or didn't answer: the watch was never open. */
        record NotOpened(String message) implements WatchEnd {}

        /** The connection broke while the watch was open, or an event wasn't JSON. */
        record Broken(String message) implements WatchEnd {}
    }
}

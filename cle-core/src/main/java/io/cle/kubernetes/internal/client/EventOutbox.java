package io.cle.kubernetes.internal.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.cle.loop.internal.EventLoop;
import io.cle.model.internal.ApiResult;

/**
 * Sends Kubernetes Events one at a time. They are for people and not urgent, and a thousand simultaneous elections must not wait for a
 * thousand Events. Thread-safe. Rule: {@code protocol.md#events}.
 */
public final class EventOutbox {

    /** The maximum number of queued Events, as in client-go. Further Events are dropped; the log still has them. */
    static final int ROOM = 1_000;

    private static final int TOO_MANY_REQUESTS = 429;

    private final EventLoop loop;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean busy;

    EventOutbox(EventLoop loop) {
        this.loop = loop;
    }

    /**
     * Queues a request.
     *
     * @return completes on the loop with the result of the request
     */
    public CompletionStage<ApiResult<String>> post(Supplier<CompletionStage<ApiResult<String>>> request) {
        CompletableFuture<ApiResult<String>> result = new CompletableFuture<>();
        loop.execute(() -> {
            if (waiting.size() == ROOM) {
                result.complete(new ApiResult.Refused<>(TOO_MANY_REQUESTS, ROOM + " Events are waiting already", null));
                return;
            }
            waiting.add(() -> send(request, result));
            sendNext();
        });
        return result;
    }

    private void sendNext() {
        if (!busy && !waiting.isEmpty()) {
            busy = true;
            waiting.remove().run();
        }
    }

    private void send(
            Supplier<CompletionStage<ApiResult<String>>> request, CompletableFuture<ApiResult<String>> result) {
        CompletableFuture.completedStage(request).thenCompose(Supplier::get).whenComplete((sent, failure) -> {
            // Scheduled instead of called, because a thousand requests that complete at once would nest.
            loop.execute(() -> {
                busy = false;
                sendNext();
            });
            if (failure == null) {
                result.complete(sent);
            } else {
                result.completeExceptionally(failure);
            }
        });
    }
}

package io.cle.kubernetes.internal.store;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.cle.model.ApiResult;
import io.cle.runtime.internal.loop.EventLoop;

/**
 * Sends Kubernetes Events after what they tell of, and one by one: they are for people, who have time, while processes wait for the
 * elections, and the API server is the same. A thousand elections at once would else wait for a thousand Events. Thread-safe.
 */
final class EventOutbox {

    /** Longer than a hand-over takes, shorter than it takes a person to ask. */
    static final Duration DELAY = Duration.ofMillis(500);

    /** Between two of them: at most fifty a second. */
    static final Duration PACE = Duration.ofMillis(20);

    /** Those that come when so many wait are dropped; what they would have told is in the log. */
    static final int ROOM = 10_000;

    private static final int TOO_MANY_REQUESTS = 429;

    private final EventLoop loop;
    private final Deque<Letter> waiting = new ArrayDeque<>();
    private boolean busy;

    private record Letter(
            Supplier<CompletionStage<ApiResult<String>>> request, CompletableFuture<ApiResult<String>> result) {}

    EventOutbox(EventLoop loop) {
        this.loop = loop;
    }

    /**
     * Sends a request later.
     *
     * @return completes on the loop, with what the request came to
     */
    CompletionStage<ApiResult<String>> post(Supplier<CompletionStage<ApiResult<String>>> request) {
        Letter letter = new Letter(request, new CompletableFuture<>());
        loop.execute(() -> add(letter));
        return letter.result();
    }

    private void add(Letter letter) {
        if (waiting.size() >= ROOM) {
            letter.result().complete(new ApiResult.Refused<>(TOO_MANY_REQUESTS, ROOM + " Events are waiting", null));
            return;
        }
        waiting.add(letter);
        if (!busy) {
            busy = true;
            loop.schedule(DELAY, this::sendNext);
        }
    }

    private void sendNext() {
        Letter letter = waiting.poll();
        if (letter == null) {
            busy = false;
            return;
        }
        CompletableFuture.completedStage(letter)
                .thenCompose(next -> next.request().get())
                .whenComplete((result, failure) -> {
                    loop.schedule(PACE, this::sendNext);
                    if (failure == null) {
                        letter.result().complete(result);
                    } else {
                        letter.result().completeExceptionally(failure);
                    }
                });
    }
}

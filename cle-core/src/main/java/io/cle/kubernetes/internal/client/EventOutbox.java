package io.cle.kubernetes.internal.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.cle.loop.internal.EventLoop;
import io.cle.model.internal.ApiResult;

/**
 * Sends Kubernetes Events with a delay and one at a time. Events are for people and not urgent, while processes are waiting for the
 * elections that share the API server: otherwise a thousand simultaneous elections would wait for a thousand Events. Namespaces take turns,
 * each with its own rate limit and queue, so that one tenant can't delay or displace another tenant's Events. Thread-safe. Rule:
 * {@code safety.md#reasons}.
 */
final class EventOutbox {

    /** Longer than a hand-over, but short enough for a person who looks at the Events right afterwards. */
    static final Duration DELAY = Duration.ofMillis(500);

    /** Between two Events: at most 50 per second. */
    static final Duration PACE = Duration.ofMillis(20);

    /** Between two Events of a namespace: at most 10 per second. */
    static final Duration PACE_OF_NAMESPACE = Duration.ofMillis(100);

    /** The length of a namespace's queue. When it is full, further Events are dropped; the log still has them. */
    static final int ROOM = 1_000;

    private static final int TOO_MANY_REQUESTS = 429;

    private final EventLoop loop;

    /** In the order in which the namespaces take turns. */
    private final Map<String, OfNamespace> waiting = new LinkedHashMap<>();

    private boolean busy;

    private static final class OfNamespace {
        private final Deque<Letter> letters = new ArrayDeque<>();
        private long notBefore;

        private OfNamespace(long notBefore) {
            this.notBefore = notBefore;
        }
    }

    private record Letter(
            Supplier<CompletionStage<ApiResult<String>>> request, CompletableFuture<ApiResult<String>> result) {}

    EventOutbox(EventLoop loop) {
        this.loop = loop;
    }

    /**
     * Queues a request.
     *
     * @param namespace the namespace that the Event belongs to
     * @return completes on the loop with the result of the request
     */
    CompletionStage<ApiResult<String>> post(String namespace, Supplier<CompletionStage<ApiResult<String>>> request) {
        Letter letter = new Letter(request, new CompletableFuture<>());
        loop.execute(() -> add(namespace, letter));
        return letter.result();
    }

    private void add(String namespace, Letter letter) {
        OfNamespace all = waiting.computeIfAbsent(
                namespace, unused -> new OfNamespace(loop.clock().nanos()));
        if (all.letters.size() >= ROOM) {
            letter.result()
                    .complete(new ApiResult.Refused<>(
                            TOO_MANY_REQUESTS, ROOM + " Events of the namespace " + namespace + " are waiting", null));
            return;
        }
        all.letters.add(letter);
        if (!busy) {
            busy = true;
            loop.schedule(DELAY, this::sendNext);
        }
    }

    private void sendNext() {
        long now = loop.clock().nanos();
        waiting.values().removeIf(all -> all.letters.isEmpty() && all.notBefore - now <= 0);
        long soonest = Long.MAX_VALUE;
        for (Map.Entry<String, OfNamespace> next : waiting.entrySet()) {
            OfNamespace all = next.getValue();
            if (all.letters.isEmpty()) {
                continue;
            }
            if (all.notBefore - now <= 0) {
                Letter letter = all.letters.remove();
                all.notBefore = now + PACE_OF_NAMESPACE.toNanos();
                waiting.remove(next.getKey());
                waiting.put(next.getKey(), all);
                send(letter);
                return;
            }
            soonest = Math.min(soonest, all.notBefore - now);
        }
        if (soonest == Long.MAX_VALUE) {
            busy = false;
        } else {
            loop.schedule(Duration.ofNanos(soonest), this::sendNext);
        }
    }

    private void send(Letter letter) {
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

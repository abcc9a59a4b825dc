package io.cle.kubernetes.internal.transport;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.store.internal.Subscription;

/** A transport whose answers a test scripts beforehand or gives to an open request. */
public final class FakeTransport implements KubernetesTransport {

    /** A watch that was opened. */
    public static final class OpenWatch {
        public final ApiRequest request;
        private final WatchStream stream;
        public boolean cut;

        OpenWatch(ApiRequest request, WatchStream stream) {
            this.request = request;
            this.stream = stream;
        }

        public void event(String type, String object) {
            JsonObject event = new JsonObject();
            event.addProperty("type", type);
            event.add("object", json(object));
            stream.onEvent(event);
        }

        public void raw(String event) {
            stream.onEvent(json(event));
        }

        public void end(WatchEnd end) {
            stream.onEnd(end);
        }
    }

    public final List<ApiRequest> requests = new ArrayList<>();
    public final List<OpenWatch> watches = new ArrayList<>();
    private final Deque<Supplier<ApiResponse>> answers = new ArrayDeque<>();

    public static JsonObject json(String text) {
        return JsonParser.parseString(text.replace('\'', '"')).getAsJsonObject();
    }

    /** Scripts the answer to the next request. */
    public FakeTransport answer(int status, String body) {
        ApiResponse answer = new ApiResponse.Answered(status, json(body), null);
        answers.add(() -> answer);
        return this;
    }

    public FakeTransport answer(int status, String body, Duration retryAfter) {
        ApiResponse answer = new ApiResponse.Answered(status, json(body), retryAfter);
        answers.add(() -> answer);
        return this;
    }

    public FakeTransport noAnswer(String message) {
        answers.add(() -> new ApiResponse.Unanswered(message));
        return this;
    }

    public ApiRequest lastRequest() {
        return requests.get(requests.size() - 1);
    }

    public OpenWatch lastWatch() {
        return watches.get(watches.size() - 1);
    }

    @Override
    public CompletionStage<ApiResponse> send(ApiRequest request) {
        requests.add(request);
        Supplier<ApiResponse> answer = answers.poll();
        return CompletableFuture.completedFuture(
                answer == null ? new ApiResponse.Unanswered("connection refused") : answer.get());
    }

    @Override
    public Subscription watch(ApiRequest request, WatchStream stream) {
        OpenWatch watch = new OpenWatch(request, stream);
        watches.add(watch);
        return () -> watch.cut = true;
    }

    @Override
    public void close() {}
}

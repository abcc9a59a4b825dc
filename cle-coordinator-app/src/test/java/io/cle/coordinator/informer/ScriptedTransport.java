package io.cle.coordinator.informer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonParser;
import io.cle.api.Subscription;
import io.cle.kubernetes.ApiRequest;
import io.cle.kubernetes.ApiResponse;
import io.cle.kubernetes.KubernetesTransport;

/** An API server of a few prepared answers: lists by path, watches that the test speaks for. */
final class ScriptedTransport implements KubernetesTransport {

    private final Map<String, ApiResponse> lists = new HashMap<>();
    final List<ApiRequest> requests = new ArrayList<>();
    final List<WatchStream> streams = new ArrayList<>();

    void list(String path, int status, String body) {
        lists.put(
                path,
                new ApiResponse.Answered(status, JsonParser.parseString(body).getAsJsonObject(), null));
    }

    void event(int stream, String json) {
        streams.get(stream).onEvent(JsonParser.parseString(json).getAsJsonObject());
    }

    void end(int stream, WatchEnd end) {
        streams.get(stream).onEnd(end);
    }

    @Override
    public CompletionStage<ApiResponse> send(ApiRequest request) {
        requests.add(request);
        ApiResponse answer = lists.get(request.path());
        return CompletableFuture.completedFuture(
                answer == null ? new ApiResponse.Unanswered("no answer prepared for " + request.path()) : answer);
    }

    @Override
    public Subscription watch(ApiRequest request, WatchStream stream) {
        requests.add(request);
        streams.add(stream);
        return () -> {};
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}

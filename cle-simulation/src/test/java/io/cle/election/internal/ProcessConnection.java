package io.cle.election.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.loop.internal.EventLoop;
import io.cle.store.internal.Subscription;

/** The connection of one process to the API server, which a test can make hang: no request is carried out, and no watch delivers. */
final class ProcessConnection implements KubernetesTransport {

    private final KubernetesTransport api;
    private final EventLoop loop;
    boolean reachable = true;

    /** How many writes of Leases were sent. */
    int leaseWrites;

    ProcessConnection(KubernetesTransport api, EventLoop loop) {
        this.api = api;
        this.loop = loop;
    }

    @Override
    public CompletionStage<ApiResponse> send(ApiRequest request) {
        if (reachable) {
            leaseWrites += request.verb().writes() && request.resource().equals(ResourceType.LEASES) ? 1 : 0;
            return api.send(request);
        }
        CompletableFuture<ApiResponse> answer = new CompletableFuture<>();
        loop.schedule(request.timeout(), () -> answer.complete(new ApiResponse.Unanswered("unreachable")));
        return answer;
    }

    @Override
    public Subscription watch(ApiRequest request, WatchStream stream) {
        return api.watch(request, new WatchStream() {
            @Override
            public void onEvent(JsonObject event) {
                if (reachable) {
                    stream.onEvent(event);
                }
            }

            @Override
            public void onEnd(WatchEnd end) {
                stream.onEnd(end);
            }
        });
    }

    @Override
    public void close() {}
}

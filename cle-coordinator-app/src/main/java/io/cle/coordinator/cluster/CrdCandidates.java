package io.cle.coordinator.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.api.ApiFormat;
import io.cle.api.WatchEvent;
import io.cle.kubernetes.ApiResponse;
import io.cle.kubernetes.KubernetesTransport;
import io.cle.kubernetes.WatchedKind;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether anybody stands in the crd format: applications that were started before the API server came to serve the native one go
 * on standing there, and nobody else than a coordinator in that format elects among them. Thread-safe.
 */
public final class CrdCandidates {

    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    /** Under what name garbage would be reported; it isn't. */
    private static final ObjectKey UNNAMED = new ObjectKey("unnamed", "unnamed");

    private final KubernetesTransport transport;
    private final List<@Nullable String> namespaces;
    private final Duration timeout;
    private final WatchedKind<Candidate> kind = WatchedKind.candidates(ApiFormat.CRD);

    /**
     * A look at these namespaces.
     *
     * @param namespaces the namespaces in scope; empty for all
     * @param timeout how long a request may take
     */
    public CrdCandidates(KubernetesTransport transport, Collection<String> namespaces, Duration timeout) {
        this.transport = transport;
        this.namespaces = new ArrayList<>(namespaces);
        if (namespaces.isEmpty()) {
            this.namespaces.add(null);
        }
        this.timeout = timeout;
    }

    /** Whether there are any that can be understood; empty where that can't be found out now. Doesn't fail. */
    CompletionStage<Optional<Boolean>> any() {
        CompletableFuture<Optional<Boolean>> any = CompletableFuture.completedFuture(Optional.of(false));
        for (@Nullable String namespace : namespaces) {
            any = any.thenCombine(
                    transport.send(kind.list(namespace, timeout)).thenApply(this::anyIn),
                    (one, other) -> one.flatMap(left -> other.map(right -> left || right)));
        }
        return any;
    }

    private Optional<Boolean> anyIn(ApiResponse response) {
        if (!(response instanceof ApiResponse.Answered answered)) {
            return Optional.empty();
        }
        if (answered.ok() && answered.body().get("items") instanceof JsonArray items) {
            return Optional.of(anyIn(items));
        }
        boolean notForUs = answered.status() == NOT_FOUND || answered.status() == FORBIDDEN;
        return notForUs ? Optional.of(false) : Optional.empty();
    }

    private boolean anyIn(JsonArray items) {
        for (JsonElement item : items) {
            if (item instanceof JsonObject object
                    && kind.read(UNNAMED, object).orElse(null) instanceof WatchEvent.Changed<Candidate>) {
                return true;
            }
        }
        return false;
    }
}

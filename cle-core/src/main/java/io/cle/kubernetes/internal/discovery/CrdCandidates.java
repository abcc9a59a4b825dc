package io.cle.kubernetes.internal.discovery;

import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

import io.cle.api.ApiFormat;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.Answers;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.watch.WatchedKind;
import io.cle.model.Candidate;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether there are candidates in the crd format. Applications that were started before the API server came to serve the native
 * format keep their candidates there, and only a coordinator in the crd format elects among them. Thread-safe.
 */
public final class CrdCandidates {

    private final KubernetesTransport transport;
    private final List<@Nullable String> namespaces;
    private final Duration timeout;
    private final WatchedKind<Candidate> kind = WatchedKind.candidates(ApiFormat.CRD);

    /**
     * Creates a search that has sent nothing yet.
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

    /** Returns whether there is one that isn't malformed; empty if that can't be found out now. The stage never fails. */
    CompletionStage<Optional<Boolean>> any() {
        CompletableFuture<Optional<Boolean>> any = CompletableFuture.completedFuture(Optional.of(false));
        for (@Nullable String namespace : namespaces) {
            any = any.thenCombine(
                    anyIn(namespace, ""), (one, other) -> one.flatMap(left -> other.map(right -> left || right)));
        }
        return any;
    }

    /** Page by page, until one is found: all of them at once could take longer than a request may. */
    private CompletionStage<Optional<Boolean>> anyIn(@Nullable String namespace, String continuation) {
        AtomicBoolean found = new AtomicBoolean();
        ApiRequest request = kind.list(namespace, continuation, timeout);
        return transport
                .list(request, item -> {
                    if (kind.wellFormed(item)) {
                        found.set(true);
                    }
                })
                .thenCompose(response -> {
                    if (!(response instanceof ApiResponse.Answered answered)) {
                        return CompletableFuture.completedStage(Optional.empty());
                    }
                    String next = found.get() ? "" : continuationOf(answered);
                    if (!next.isEmpty()) {
                        return anyIn(namespace, next);
                    }
                    boolean kindMissing = Answers.missesKind(request, answered)
                            || answered.status() == HttpURLConnection.HTTP_FORBIDDEN;
                    return CompletableFuture.completedStage(
                            answered.ok() || kindMissing ? Optional.of(found.get()) : Optional.empty());
                });
    }

    private static String continuationOf(ApiResponse.Answered page) {
        try {
            String continuation =
                    page.ok() ? Fields.of(page.body()).child("metadata").string("continue") : null;
            return continuation == null ? "" : continuation;
        } catch (MalformedObjectException e) {
            return "";
        }
    }
}

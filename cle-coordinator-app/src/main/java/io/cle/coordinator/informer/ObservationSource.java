package io.cle.coordinator.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.kubernetes.ApiRequest;
import io.cle.kubernetes.ApiResponse;
import io.cle.kubernetes.KubernetesTransport;
import io.cle.kubernetes.WatchedKind;
import io.kubernetes.client.informer.ListerWatcher;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.util.CallGeneratorParams;
import io.kubernetes.client.util.Watchable;
import org.jspecify.annotations.Nullable;

/**
 * Lists and watches one kind of objects for an informer, in all namespaces or in some. Used by the informer's reflector thread
 * alone. The versions to watch from are its own, one a namespace, and lists are of the latest state.
 *
 * @param <T> the kind of object in the model
 * @param <O> the same as the informer keeps it
 */
final class ObservationSource<T, O extends Observed<T>> implements ListerWatcher<O, ObservedList<O>> {

    /** After so long the server shall end the watch, so that clients spread over a restarted set of servers. */
    static final Duration WATCH_TIMEOUT = Duration.ofMinutes(30);

    /** How often to look whether the server has come to serve a kind that it may do without. */
    static final Duration LOOK_AGAIN = Duration.ofMinutes(1);

    /** How long a list may take: it may be of thousands. */
    private static final Duration LIST_TIMEOUT = Duration.ofSeconds(30);

    private static final String EVERYWHERE = "";

    private final Supplier<ObservedReader<T, O>> readers;
    private final KubernetesTransport transport;
    private final List<String> namespaces;
    private final SourceListener listener;
    private final Pace pace = new Pace();
    private final Map<String, String> positions = new TreeMap<>();

    /** Counts how often everything was to be listed anew. */
    private final AtomicInteger wanted = new AtomicInteger();

    private volatile @Nullable ObservedWatch<T, O> open;
    private int listed;
    private @Nullable String absence;

    /**
     * A source.
     *
     * @param readers gives the kind to list; asked anew before every list
     * @param namespaces the namespaces in scope; empty for all
     */
    ObservationSource(
            Supplier<ObservedReader<T, O>> readers,
            KubernetesTransport transport,
            Collection<String> namespaces,
            SourceListener listener) {
        this.readers = readers;
        this.transport = transport;
        this.namespaces = namespaces.isEmpty()
                ? List.of(EVERYWHERE)
                : namespaces.stream().sorted().toList();
        this.listener = listener;
    }

    /** Lists everything anew, by the reader there is from now on; what is under way doesn't count. Thread-safe. */
    void relist() {
        wanted.incrementAndGet();
        ObservedWatch<T, O> current = open;
        if (current != null) {
            current.stale("it is to be listed anew");
        }
    }

    /** Ends waiting, so that the reflector's thread can end. */
    void close() {
        pace.close();
    }

    @Override
    public ObservedList<O> list(CallGeneratorParams params) throws ApiException {
        pace.awaitTurn();
        int turn = wanted.get();
        listed = turn;
        ObservedReader<T, O> reader = readers.get();
        positions.clear();
        absence = null;
        Listing listing = new Listing(() -> {
            if (wanted.get() == turn) {
                listener.synced();
            }
        });
        List<O> objects = new ArrayList<>();
        for (String namespace : namespaces) {
            for (JsonElement item : items(reader.kind(), namespace)) {
                if (item instanceof JsonObject object) {
                    reader.listed(object, listing).ifPresent(objects::add);
                }
            }
        }
        pace.proceed();
        if (absence == null) {
            listener.answered();
        } else {
            listener.absent(absence);
        }
        listing.complete();
        return new ObservedList<>(String.join("/", positions.values()), objects);
    }

    /** The objects of one namespace; remembers the version of the list. A kind that isn't served, and needn't, has none. */
    private JsonArray items(WatchedKind<T> kind, String namespace) throws ApiException {
        ApiRequest request = kind.list(scope(namespace), LIST_TIMEOUT);
        ApiResponse response = send(request);
        if (!(response instanceof ApiResponse.Answered answered)) {
            throw failed(((ApiResponse.Unanswered) response).message());
        }
        if (kind.dispensedWith(request, answered)) {
            absence = WatchedKind.describe(request, answered);
            return new JsonArray();
        }
        if (!answered.ok()) {
            throw failed(WatchedKind.describe(request, answered));
        }
        positions.put(
                namespace,
                ObservedReader.versionOf(answered.body())
                        .orElseThrow(() -> failed(request.describe() + ": the list has no resourceVersion")));
        return answered.body().get("items") instanceof JsonArray items ? items : new JsonArray();
    }

    private ApiResponse send(ApiRequest request) {
        try {
            return transport
                    .send(request)
                    .toCompletableFuture()
                    .get(LIST_TIMEOUT.toMillis() * 2, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new ApiResponse.Unanswered(request.describe() + ": interrupted, as at the end of the process");
        } catch (ExecutionException | TimeoutException e) {
            return new ApiResponse.Unanswered(request.describe() + ": " + e);
        }
    }

    private ApiException failed(String message) {
        listener.interrupted(message, pace.failed());
        return new ApiException(message);
    }

    /** {@inheritDoc} From the versions of the last list on, or from what was heard since. */
    @Override
    public Watchable<O> watch(CallGeneratorParams params) {
        pace.awaitTurn();
        ObservedReader<T, O> reader = readers.get();
        ObservedWatch<T, O> watch = new ObservedWatch<>(reader, positions, pace, listener);
        open = watch;
        if (wanted.get() != listed) {
            watch.stale("it is to be listed anew");
            return watch;
        }
        if (positions.isEmpty()) {
            watch.expireAfter(LOOK_AGAIN);
        }
        positions.forEach((namespace, version) -> {
            ApiRequest request = reader.kind().watch(scope(namespace), version, WATCH_TIMEOUT);
            watch.add(namespace, request, transport);
        });
        return watch;
    }

    private static @Nullable String scope(String namespace) {
        return namespace.equals(EVERYWHERE) ? null : namespace;
    }
}

package io.cle.coordinator.informer;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.google.gson.JsonObject;
import io.cle.api.Subscription;
import io.cle.kubernetes.ApiRequest;
import io.cle.kubernetes.KubernetesTransport;
import io.cle.kubernetes.KubernetesTransport.WatchEnd;
import io.cle.kubernetes.WatchedKind;
import io.kubernetes.client.openapi.models.V1Status;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.Watchable;
import org.jspecify.annotations.Nullable;

/**
 * One watch of an informer, made of one stream a namespace. It ends when one of them does, or has been silent for too long; the
 * reflector then opens another one from where this one was. Where it has to list anew, it hears of a 410.
 */
final class ObservedWatch<T, O extends Observed<T>> implements Watchable<O> {

    /** API servers send bookmarks about every minute; a watch without any is either on one that doesn't, or dead. */
    static final Duration SILENCE = Duration.ofSeconds(90);

    /** A watch that lived for so long wasn't a failure, though it has brought nothing. */
    private static final Duration STEADY = Duration.ofSeconds(5);

    private static final int GONE = 410;

    private final ObservedReader<T, O> reader;
    private final Map<String, String> positions;
    private final Pace pace;
    private final SourceListener listener;
    private final BlockingQueue<Signal> signals = new LinkedBlockingQueue<>();
    private final List<Subscription> streams = new CopyOnWriteArrayList<>();
    private final long openedAt = System.nanoTime();
    private Duration patience = SILENCE;
    private boolean relistAtEnd;
    private boolean brought;
    private Watch.@Nullable Response<O> next;

    /** What a stream has said: an event, or its end. */
    private sealed interface Signal {

        record Event(String namespace, JsonObject json) implements Signal {}

        record End(ApiRequest request, WatchEnd end) implements Signal {}

        record Closed() implements Signal {}

        record Stale(String why) implements Signal {}
    }

    /**
     * A watch without streams yet.
     *
     * @param positions the versions heard of last, by namespace; kept up to date
     */
    ObservedWatch(ObservedReader<T, O> reader, Map<String, String> positions, Pace pace, SourceListener listener) {
        this.reader = reader;
        this.positions = positions;
        this.pace = pace;
        this.listener = listener;
    }

    /** Adds the stream of a namespace. */
    void add(String namespace, ApiRequest request, KubernetesTransport transport) {
        streams.add(transport.watch(request, new KubernetesTransport.WatchStream() {
            @Override
            public void onEvent(JsonObject event) {
                signals.add(new Signal.Event(namespace, event));
            }

            @Override
            public void onEnd(WatchEnd end) {
                signals.add(new Signal.End(request, end));
            }
        }));
    }

    /** There is nothing to watch at the moment; after a while it shall be listed anew. */
    void expireAfter(Duration time) {
        patience = time;
        relistAtEnd = true;
    }

    /** Ends it; everything shall be listed anew. */
    void stale(String why) {
        signals.add(new Signal.Stale(why));
    }

    @Override
    public boolean hasNext() {
        try {
            while (next == null) {
                Signal signal = signals.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
                if (signal instanceof Signal.Event event) {
                    next = read(event).orElse(null);
                } else if (signal instanceof Signal.End end) {
                    next = ended(end).orElse(null);
                    return next != null;
                } else if (signal instanceof Signal.Stale stale) {
                    next = expired(stale.why());
                } else if (signal == null && relistAtEnd) {
                    next = expired("the kind of object wasn't served");
                } else {
                    return false;
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Optional<Watch.Response<O>> read(Signal.Event event) {
        Optional<Watch.Response<O>> response = reader.watched(event.json());
        response.ifPresent(read -> {
            if (read.object != null) {
                brought = true;
                listener.watching();
                String version = read.object.getMetadata().getResourceVersion();
                if (version != null && !version.isEmpty()) {
                    positions.put(event.namespace(), version);
                }
            }
        });
        return response.map(this::relistOnError);
    }

    /** The server can't go on with this watch. Whatever the reason, a list tells what was missed. */
    private Watch.Response<O> relistOnError(Watch.Response<O> response) {
        if (response.status == null) {
            return response;
        }
        String message = String.valueOf(response.status.getMessage());
        Duration delay = failed();
        if (!Integer.valueOf(GONE).equals(response.status.getCode())) {
            listener.interrupted("the watch of " + reader.kind().resource() + " has failed: " + message, delay);
        }
        return expired(message);
    }

    /** A watch that was of use is resumed at once from where it was; after any other a list tells how things are. */
    private Optional<Watch.Response<O>> ended(Signal.End end) {
        if (end.end() instanceof WatchEnd.Refused refused) {
            Duration delay = failed();
            if (refused.answer().status() != GONE) {
                listener.interrupted(WatchedKind.describe(end.request(), refused.answer()), delay);
            }
            return Optional.of(expired("the watch was refused"));
        }
        if (end.end() instanceof WatchEnd.NotOpened notOpened) {
            // However long it took, it was of no use.
            listener.interrupted(notOpened.message(), pace.failed());
            return Optional.of(expired(notOpened.message()));
        }
        if (steady()) {
            pace.succeeded();
            return Optional.empty();
        }
        String message = end.end() instanceof WatchEnd.Broken broken
                ? broken.message()
                : end.request().describe() + ": the watch has ended without any event";
        listener.interrupted(message, pace.failed());
        return Optional.of(expired(message));
    }

    /** This watch is over by a failure; those before it count only where it was of no use. */
    private Duration failed() {
        if (steady()) {
            pace.succeeded();
        }
        return pace.failed();
    }

    private boolean steady() {
        return brought || System.nanoTime() - openedAt >= STEADY.toNanos();
    }

    private static <O> Watch.Response<O> expired(String message) {
        return new Watch.Response<>("ERROR", new V1Status().code(GONE).message(message));
    }

    @Override
    public Watch.Response<O> next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the watch has ended");
        }
        Watch.Response<O> taken = Objects.requireNonNull(next);
        next = null;
        return taken;
    }

    @Override
    public Iterator<Watch.Response<O>> iterator() {
        return this;
    }

    @Override
    public void close() {
        streams.forEach(Subscription::close);
        signals.add(new Signal.Closed());
    }
}

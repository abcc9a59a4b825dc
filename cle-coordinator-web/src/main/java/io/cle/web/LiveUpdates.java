package io.cle.web;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.cle.loop.internal.ThreadEventLoop;
import io.cle.model.ObjectKey;
import io.cle.web.view.ElectionJson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Notifies open pages when their content has changed; the pages then reload it from their URL. An event contains only the server's time, so
 * that no untrusted text gets into a stream, and a page loses nothing if it misses an event.
 *
 * <p>Polls the coordinator only while a page is open. Ends its streams before the web server waits for open requests at shutdown, because
 * streams never complete by themselves. Thread-safe.
 */
final class LiveUpdates implements SmartLifecycle {

    /** The maximum number of streams. Further pages are refused, and reload themselves periodically instead. */
    static final int MOST_STREAMS = 100;

    private static final Duration INTERVAL = Duration.ofMillis(250);

    /** A page that receives nothing for about three of these intervals reports that its connection is lost. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(2);

    /** How long a stream lasts; the browser reconnects by itself. Limited so that events don't accumulate for a suspended browser. */
    private static final Duration LIFETIME = Duration.ofMinutes(5);

    /** Replaces content that can't be read: its streams stay open without heartbeats, so that the pages report that they are disconnected. */
    private static final Object UNKNOWN = new Object();

    private static final Logger log = LoggerFactory.getLogger(LiveUpdates.class);

    private final CoordinatorSnapshots snapshots;
    private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
    private volatile @Nullable ScheduledExecutorService timer;

    LiveUpdates(CoordinatorSnapshots snapshots) {
        this.snapshots = snapshots;
    }

    @Override
    public void start() {
        ScheduledExecutorService started =
                Executors.newSingleThreadScheduledExecutor(task -> ThreadEventLoop.daemon(task, "cle-page-updates"));
        started.scheduleWithFixedDelay(this::poll, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        timer = started;
    }

    @Override
    public void stop() {
        ScheduledExecutorService started = timer;
        timer = null;
        if (started != null) {
            started.shutdownNow();
        }
        streams.forEach(stream -> stream.emitter.complete());
    }

    @Override
    public boolean isRunning() {
        return timer != null;
    }

    /**
     * Opens a stream.
     *
     * @param lease the lease that the page shows; empty for the overview
     * @return the stream; {@code null} if there are too many, or if the server is about to stop
     */
    @Nullable
    SseEmitter open(Optional<ObjectKey> lease) {
        if (!isRunning() || streams.size() >= MOST_STREAMS) {
            return null;
        }
        Stream stream = new Stream(lease);
        stream.emitter.onCompletion(() -> streams.remove(stream));
        stream.emitter.onTimeout(stream.emitter::complete);
        stream.emitter.onError(unused -> streams.remove(stream));
        streams.add(stream);
        return stream.emitter;
    }

    private void poll() {
        // Many pages of the same content cost the coordinator no more than one.
        Map<Optional<ObjectKey>, Object> shown = new HashMap<>();
        for (Stream stream : List.copyOf(streams)) {
            Object now = shown.computeIfAbsent(stream.lease, this::shown);
            try {
                if (now != UNKNOWN) {
                    stream.update(now);
                }
            } catch (IOException | RuntimeException e) {
                log.debug("A page was closed: {}", e.toString());
                streams.remove(stream);
            }
        }
    }

    private Object shown(Optional<ObjectKey> lease) {
        try {
            return lease.map(key -> ElectionJson.changes(snapshots.one(key), false))
                    .orElseGet(() -> ElectionJson.changes(snapshots.all(), true));
        } catch (RuntimeException e) {
            log.debug("Open pages can't be updated", e);
            return UNKNOWN;
        }
    }

    /** An open page. Used by the timer's thread only, once it is open. */
    private static final class Stream {

        private final SseEmitter emitter = new SseEmitter(LIFETIME.toMillis());
        private final Optional<ObjectKey> lease;
        private @Nullable Object last;
        private long sentAt = System.nanoTime() - HEARTBEAT.toNanos();

        Stream(Optional<ObjectKey> lease) {
            this.lease = lease;
        }

        void update(Object now) throws IOException {
            if (!Objects.equals(now, last)) {
                // The first poll is treated as a change: something may have happened between loading the page and
                // opening the stream.
                last = now;
                send("changed");
            } else if (System.nanoTime() - sentAt >= HEARTBEAT.toNanos()) {
                send("alive");
            }
        }

        private void send(String event) throws IOException {
            sentAt = System.nanoTime();
            emitter.send(SseEmitter.event()
                    .name(event)
                    .data(Long.toString(System.currentTimeMillis()), MediaType.TEXT_PLAIN)
                    .reconnectTime(1000));
        }
    }
}

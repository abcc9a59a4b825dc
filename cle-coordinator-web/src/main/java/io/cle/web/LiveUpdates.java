package io.cle.web;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.cle.loop.internal.ThreadEventLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Says to open pages when what they show has changed; they fetch it themselves then, from the URL that they show. An event carries the
 * server's time and nothing else, so that no stranger's text gets into a stream, and a page that has missed an event has missed nothing.
 *
 * <p>Polls the coordinator while a page is open, and not at all otherwise. Ends its streams before the web server waits for open
 * requests, which they would be forever. Thread-safe.
 */
final class LiveUpdates implements SmartLifecycle {

    /** More open pages than this are refused, and refresh themselves by time instead. */
    static final int MOST_STREAMS = 100;

    private static final Duration INTERVAL = Duration.ofMillis(250);

    /** A page that receives nothing for about three of these says that its connection is gone. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(2);

    /** The browser connects again by itself. A stream that ends regularly can't pile up events for a browser that has gone to sleep. */
    private static final Duration LIFETIME = Duration.ofMinutes(5);

    private static final Logger log = LoggerFactory.getLogger(LiveUpdates.class);

    private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
    private volatile @Nullable ScheduledExecutorService timer;

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
     * @param shown gives what the page shows now; compared by {@code equals}
     * @return {@code null} when there are too many, or the server is about to stop
     */
    @Nullable
    SseEmitter open(Supplier<?> shown) {
        if (!isRunning() || streams.size() >= MOST_STREAMS) {
            return null;
        }
        Stream stream = new Stream(shown);
        stream.emitter.onCompletion(() -> streams.remove(stream));
        stream.emitter.onTimeout(stream.emitter::complete);
        stream.emitter.onError(unused -> streams.remove(stream));
        streams.add(stream);
        return stream.emitter;
    }

    private void poll() {
        for (Stream stream : List.copyOf(streams)) {
            try {
                stream.update();
            } catch (IOException | IllegalStateException e) {
                log.debug("A page was closed: {}", e.toString());
                streams.remove(stream);
            } catch (RuntimeException e) {
                // The stream stays open without heartbeats, so that the page says that it is cut off.
                log.debug("An open page can't be updated", e);
            }
        }
    }

    /** An open page. Used by the timer's thread only, once it is open. */
    private static final class Stream {

        private final SseEmitter emitter = new SseEmitter(LIFETIME.toMillis());
        private final Supplier<?> shown;
        private @Nullable Object last;
        private long sentAt = System.nanoTime() - HEARTBEAT.toNanos();

        Stream(Supplier<?> shown) {
            this.shown = shown;
        }

        void update() throws IOException {
            Object now = shown.get();
            if (!Objects.equals(now, last)) {
                // The first look at it counts as a change: something may have happened between the page and its stream.
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

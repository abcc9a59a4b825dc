package io.cle.loop.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Aggregates log lines when many leases report the same event at once, such as a start or an outage of the API server: the first leases are
 * logged individually, and the others are counted in one line. If a process has only a few leases, each is logged individually. Thread-safe.
 */
public final class LeaseLines {

    /** How many leases are logged individually per kind of line. */
    static final int SHOWN = 3;

    /** How many lines of a kind one lease may log before further ones are counted: other users may write malformed objects at any rate. */
    static final int PER_LEASE = 5;

    /** How long the other leases are counted before they are logged in one line. */
    static final Duration WINDOW = Duration.ofSeconds(5);

    private final Logger log;
    private final EventLoop loop;
    private final Map<String, Window> windows = new HashMap<>();

    private record Window(Level level, long began, Map<String, Integer> shown, Map<String, String> others) {}

    /**
     * Creates an aggregator without lines.
     *
     * @param loop the loop on which counted lines are logged
     */
    public LeaseLines(Logger log, EventLoop loop) {
        this.log = log;
        this.loop = loop;
    }

    /**
     * Logs a line, or counts it.
     *
     * @param kind what the leases have in common, as the end of a sentence about several: "have a new holder"
     */
    public synchronized void log(Level level, String kind, String lease, String message) {
        if (level == Level.DEBUG) {
            log.debug("Lease {}: {}", lease, message);
            return;
        }
        long now = loop.clock().nanos();
        Window window = windows.get(kind);
        if (window == null || (window.others.isEmpty() && now - window.began > WINDOW.toNanos())) {
            window = new Window(level, now, new HashMap<>(), new HashMap<>());
            windows.put(kind, window);
        }
        boolean mayBeShown = window.shown.containsKey(lease) || window.shown.size() < SHOWN;
        if (mayBeShown && window.shown.merge(lease, 1, Integer::sum) <= PER_LEASE) {
            log.atLevel(level).log("Lease {}: {}", lease, message);
            return;
        }
        log.debug("Lease {}: {}", lease, message);
        if (window.others.isEmpty()) {
            loop.schedule(WINDOW, () -> logOthers(kind));
        }
        window.others.put(lease, message);
    }

    private synchronized void logOthers(String kind) {
        Window window = windows.remove(kind);
        if (window == null) {
            return;
        }
        if (window.others.size() == 1) {
            window.others.forEach((lease, message) -> log.atLevel(window.level).log("Lease {}: {}", lease, message));
        } else if (!window.others.isEmpty()) {
            log.atLevel(window.level).log("{} more leases {}; each is logged at DEBUG", window.others.size(), kind);
        }
    }

    /** Logs the counted lines, because the process ends. */
    public synchronized void close() {
        List.copyOf(windows.keySet()).forEach(this::logOthers);
    }
}

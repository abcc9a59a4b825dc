package io.cle.runtime.internal.coordinator;

import io.cle.runtime.internal.loop.Clock;
import io.cle.runtime.internal.loop.RepeatedFailures;
import io.cle.store.internal.WatchEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the {@link WatchStatus} of one watch. Written on the event loop, read by any thread. */
final class WatchMonitor {

    private static final Logger log = LoggerFactory.getLogger(WatchMonitor.class);

    private final Clock clock;
    private final RepeatedFailures interruptions = new RepeatedFailures();
    private volatile WatchStatus status;

    WatchMonitor(String kind, Clock clock) {
        this.clock = clock;
        this.status = new WatchStatus(kind, false, clock.wall(), "not listed yet", null);
    }

    WatchStatus status() {
        return status;
    }

    /** Everything has to be seen anew. */
    void reset() {
        status = new WatchStatus(status.kind(), false, clock.wall(), "not listed yet", null);
    }

    /** Follows the watch. After an interruption only a list says that all is well again, because the watch begins with one. */
    void observe(WatchEvent<?> event) {
        WatchStatus before = status;
        if (event instanceof WatchEvent.Snapshot<?>) {
            boolean goesOn = before.problem() == null && before.absence() == null;
            if (interruptions.succeeded()) {
                log.info("The watch of {} goes on", before.kind());
            }
            status = new WatchStatus(before.kind(), true, goesOn ? before.since() : clock.wall(), null, null);
        } else if (event instanceof WatchEvent.NotServed<?> notServed) {
            log.warn("There are no {}: {}", before.kind(), notServed.message());
            status = new WatchStatus(before.kind(), true, clock.wall(), null, notServed.message());
        } else if (event instanceof WatchEvent.Interrupted<?> interrupted) {
            interrupted(before.kind(), interrupted.message());
            status = new WatchStatus(
                    before.kind(),
                    before.synced(),
                    before.problem() == null ? clock.wall() : before.since(),
                    interrupted.message(),
                    before.absence());
        }
    }

    /**
     * Logs each reason once. An API server that is away interrupts the watches of all namespaces, again and again, for one reason; it comes
     * after the request, which names the namespace.
     */
    private void interrupted(String kind, String message) {
        String reason = message.substring(message.indexOf(": ") + 1);
        if (interruptions.isNew(reason)) {
            log.warn("The watch of {} is interrupted, and is tried again: {}", kind, message);
        } else {
            log.debug("The watch of {} is still interrupted: {}", kind, message);
        }
    }
}

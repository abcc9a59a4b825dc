package io.cle.election.internal;

import java.time.Duration;
import java.util.regex.Pattern;

import io.cle.loop.internal.Clock;
import io.cle.loop.internal.RepeatedFailures;
import io.cle.store.internal.WatchEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the {@link WatchStatus} of one watch. Written on the event loop, read by any thread. */
final class WatchMonitor {

    private static final Logger log = LoggerFactory.getLogger(WatchMonitor.class);

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private final Clock clock;
    private final RepeatedFailures interruptions = new RepeatedFailures();

    /** Of a watch that fails while lists succeed. */
    private final RepeatedFailures repeated = new RepeatedFailures();

    private long interruptedAt;
    private volatile WatchStatus status;

    WatchMonitor(String kind, Clock clock) {
        this.clock = clock;
        this.status = new WatchStatus(kind, false, clock.wall(), "not listed yet", null);
    }

    WatchStatus status() {
        return status;
    }

    /** Forgets what was seen: the watch has to list everything again. */
    void reset() {
        status = new WatchStatus(status.kind(), false, clock.wall(), "not listed yet", null);
    }

    /** Follows the watch. After an interruption only a list says that all is well again, because the watch begins with one. */
    void observe(WatchEvent<?> event) {
        WatchStatus before = status;
        if (event instanceof WatchEvent.Snapshot<?>) {
            boolean goesOn = before.problem() == null && before.absence() == null;
            if (interruptions.succeeded()) {
                recovered(before.kind(), Duration.ofNanos(clock.nanos() - interruptedAt));
            }
            status = new WatchStatus(before.kind(), true, goesOn ? before.since() : clock.wall(), null, null);
        } else if (event instanceof WatchEvent.NotServed<?> notServed) {
            log.warn("There are no {}: {}", before.kind(), notServed.message());
            status = new WatchStatus(before.kind(), true, clock.wall(), null, notServed.message());
        } else if (event instanceof WatchEvent.Interrupted<?> interrupted) {
            interrupted(before.kind(), interrupted);
            status = new WatchStatus(
                    before.kind(),
                    before.synced(),
                    before.problem() == null ? clock.wall() : before.since(),
                    interrupted.message(),
                    before.absence());
        } else if (event instanceof WatchEvent.Recovered<?> recovered && repeated.succeeded()) {
            recovered(before.kind(), recovered.after());
        }
    }

    private static void recovered(String kind, Duration after) {
        log.info(
                "Watch of {} recovered after {}",
                kind,
                after.toSeconds() < 1 ? after.toMillis() + " ms" : after.toSeconds() + " s");
    }

    /**
     * Logs each reason once. An API server that is away interrupts the watches of all namespaces, again and again, for one reason; it comes
     * after the request, which names the namespace. The versions in a reason differ each time.
     */
    private void interrupted(String kind, WatchEvent.Interrupted<?> interrupted) {
        String message = interrupted.message();
        String reason =
                NUMBER.matcher(message.substring(message.indexOf(": ") + 1)).replaceAll("…");
        if (interrupted.again()) {
            if (repeated.isNew(reason)) {
                log.warn(
                        "The watch of {} fails again and again, and is replaced by lists meanwhile: {}", kind, message);
            }
            return;
        }
        if (status.problem() == null) {
            interruptedAt = clock.nanos();
        }
        if (interruptions.isNew(reason)) {
            log.warn("The watch of {} is interrupted, and is tried again: {}", kind, message);
        } else {
            log.debug("The watch of {} is still interrupted: {}", kind, message);
        }
    }
}

package io.cle.election.internal;

import java.time.Instant;

import io.cle.store.internal.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * The status of one watch.
 *
 * @param kind the kind, as {@code lease candidates}
 * @param synced whether every object has been listed; true if the API server doesn't serve the kind and doesn't have to
 * @param since when the API server started or stopped answering
 * @param problem why nothing was listed yet, or why the watch is interrupted; {@code null} while changes are being delivered
 */
public record WatchStatus(
        String kind,
        boolean synced,
        Instant since,
        @Nullable String problem) {

    /** Returns the status of a watch that has to list everything first. */
    static WatchStatus unlisted(String kind, Instant now) {
        return new WatchStatus(kind, false, now, "not listed yet");
    }

    /** Returns the status after an event of the watch. */
    WatchStatus after(WatchEvent<?> event, Instant now) {
        if (event instanceof WatchEvent.Snapshot<?> || event instanceof WatchEvent.NotServed<?>) {
            return new WatchStatus(kind, true, problem == null ? since : now, null);
        }
        return event instanceof WatchEvent.Interrupted<?> interrupted
                ? new WatchStatus(kind, synced, problem == null ? now : since, interrupted.message())
                : this;
    }
}

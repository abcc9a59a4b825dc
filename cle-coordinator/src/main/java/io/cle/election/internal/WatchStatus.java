package io.cle.election.internal;

import java.time.Instant;

import io.cle.store.internal.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * How the watch of one kind of object is doing.
 *
 * @param kind the kind, as {@code lease candidates}
 * @param synced whether all objects that there are have been seen
 * @param since since when the API server has been answering, or hasn't
 * @param problem why the kind can't be observed at the moment; {@code null} if it can
 * @param absence why there are no objects, if the API server doesn't serve the kind and doesn't have to; {@code null} otherwise
 */
public record WatchStatus(
        String kind,
        boolean synced,
        Instant since,
        @Nullable String problem,
        @Nullable String absence) {

    /** Returns the status of a watch that has to list everything first. */
    static WatchStatus unlisted(String kind, Instant now) {
        return new WatchStatus(kind, false, now, "not listed yet", null);
    }

    /** Returns the status after an event of the watch. */
    WatchStatus after(WatchEvent<?> event, Instant now) {
        if (event instanceof WatchEvent.Snapshot<?>) {
            return new WatchStatus(kind, true, problem == null && absence == null ? since : now, null, null);
        }
        if (event instanceof WatchEvent.NotServed<?> notServed) {
            return new WatchStatus(kind, true, now, null, notServed.message());
        }
        return event instanceof WatchEvent.Interrupted<?> interrupted
                ? new WatchStatus(kind, synced, problem == null ? now : since, interrupted.message(), absence)
                : this;
    }

    /** Whether all objects that there are have been seen, and changes are being observed. */
    public boolean ok() {
        return synced && problem == null;
    }
}

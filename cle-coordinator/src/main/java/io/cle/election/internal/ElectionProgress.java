package io.cle.election.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.cle.model.ObjectKey;
import io.cle.model.internal.Moment;

/**
 * Whether elections get done where there is something to elect ({@code protocol.md#requests-and-limits}). A reconciliation that the API server
 * has refused, or hasn't answered in time, has completed; one that has thrown, or never ends, hasn't. Confined to the event loop.
 */
final class ElectionProgress {

    /** What has to be done and isn't, since when. */
    private final Map<ObjectKey, Long> waiting = new HashMap<>();

    private long lastDone;

    ElectionProgress(Moment now) {
        lastDone = now.nanos();
    }

    /** A lease has to be reconciled. */
    void due(ObjectKey lease, Moment now) {
        waiting.putIfAbsent(lease, now.nanos());
    }

    /** Its reconciliation is done. */
    void done(ObjectKey lease, Moment now) {
        waiting.remove(lease);
        lastDone = now.nanos();
    }

    /** Nothing has to be done any more, because another replica does it. */
    void rest(Moment now) {
        waiting.clear();
        lastDone = now.nanos();
    }

    /**
     * Returns the reason for this replica to step down as coordinator; empty if there is none. One reconciliation that completes within the patience
     * is enough.
     */
    Optional<String> stuck(Duration patience, Moment now) {
        List<ObjectKey> overdue = waiting.entrySet().stream()
                .filter(lease -> now.reached(lease.getValue() + patience.toNanos()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        return overdue.isEmpty() || !now.reached(lastDone + patience.toNanos())
                ? Optional.empty()
                : Optional.of("no election has completed for "
                        + now.since(lastDone).toSeconds() + " s, though " + overdue.size()
                        + " leases are waiting for one, " + overdue.get(0) + " among them");
    }
}

package io.cle.election.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.cle.model.ObjectKey;
import io.cle.model.internal.Moment;

/**
 * Detects that no election completes although some are due ({@code protocol.md#requests-and-limits}). A reconciliation whose request was refused or
 * timed out has completed; one that has thrown or never ends hasn't. Confined to the event loop.
 */
final class ElectionProgress {

    /** The leases that are due, and since when, in monotonic nanoseconds. */
    private final Map<ObjectKey, Long> waiting = new HashMap<>();

    private long lastDone;

    ElectionProgress(Moment now) {
        lastDone = now.nanos();
    }

    /** Records that a lease has to be reconciled. */
    void due(ObjectKey lease, Moment now) {
        waiting.putIfAbsent(lease, now.nanos());
    }

    /** Records that a lease's reconciliation has completed. */
    void done(ObjectKey lease, Moment now) {
        waiting.remove(lease);
        lastDone = now.nanos();
    }

    /** Forgets all due leases, when this replica starts or stops coordinating. */
    void rest(Moment now) {
        waiting.clear();
        lastDone = now.nanos();
    }

    /**
     * Returns the reason for this replica to step down as coordinator; empty if there is none. One reconciliation that completes within the patience
     * is enough to stay.
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

package io.cle.election.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

import io.cle.model.ObjectKey;
import io.cle.model.internal.Moment;

/**
 * Whether elections get done where there is something to elect ({@code protocol.md#requests-and-limits}). A reconciliation that the API server
 * has refused, or hasn't answered in time, has completed; one that has thrown, or never ends, hasn't. Confined to the event loop.
 */
final class ElectionProgress {

    private record Waiting(long since, boolean begun) {}

    /** What has to be done and isn't, since when. */
    private final Map<ObjectKey, Waiting> waiting = new HashMap<>();

    private long lastDone;

    ElectionProgress(Moment now) {
        lastDone = now.nanos();
    }

    /** A lease has to be reconciled. */
    void due(ObjectKey lease, Moment now) {
        waiting.putIfAbsent(lease, new Waiting(now.nanos(), false));
    }

    /** Its reconciliation has begun. */
    void begun(ObjectKey lease, Moment now) {
        Waiting known = waiting.get(lease);
        waiting.put(lease, new Waiting(known == null ? now.nanos() : known.since(), true));
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
     * is enough. A single namespace whose leases hang or throw isn't held against it, but one lease that isn't even begun is.
     */
    Optional<String> stuck(Duration patience, Moment now) {
        long before = now.nanos() - patience.toNanos();
        if (lastDone - before > 0) {
            return Optional.empty();
        }
        TreeSet<ObjectKey> overdue = new TreeSet<>();
        boolean notBegun = false;
        for (Map.Entry<ObjectKey, Waiting> entry : waiting.entrySet()) {
            if (entry.getValue().since() - before <= 0) {
                overdue.add(entry.getKey());
                notBegun |= !entry.getValue().begun();
            }
        }
        long namespaces = overdue.stream().map(ObjectKey::namespace).distinct().count();
        return notBegun || namespaces > 1
                ? Optional.of("no election has completed for "
                        + now.since(lastDone).toSeconds() + " s, though " + overdue.size()
                        + " leases are waiting for one, " + overdue.first() + " among them")
                : Optional.empty();
    }
}

package io.cle.web.view;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What the replica that serves the page is, and whether it sees what happens.
 *
 * @param coordinating whether it coordinates
 * @param coordinator which replica coordinates; {@code null} when none is known to
 * @param outages the watches that see nothing new
 */
public record ReplicaLine(boolean coordinating, @Nullable String coordinator, List<Outage> outages) {

    /**
     * A watch that sees nothing new, so that what the page shows may be old.
     *
     * @param kind what it watches
     * @param since since when
     * @param problem why
     */
    public record Outage(String kind, Instant since, String problem) {}

    /** That of a snapshot. */
    public static ReplicaLine of(CoordinatorSnapshot snapshot) {
        return new ReplicaLine(
                snapshot.coordinating(),
                snapshot.coordinator() == null ? null : DisplayFormat.text(snapshot.coordinator()),
                snapshot.watches().stream()
                        .filter(watch -> watch.problem() != null)
                        .map(watch -> new Outage(
                                watch.kind(), watch.since(), DisplayFormat.text(String.valueOf(watch.problem()))))
                        .toList());
    }
}

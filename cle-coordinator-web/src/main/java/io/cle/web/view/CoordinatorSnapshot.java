package io.cle.web.view;

import java.time.Instant;
import java.util.List;

import io.cle.ApiFormat;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.ElectionView;
import io.cle.election.internal.WatchStatus;
import org.jspecify.annotations.Nullable;

/**
 * What one replica of the coordinator knows at an instant. Immutable.
 *
 * @param time when, by the coordinator's clock
 * @param coordinating whether this replica coordinates; a standby observes and decides nothing
 * @param coordinator which replica coordinates; {@code null} when none is known to
 * @param watches how the watches of the API server are doing
 * @param policy by what the coordinator elects
 * @param format the wire format; {@code null} until it is known
 * @param leases the leases that were asked for
 */
public record CoordinatorSnapshot(
        Instant time,
        boolean coordinating,
        @Nullable String coordinator,
        List<WatchStatus> watches,
        ElectionPolicy policy,
        @Nullable ApiFormat format,
        List<ElectionView> leases) {

    /** The lists become immutable. */
    public CoordinatorSnapshot {
        watches = List.copyOf(watches);
        leases = List.copyOf(leases);
    }

    /** The replica that serves the page. */
    public ReplicaLine replica() {
        return new ReplicaLine(
                coordinating,
                coordinator == null ? null : DisplayFormat.text(coordinator),
                watches.stream()
                        .filter(watch -> watch.problem() != null)
                        .map(watch -> new ReplicaLine.Outage(
                                watch.kind(), watch.since(), DisplayFormat.text(String.valueOf(watch.problem()))))
                        .toList());
    }

    /**
     * What the replica that serves the page is, and whether it sees what happens.
     *
     * @param coordinating whether it coordinates
     * @param coordinator which replica coordinates; {@code null} when none is known to
     * @param outages the watches that see nothing new
     */
    public record ReplicaLine(
            boolean coordinating, @Nullable String coordinator, List<Outage> outages) {

        /**
         * A watch that sees nothing new, so that what the page shows may be old.
         *
         * @param kind what it watches
         * @param since since when
         * @param problem why
         */
        public record Outage(String kind, Instant since, String problem) {}
    }
}

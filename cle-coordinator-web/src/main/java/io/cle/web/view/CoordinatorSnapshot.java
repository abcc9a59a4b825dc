package io.cle.web.view;

import java.time.Instant;
import java.util.List;

import io.cle.ApiFormat;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.ElectionView;
import io.cle.election.internal.WatchStatus;
import org.jspecify.annotations.Nullable;

/**
 * The state of one coordinator replica at an instant. Immutable.
 *
 * @param time the time by the coordinator's clock
 * @param coordinating whether this replica coordinates; a standby observes and decides nothing
 * @param coordinator the replica that coordinates; {@code null} if none is known
 * @param watches the state of the watches
 * @param policy the timing rules of elections
 * @param format the wire format; {@code null} until it is known
 * @param leases the requested leases
 */
public record CoordinatorSnapshot(
        Instant time,
        boolean coordinating,
        @Nullable String coordinator,
        List<WatchStatus> watches,
        ElectionPolicy policy,
        @Nullable ApiFormat format,
        List<ElectionView> leases) {

    /** Makes the lists immutable. */
    public CoordinatorSnapshot {
        watches = List.copyOf(watches);
        leases = List.copyOf(leases);
    }

    /** Returns the groups to which the leases belong. */
    public List<GroupView> groups() {
        return GroupView.allOf(leases, time);
    }

    /** Returns the replica that serves the page. */
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
     * The role of the replica that serves the page, and whether its view is up to date.
     *
     * @param coordinating whether it coordinates
     * @param coordinator the replica that coordinates; {@code null} if none is known
     * @param outages the interrupted watches
     */
    public record ReplicaLine(
            boolean coordinating, @Nullable String coordinator, List<Outage> outages) {

        /**
         * An interrupted watch, because of which the page may be out of date.
         *
         * @param kind the kind of object that it watches
         * @param since when it was interrupted
         * @param problem why it is interrupted
         */
        public record Outage(String kind, Instant since, String problem) {}
    }
}

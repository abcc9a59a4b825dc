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
}

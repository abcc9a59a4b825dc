package io.cle.web;

import java.time.Duration;
import java.util.List;

import io.cle.model.ObjectKey;
import io.cle.web.view.CoordinatorSnapshot;
import io.cle.web.view.LeaseRow;
import io.cle.web.view.Overview;
import io.cle.web.view.OverviewQuery;
import org.jspecify.annotations.Nullable;

/**
 * Reads the coordinator's snapshots for requests. A snapshot of all leases is shared for a moment, so that many open pages cost the
 * coordinator no more than one. Thread-safe.
 */
final class SharedSnapshots {

    /** How old a shared snapshot may be. Changes are to appear within a second. */
    private static final long SHARED_NANOS = Duration.ofMillis(200).toNanos();

    private final CoordinatorSnapshots snapshots;

    private @Nullable Shared shared;

    SharedSnapshots(CoordinatorSnapshots snapshots) {
        this.snapshots = snapshots;
    }

    Overview overview(OverviewQuery query) {
        Shared all = all();
        return Overview.of(all.snapshot(), all.rows(), query);
    }

    private synchronized Shared all() {
        Shared known = shared;
        if (known == null || System.nanoTime() - known.nanos() > SHARED_NANOS) {
            CoordinatorSnapshot snapshot = CoordinatorSnapshots.await(snapshots.all());
            known = new Shared(snapshot, LeaseRow.allOf(snapshot), System.nanoTime());
            shared = known;
        }
        return known;
    }

    private record Shared(CoordinatorSnapshot snapshot, List<LeaseRow> rows, long nanos) {}

    CoordinatorSnapshot one(ObjectKey key) {
        return CoordinatorSnapshots.await(snapshots.one(key));
    }
}

package io.cle.web;

import java.time.Duration;

import io.cle.model.ObjectKey;
import io.cle.web.view.CoordinatorSnapshot;
import io.cle.web.view.Overview;
import io.cle.web.view.OverviewQuery;
import org.jspecify.annotations.Nullable;

/**
 * Reads the coordinator's snapshots for requests. A snapshot of all leases is shared for a moment, so that many open pages cost the
 * coordinator no more than one. Thread-safe.
 */
final class SnapshotReader {

    /** How old a shared snapshot may be. Changes are to appear within a second. */
    private static final long SHARED_NANOS = Duration.ofMillis(200).toNanos();

    private final CoordinatorSnapshots snapshots;

    private @Nullable CoordinatorSnapshot shared;
    private long sharedAt;

    SnapshotReader(CoordinatorSnapshots snapshots) {
        this.snapshots = snapshots;
    }

    Overview overview(OverviewQuery query) {
        return Overview.of(all(), query);
    }

    private synchronized CoordinatorSnapshot all() {
        CoordinatorSnapshot known = shared;
        if (known == null || System.nanoTime() - sharedAt > SHARED_NANOS) {
            known = CoordinatorSnapshots.await(snapshots.all());
            shared = known;
            sharedAt = System.nanoTime();
        }
        return known;
    }

    CoordinatorSnapshot one(ObjectKey key) {
        return CoordinatorSnapshots.await(snapshots.one(key));
    }
}

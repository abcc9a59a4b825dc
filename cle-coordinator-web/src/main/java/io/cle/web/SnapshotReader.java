package io.cle.web;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.cle.model.ObjectKey;
import io.cle.web.view.CoordinatorSnapshot;
import io.cle.web.view.LeasePage;
import io.cle.web.view.Overview;
import io.cle.web.view.OverviewQuery;
import org.jspecify.annotations.Nullable;

/**
 * Reads the coordinator's snapshots for requests. A snapshot of all leases is shared for a moment, so that many open pages cost the
 * coordinator no more than one. Thread-safe.
 */
final class SnapshotReader {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

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
            known = wait(snapshots.all());
            shared = known;
            sharedAt = System.nanoTime();
        }
        return known;
    }

    Optional<LeasePage> lease(ObjectKey key) {
        CoordinatorSnapshot snapshot = one(key);
        return snapshot.leases().stream().findFirst().map(lease -> LeasePage.of(snapshot, lease));
    }

    CoordinatorSnapshot one(ObjectKey key) {
        return wait(snapshots.one(key));
    }

    private static CoordinatorSnapshot wait(CompletionStage<CoordinatorSnapshot> stage) {
        try {
            return stage.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CoordinatorSilentException("interrupted while waiting for the coordinator", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new CoordinatorSilentException(
                    "the coordinator's event loop has not answered within " + PATIENCE.toSeconds() + " s", e);
        }
    }
}

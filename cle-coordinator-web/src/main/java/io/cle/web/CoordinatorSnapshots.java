package io.cle.web;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.cle.ApiFormat;
import io.cle.election.internal.Coordinator;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.ElectionView;
import io.cle.model.ObjectKey;
import io.cle.web.view.CoordinatorSnapshot;

/**
 * Reads the coordinator's state for the page, the endpoint and the gauges, on request threads. Both methods throw
 * {@link CompletionException} if the coordinator doesn't answer. Implementations are thread-safe.
 */
public interface CoordinatorSnapshots {

    /** How many seconds a request waits for a snapshot. */
    int PATIENCE = 5;

    /** Returns the current views of all leases, ordered by namespace and name. */
    CoordinatorSnapshot all();

    /** Returns the current view of one lease; a snapshot without leases if that lease is unknown. */
    CoordinatorSnapshot one(ObjectKey lease);

    /**
     * Reads from a coordinator in this process.
     *
     * @param policy the timing rules of its elections
     * @param coordinator returns the replica that coordinates; must be thread-safe
     * @param format the wire format in use; must be thread-safe
     */
    record OfLoop(
            Coordinator loop,
            ElectionPolicy policy,
            Supplier<Optional<String>> coordinator,
            Supplier<Optional<ApiFormat>> format)
            implements CoordinatorSnapshots {

        @Override
        public CoordinatorSnapshot all() {
            return await(loop.views().thenApply(this::snapshot));
        }

        @Override
        public CoordinatorSnapshot one(ObjectKey lease) {
            return await(loop.views(List.of(lease)).thenApply(this::snapshot));
        }

        private CoordinatorSnapshot snapshot(List<ElectionView> leases) {
            return new CoordinatorSnapshot(
                    Instant.now(),
                    loop.coordinating(),
                    coordinator.get().orElse(null),
                    loop.watches(),
                    policy,
                    format.get().orElse(null),
                    leases);
        }

        private static CoordinatorSnapshot await(CompletionStage<CoordinatorSnapshot> snapshot) {
            return snapshot.toCompletableFuture()
                    .orTimeout(PATIENCE, TimeUnit.SECONDS)
                    .join();
        }
    }
}

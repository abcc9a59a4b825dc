package io.cle.web;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.cle.model.ObjectKey;
import io.cle.web.view.CoordinatorSnapshot;

/** What the coordinator knows, for the page, the endpoint and the gauges. Implementations are thread-safe and don't block. */
public interface CoordinatorSnapshots {

    /** How long a request waits for a snapshot. */
    Duration PATIENCE = Duration.ofSeconds(5);

    /** What is known now of every lease, in order of namespace and name. */
    CompletionStage<CoordinatorSnapshot> all();

    /** What is known now of one lease; without any when it isn't known. */
    CompletionStage<CoordinatorSnapshot> one(ObjectKey lease);

    /**
     * Waits for a snapshot, on a thread of a request.
     *
     * @throws CoordinatorSilentException if it doesn't come within five seconds
     */
    static CoordinatorSnapshot await(CompletionStage<CoordinatorSnapshot> snapshot) {
        try {
            return snapshot.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CoordinatorSilentException("interrupted while waiting for the coordinator", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new CoordinatorSilentException(
                    "the coordinator's event loop has not answered within " + PATIENCE.toSeconds() + " s", e);
        }
    }
}

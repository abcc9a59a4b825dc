package io.cle.coordinator.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import io.cle.model.ObjectKey;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.internal.coordinator.CoordinatorLoop;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** {@code /actuator/elections}: every lease with its candidates in rank order and the last decision's reason (safety.md#reasons). */
@Endpoint(id = "elections")
public class ElectionsEndpoint {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** How many leases are described in one task of the event loop: thousands at once would delay elections. */
    private static final int BATCH = 100;

    private final CoordinatorLoop coordinator;
    private final CoordinatedLeaseLock replica;

    /** An endpoint for a coordinator. */
    public ElectionsEndpoint(CoordinatorLoop coordinator, CoordinatedLeaseLock replica) {
        this.coordinator = coordinator;
        this.replica = replica;
    }

    /**
     * All elections.
     *
     * @param coordinating whether this replica coordinates; a standby observes and decides nothing
     * @param coordinator which replica coordinates; absent if none does
     * @param leases the leases, by namespace and name
     */
    public record Elections(
            boolean coordinating, @Nullable String coordinator, Map<String, ElectionDescription> leases) {}

    /** All elections. */
    @ReadOperation
    public Elections elections() {
        Map<String, ElectionDescription> leases = new TreeMap<>();
        List<ObjectKey> keys = answer(coordinator.leases());
        for (int from = 0; from < keys.size(); from += BATCH) {
            answer(coordinator.views(keys.subList(from, Math.min(keys.size(), from + BATCH))))
                    .forEach(view -> leases.put(view.key().toString(), ElectionDescription.of(view)));
        }
        return new Elections(coordinator.coordinating(), replica.leader().orElse(null), leases);
    }

    /** One election; nothing, which is answered by 404, if there is no such lease. */
    @ReadOperation
    public @Nullable ElectionDescription election(@Selector String namespace, @Selector String lease) {
        return Stream.of(namespace, lease).anyMatch(String::isEmpty)
                ? null
                : answer(coordinator.views(List.of(new ObjectKey(namespace, lease)))).stream()
                        .findFirst()
                        .map(ElectionDescription::of)
                        .orElse(null);
    }

    private static <R> R answer(CompletionStage<R> stage) {
        try {
            return stage.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the coordinator's answer", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the coordinator has not answered within " + PATIENCE, e);
        }
    }
}

package io.cle.coordinator.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import io.cle.coordinator.control.Coordination;
import io.cle.model.ObjectKey;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.Coordinator;
import io.cle.runtime.ElectionView;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** {@code /actuator/elections}: every lease with its candidates in rank order and the last decision's reason (coordinator's rule 9). */
@Endpoint(id = "elections")
public class ElectionsEndpoint {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** So many leases are described at once: thousands would hold up elections for too long. */
    private static final int BATCH = 100;

    private final Coordination coordination;
    private final CoordinatedLeaseLock replica;

    /** An endpoint for a coordination. */
    public ElectionsEndpoint(Coordination coordination, CoordinatedLeaseLock replica) {
        this.coordination = coordination;
        this.replica = replica;
    }

    /**
     * All elections.
     *
     * @param coordinating whether this replica coordinates; a standby observes and decides nothing
     * @param coordinator which replica coordinates; absent when none does
     * @param leases the leases, by namespace and name
     */
    public record Elections(
            boolean coordinating, @Nullable String coordinator, Map<String, ElectionDescription> leases) {}

    /** All elections. */
    @ReadOperation
    public Elections elections() {
        Map<String, ElectionDescription> leases = new TreeMap<>();
        List<ObjectKey> keys = answer(coordination.ask(Coordinator::leases)).orElse(List.of());
        for (int from = 0; from < keys.size(); from += BATCH) {
            List<ObjectKey> batch = keys.subList(from, Math.min(keys.size(), from + BATCH));
            answer(coordination.ask(coordinator -> views(coordinator, batch)))
                    .orElse(List.of())
                    .forEach(view -> leases.put(view.key().toString(), ElectionDescription.of(view)));
        }
        return new Elections(coordination.coordinating(), replica.leader().orElse(null), leases);
    }

    private static List<ElectionView> views(Coordinator coordinator, List<ObjectKey> keys) {
        return keys.stream().flatMap(key -> coordinator.view(key).stream()).toList();
    }

    /** One election; nothing, which is answered by 404, when there is no such lease. */
    @ReadOperation
    public @Nullable ElectionDescription election(@Selector String namespace, @Selector String lease) {
        return Stream.of(namespace, lease).anyMatch(String::isEmpty)
                ? null
                : answer(coordination.ask(coordinator -> coordinator.view(new ObjectKey(namespace, lease))))
                        .flatMap(view -> view)
                        .map(ElectionDescription::of)
                        .orElse(null);
    }

    private static <R> Optional<R> answer(CompletionStage<Optional<R>> stage) {
        try {
            return Objects.requireNonNull(stage.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the coordinator was asked", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the coordinator doesn't answer within " + PATIENCE, e);
        }
    }
}

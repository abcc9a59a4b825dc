package io.cle.coordinator.actuate;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.cle.model.ObjectKey;
import io.cle.web.CoordinatorSnapshots;
import io.cle.web.view.CoordinatorSnapshot;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** {@code /actuator/elections}: every lease with its candidates in rank order and the last decision's reason (safety.md#reasons). */
@Endpoint(id = "elections")
public class ElectionsEndpoint {

    private final CoordinatorSnapshots snapshots;

    /** An endpoint for a coordinator. */
    public ElectionsEndpoint(CoordinatorSnapshots snapshots) {
        this.snapshots = snapshots;
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
        CoordinatorSnapshot snapshot = CoordinatorSnapshots.await(snapshots.all());
        Map<String, ElectionDescription> leases = new TreeMap<>();
        snapshot.leases()
                .forEach(view -> leases.put(view.key().toString(), ElectionDescription.of(view, snapshot.time())));
        return new Elections(snapshot.coordinating(), snapshot.coordinator(), leases);
    }

    /** One election; nothing, which is answered by 404, if there is no such lease. */
    @ReadOperation
    public @Nullable ElectionDescription election(@Selector String namespace, @Selector String lease) {
        if (Stream.of(namespace, lease).anyMatch(String::isEmpty)) {
            return null;
        }
        CoordinatorSnapshot snapshot = CoordinatorSnapshots.await(snapshots.one(new ObjectKey(namespace, lease)));
        return snapshot.leases().stream()
                .findFirst()
                .map(view -> ElectionDescription.of(view, snapshot.time()))
                .orElse(null);
    }
}

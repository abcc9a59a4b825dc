package io.cle.coordinator;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.cle.LockSnapshot;
import io.cle.election.internal.WatchStatus;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Reports up if this replica could coordinate at once: the API server answers and accepts its writes of the coordinators' lease, and
 * all objects have been listed. A standby is as healthy as the replica that coordinates.
 */
@Component
record CoordinatorHealthIndicator(CoordinatorLifecycle parts) implements HealthIndicator {

    @Override
    public Health health() {
        Health.Builder health = Health.up();
        parts.formats.known().ifPresentOrElse(format -> health.withDetail("format", format.text()), health::down);
        health.withDetail("formatReason", parts.formats.reason());
        health.withDetail("coordinating", parts.coordinator.coordinating());
        parts.replica.coordinator().ifPresent(leader -> health.withDetail("coordinator", leader));
        List<WatchStatus> watches = parts.coordinator.watches();
        if (watches.stream().anyMatch(watch -> watch.problem() != null)) {
            health.down();
        }
        Map<String, String> observed = new TreeMap<>();
        watches.forEach(watch -> observed.put(
                watch.kind(), Objects.requireNonNullElse(watch.problem(), "answers") + ", since " + watch.since()));
        health.withDetail("observed", observed);
        LockSnapshot.Contacts contacts = parts.replicaLock.snapshot().contacts();
        Stream.of(contacts.apiServer(), contacts.writes())
                .filter(contact -> parts.replicaLock.isRunning() && contact != null && !contact.ok())
                .findFirst()
                .ifPresent(contact -> health.down()
                        .withDetail("replicaElection", contact.problem() + " (since " + contact.since() + ")"));
        return health.build();
    }
}

package io.cle.coordinator.actuate;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import io.cle.LockSnapshot;
import io.cle.OwnedLock;
import io.cle.election.internal.Coordinator;
import io.cle.election.internal.CoordinatorReplica;
import io.cle.election.internal.WatchStatus;
import io.cle.kubernetes.internal.discovery.FormatChoice;
import io.cle.loop.internal.EventLoop;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Reports up if this replica could coordinate at once: the API server answers and accepts its writes of the coordinators' lease, and
 * all objects have been listed. A standby is as healthy as the replica that coordinates.
 */
public record CoordinatorHealthIndicator(
        FormatChoice formats, Coordinator coordinator, CoordinatorReplica replica, OwnedLock replicaLock)
        implements HealthIndicator {

    @Override
    public Health health() {
        List<WatchStatus> watches = coordinator.watches();
        Optional<LockSnapshot.Contact> trouble = trouble();
        boolean inTouch = watches.stream().allMatch(WatchStatus::ok) && trouble.isEmpty();
        boolean formatUsable = formats.known().isPresent();
        Health.Builder health = inTouch && formatUsable ? Health.up() : Health.down();
        formats.known().ifPresent(format -> health.withDetail("format", format.text()));
        health.withDetail("formatReason", formats.reason());
        health.withDetail("coordinating", coordinator.coordinating());
        replica.coordinator().ifPresent(leader -> health.withDetail("coordinator", leader));
        health.withDetail("observed", observed(watches));
        trouble.ifPresent(contact ->
                health.withDetail("replicaElection", contact.problem() + " (since " + contact.since() + ")"));
        return health.build();
    }

    /** Returns the contact that prevents this replica from being elected; empty if there is none. */
    private Optional<LockSnapshot.Contact> trouble() {
        LockSnapshot.Contacts contacts = replicaLock.snapshot().contacts();
        return Stream.of(contacts.apiServer(), contacts.writes())
                .filter(contact -> replicaLock.isRunning() && contact != null && !contact.ok())
                .findFirst();
    }

    private static Map<String, String> observed(List<WatchStatus> watches) {
        Map<String, String> kinds = new LinkedHashMap<>();
        watches.forEach(watch -> kinds.put(watch.kind(), observed(watch)));
        return kinds;
    }

    private static String observed(WatchStatus watch) {
        String since = "since " + watch.since();
        if (watch.problem() != null) {
            return watch.problem() + " (" + since + ")";
        }
        return watch.absence() == null ? since : "none (" + since + "): " + watch.absence();
    }

    /** Reports down if the event loop doesn't answer, which only a restart can fix. */
    public record OfEventLoop(EventLoop loop) implements HealthIndicator {

        private static final Duration PATIENCE = Duration.ofSeconds(3);

        @Override
        public Health health() {
            long asked = loop.clock().nanos();
            try {
                CompletableFuture.runAsync(() -> {}, loop).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                return Health.up()
                        .withDetail("answeredInMicros", (loop.clock().nanos() - asked) / 1000)
                        .build();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Health.unknown().withDetail("problem", "interrupted").build();
            } catch (ExecutionException | TimeoutException e) {
                return Health.down()
                        .withDetail("problem", "the event loop doesn't answer within " + PATIENCE)
                        .build();
            }
        }
    }
}

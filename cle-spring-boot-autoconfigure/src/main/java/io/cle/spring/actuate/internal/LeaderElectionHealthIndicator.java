package io.cle.spring.actuate.internal;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.cle.LockSnapshot;
import io.cle.Role;
import io.cle.loop.internal.Clock;
import io.cle.spring.lock.internal.ApplicationLease;
import io.cle.spring.lock.internal.Leases;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Reports {@code DOWN} while this process leads and work of its term has failed. Otherwise reports {@code UP} while the
 * API server answers, candidates can be announced and writes of leases succeed, whether this process leads or not. If
 * one of these has failed for longer than a retry period of a lease, the status is {@code UNKNOWN}: an API server that
 * doesn't answer affects all replicas, and must not take all of them out of service. A lock that isn't a candidate
 * sends no requests and doesn't affect the status; examples are locks before the application is ready, and a
 * migration's lock on a replica that doesn't lead. The shards of a lease are described together, and a replica that
 * leads none of them is as healthy as one that leads all. A process that joins no lease is {@code UP}.
 */
public final class LeaderElectionHealthIndicator extends AbstractHealthIndicator {

    private final Leases leases;
    private final Clock clock;

    /** Checks the leases of an application. */
    public LeaderElectionHealthIndicator(Leases leases, Clock clock) {
        super("Leader election health check failed");
        this.leases = leases;
        this.clock = clock;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        boolean away = false;
        Map<String, Object> byLease = new LinkedHashMap<>();
        for (String name : leases.commonNames()) {
            List<ApplicationLease> parts = leases.of(name);
            String problem = parts.stream()
                    .map(part -> problem(part.lock().snapshot()))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            away |= problem != null;
            byLease.put(name, describe(parts, problem));
        }
        // No other replica does the work of a leader whose work has failed.
        boolean failing = leases.all().stream()
                .flatMap(lease -> lease.work().stream())
                .anyMatch(work -> work.state().isFailing());
        builder.status(failing ? Status.DOWN : away ? Status.UNKNOWN : Status.UP);
        if (!byLease.isEmpty()) {
            builder.withDetail("leases", byLease);
        }
    }

    /**
     * Returns the lock's problem with the API server; {@code null} if there is none. A lock sends no requests before
     * its start, or while the lock that it is nested in doesn't lead.
     */
    private @Nullable String problem(LockSnapshot lock) {
        LockSnapshot.Contacts contacts = lock.contacts();
        boolean stopped = lock.role() == Role.STOPPED;
        return Stream.of(
                        contacts.apiServer(), stopped ? null : contacts.candidacy(), stopped ? null : contacts.writes())
                .filter(contact -> contact != null && contact.asked() && isAway(lock, contact))
                .map(contact -> contact.problem() + " (since " + contact.since() + ")")
                .findFirst()
                .orElse(null);
    }

    /** Returns whether a contact has failed for at least a retry period: a single failure may be followed by a successful attempt. */
    private boolean isAway(LockSnapshot lock, LockSnapshot.Contact contact) {
        Duration lasts = Duration.between(contact.since(), clock.wall());
        return !contact.ok() && lasts.compareTo(lock.timings().retryPeriod()) >= 0;
    }

    private static Map<String, Object> describe(List<ApplicationLease> parts, @Nullable String problem) {
        LockSnapshot lock = parts.get(0).lock().snapshot();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("identity", lock.identity());
        if (parts.get(0).shard().isPresent()) {
            details.put("shards", parts.size());
            details.put(
                    "held",
                    parts.stream().filter(shard -> shard.lock().isLeader()).count());
        } else {
            details.put("role", lock.role().name());
            details.put("holder", Objects.requireNonNullElse(lock.observed().holder(), "none"));
        }
        if (problem != null) {
            details.put("problem", problem);
        }
        if (lock.uncoordinated() != null) {
            details.put("uncoordinated", lock.uncoordinated());
        }
        Map<String, String> failures = failures(parts);
        if (!failures.isEmpty()) {
            details.put("work", failures);
        }
        return details;
    }

    private static Map<String, String> failures(List<ApplicationLease> parts) {
        Map<String, String> failures = new LinkedHashMap<>();
        for (ApplicationLease part : parts) {
            String shard = part.shard().map(it -> " of shard " + it.index()).orElse("");
            part.work().stream()
                    .filter(work -> work.failures() > 0)
                    .forEach(work -> failures.put(
                            work.work() + shard,
                            work.state() + ", failures: " + work.failures() + ", last: " + work.lastFailure()));
        }
        return failures;
    }
}

package io.cle.spring.actuate.internal;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.cle.LockSnapshot;
import io.cle.Role;
import io.cle.loop.internal.Clock;
import io.cle.spring.lock.internal.Lease;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.lock.internal.WorkLog;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * {@code DOWN} while this process leads and work of its term has failed. Otherwise {@code UP} while the API server answers, candidates can
 * be announced and writes of leases succeed, whether this process leads or not. If one of these has failed for longer than a retry period
 * of a lease, the status is {@code UNKNOWN}: an API server that doesn't answer affects all replicas, and must not take all of them out of
 * service. A lock that isn't a candidate sends no requests and doesn't affect the status: before the
 * application is ready, or a migration's lock on a replica that doesn't lead. The shards of a lease are described together, and a replica that
 * leads none of them is as healthy as one that leads all. A process that joins no lease is up.
 */
public final class LeaderElectionHealthIndicator extends AbstractHealthIndicator {

    private final Leases leases;
    private final Clock clock;

    /** Judges the leases of an application. */
    public LeaderElectionHealthIndicator(Leases leases, Clock clock) {
        super("Leader election health check failed");
        this.leases = leases;
        this.clock = clock;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        boolean failing = false;
        boolean away = false;
        Map<String, Object> byLease = new LinkedHashMap<>();
        for (String name : leases.commonNames()) {
            List<Lease> parts = leases.of(name);
            LockSnapshot outOfContact = null;
            Map<String, String> failures = new LinkedHashMap<>();
            for (Lease part : parts) {
                LockSnapshot snapshot = part.lock().snapshot();
                if (outOfContact == null && isAway(snapshot)) {
                    outOfContact = snapshot;
                }
                failing |= describeWork(part, failures);
            }
            away |= outOfContact != null;
            // Of shards, one that is out of contact is described.
            Map<String, Object> details =
                    describe(outOfContact == null ? parts.get(0).lock().snapshot() : outOfContact);
            if (parts.get(0).shard().isPresent()) {
                describeShards(parts, details);
            }
            if (!failures.isEmpty()) {
                details.put("work", failures);
            }
            byLease.put(name, details);
        }
        if (failing) {
            // No other replica does the work of a leader whose work has failed.
            builder.down();
        } else if (away) {
            builder.unknown();
        } else {
            builder.up();
        }
        if (!byLease.isEmpty()) {
            builder.withDetail("leases", byLease);
        }
    }

    private boolean isAway(LockSnapshot lock) {
        LockSnapshot.Contacts contacts = lock.contacts();
        boolean away = contacts.apiServer().asked() && isAway(lock, contacts.apiServer());
        return away
                || (lock.role() != Role.STOPPED
                        && (isAway(lock, contacts.candidacy()) || isAway(lock, contacts.writes())));
    }

    private static void describeShards(List<Lease> shards, Map<String, Object> details) {
        details.remove("role");
        details.remove("holder");
        details.put("shards", shards.size());
        details.put(
                "held", shards.stream().filter(shard -> shard.lock().isLeader()).count());
    }

    /**
     * Returns whether a contact has failed for at least a retry period: a single failure may be followed by a successful attempt. If the
     * wall clock was set back since the failure, the time since then is unknown, and the contact is treated as failed.
     */
    private boolean isAway(LockSnapshot lock, LockSnapshot.@Nullable Contact contact) {
        if (contact == null || contact.ok()) {
            return false;
        }
        Duration lasts = Duration.between(contact.since(), clock.wall());
        return lasts.isNegative() || lasts.compareTo(lock.timings().retryPeriod()) >= 0;
    }

    /**
     * Adds the failures of led work.
     *
     * @return whether work of the running term isn't done, because it failed
     */
    private static boolean describeWork(Lease lease, Map<String, String> failures) {
        boolean failing = false;
        for (WorkLog.Status status : lease.work()) {
            if (status.failures() > 0) {
                String shard =
                        lease.shard().map(it -> " of shard " + it.index()).orElse("");
                failures.put(status.work() + shard, describe(status));
            }
            failing = failing || status.state().isFailing();
        }
        return failing;
    }

    private static String describe(WorkLog.Status work) {
        return work.state() + ", failures: " + work.failures() + ", last at " + work.lastFailureTime() + ": "
                + work.lastFailure() + (work.nextAttempt() == null ? "" : ", next attempt at " + work.nextAttempt());
    }

    private static Map<String, Object> describe(LockSnapshot lock) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("role", lock.role().name());
        details.put("identity", lock.identity());
        String holder = lock.observed().holder();
        if (holder != null) {
            details.put("holder", holder);
        }
        LockSnapshot.Contact apiServer = lock.contacts().apiServer();
        if (!apiServer.asked()) {
            // Before its start, or while a lock that it is nested in doesn't lead, it asks nothing.
            details.put("apiServer", "not asked");
            return details;
        }
        details.put("apiServer", apiServer.ok() ? "available" : "unavailable");
        details.put("since", apiServer.since().toString());
        if (apiServer.problem() != null) {
            details.put("problem", apiServer.problem());
        }
        if (lock.uncoordinated() != null) {
            details.put("uncoordinated", lock.uncoordinated());
        }
        describeFailure("candidacy", lock.contacts().candidacy(), details);
        describeFailure("writes", lock.contacts().writes(), details);
        return details;
    }

    private static void describeFailure(
            String name, LockSnapshot.@Nullable Contact contact, Map<String, Object> details) {
        if (contact != null && !contact.ok()) {
            details.put(name, contact.problem() + " (since " + contact.since() + ")");
        }
    }
}

package io.cle.spring.actuate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.cle.runtime.Clock;
import io.cle.runtime.LockSnapshot;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.onleader.WorkStatus;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Down while this process leads and work of its term isn't done, because it has failed. Otherwise up as long as the API server answers and candidates can be announced, whether this process leads or not; out of service when that
 * hasn't been so for longer than a retry period of any lease. In no group by default, so that an API server that is away takes no replica out of the load balancer.
 */
public final class LeaderElectionHealthIndicator extends AbstractHealthIndicator {

    private final LeaseLocks locks;
    private final LeaseActivity activity;
    private final Clock clock;

    /** Judges the leases of an application. */
    public LeaderElectionHealthIndicator(LeaseLocks locks, LeaseActivity activity, Clock clock) {
        super("Leader election health check failed");
        this.locks = locks;
        this.activity = activity;
        this.clock = clock;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up();
        List<String> failing = new ArrayList<>();
        Map<String, Object> leases = new LinkedHashMap<>();
        locks.asMap().forEach((name, lock) -> {
            LockSnapshot snapshot = lock.snapshot();
            Map<String, Object> details = describe(snapshot);
            if (describeActivity(name, details)) {
                failing.add(name);
            }
            leases.put(name, details);
            if (isAway(snapshot, snapshot.contact()) || isAway(snapshot, snapshot.candidacy())) {
                builder.outOfService();
            }
        });
        if (!failing.isEmpty()) {
            // A leader whose work has failed leads in vain, which no other replica can make up for.
            builder.down();
        }
        builder.withDetail("leases", leases);
    }

    /** One failure is nothing yet: the next attempt comes after the retry period, and decides. */
    private boolean isAway(LockSnapshot lock, LockSnapshot.@Nullable Contact contact) {
        return contact != null
                && !contact.ok()
                && Duration.between(contact.since(), clock.wall())
                                .compareTo(lock.timings().retryPeriod())
                        >= 0;
    }

    /**
     * Adds the led work that has failed and the listeners that have a problem.
     *
     * @return whether work of the running term isn't done, because it failed
     */
    private boolean describeActivity(String lease, Map<String, Object> details) {
        boolean failing = false;
        Map<String, String> failures = new LinkedHashMap<>();
        for (WorkStatus work : activity.work(lease)) {
            if (work.failures() > 0) {
                failures.put(work.work(), describe(work));
            }
            failing = failing || work.isFailing();
        }
        if (!failures.isEmpty()) {
            details.put("work", failures);
        }
        Map<String, String> listeners = new LinkedHashMap<>();
        activity.listeners(lease)
                .forEach(problem -> listeners.put(
                        problem.listener(),
                        problem.event() + ": " + problem.problem() + " (since " + problem.since() + ")"));
        if (!listeners.isEmpty()) {
            details.put("listeners", listeners);
        }
        return failing;
    }

    private static String describe(WorkStatus work) {
        return work.state() + ", failures: " + work.failures() + ", last at " + work.lastFailureTime() + ": "
                + work.lastFailure() + (work.nextAttempt() == null ? "" : ", next attempt at " + work.nextAttempt());
    }

    private static Map<String, Object> describe(LockSnapshot lock) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("role", lock.role().name());
        details.put("identity", lock.identity());
        if (lock.holder() != null) {
            details.put("holder", lock.holder());
        }
        details.put("apiServer", lock.contact().ok() ? "answers" : "doesn't answer");
        details.put("since", lock.contact().since().toString());
        if (lock.contact().problem() != null) {
            details.put("problem", lock.contact().problem());
        }
        LockSnapshot.Contact candidacy = lock.candidacy();
        if (candidacy != null && !candidacy.ok()) {
            details.put("candidacy", candidacy.problem() + " (since " + candidacy.since() + ")");
        }
        return details;
    }
}

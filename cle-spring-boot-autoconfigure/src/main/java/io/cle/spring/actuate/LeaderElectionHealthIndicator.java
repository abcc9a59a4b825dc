package io.cle.spring.actuate;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.cle.runtime.Clock;
import io.cle.runtime.LockSnapshot;
import io.cle.spring.lock.LeaseLocks;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Up as long as the API server answers and candidates can be announced, whether this process leads or not; out of service when that
 * hasn't been so for longer than a retry period of any lease. In no group by default, so that an API server that is away takes no replica out of the load balancer.
 */
public final class LeaderElectionHealthIndicator extends AbstractHealthIndicator {

    private final LeaseLocks locks;
    private final Clock clock;

    /** Tells of the leases of an application. */
    public LeaderElectionHealthIndicator(LeaseLocks locks, Clock clock) {
        super("Leader election health check failed");
        this.locks = locks;
        this.clock = clock;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up();
        Map<String, Object> leases = new LinkedHashMap<>();
        locks.asMap().forEach((name, lock) -> {
            LockSnapshot snapshot = lock.snapshot();
            leases.put(name, describe(snapshot));
            if (isAway(snapshot, snapshot.contact()) || isAway(snapshot, snapshot.candidacy())) {
                builder.outOfService();
            }
        });
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

package io.cle.spring.actuate.internal;

import java.util.LinkedHashMap;
import java.util.Map;

import io.cle.LockSnapshot;
import io.cle.spring.lock.internal.Leases;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Adds to the info endpoint, by lease, this process's identity and role and the current holder; nothing if it joins no lease. */
public record LeaderElectionInfoContributor(Leases leases) implements InfoContributor {

    @Override
    public void contribute(Info.Builder builder) {
        Map<String, Object> details = new LinkedHashMap<>();
        leases.all()
                .forEach(
                        lease -> details.put(lease.name(), describe(lease.lock().snapshot())));
        if (!details.isEmpty()) {
            builder.withDetail("leaderElection", details);
        }
    }

    private static Map<String, Object> describe(LockSnapshot lock) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("identity", lock.identity());
        details.put("role", lock.role().name());
        String holder = lock.observed().holder();
        if (holder != null) {
            details.put("holder", holder);
        }
        return details;
    }
}

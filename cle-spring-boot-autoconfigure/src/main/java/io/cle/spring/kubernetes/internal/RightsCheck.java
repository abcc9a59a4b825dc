package io.cle.spring.kubernetes.internal;

import io.cle.CoordinatedLeaseLock;
import io.cle.kubernetes.internal.access.AccessReport;
import io.cle.lock.internal.LeaseLines;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.properties.internal.LeaseSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Checks, when a lock first joins its election, whether this process has the rights that it needs. Logs one warning with the missing verbs,
 * resources and namespace, and the rules of a role that grants them. The lock doesn't wait for the answer.
 *
 * @param cluster {@code null} if this process joins no cluster, and so needs no rights
 * @param events whether Events are written on the records of direct locks
 */
public record RightsCheck(@Nullable ClusterClient cluster, Leases leases, boolean events, LeaseLines lines)
        implements LeaseLockCustomizer {

    private static final Logger log = LoggerFactory.getLogger(RightsCheck.class);

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        LeaseSettings settings = leases.get(name).settings();
        // A process that only follows a lease needs fewer rights.
        if (cluster == null
                || settings == null
                || settings.isFurtherShard()
                || !settings.properties().candidate().enabled()) {
            return;
        }
        cluster.checkRights(settings, events).thenAccept(report -> tell(settings, report));
    }

    private void tell(LeaseSettings lease, AccessReport report) {
        report.problem().ifPresent(problem -> {
            boolean shown = lines.isShown("rights are missing", lease.commonName());
            log.atLevel(shown ? Level.WARN : Level.DEBUG).log("lease {}: {}", lease.commonName(), problem);
        });
        report.unchecked().ifPresent(reason -> inform(lease, reason));
    }

    private void inform(LeaseSettings lease, String reason) {
        boolean shown = lines.isShown("the rights could not be checked", lease.commonName());
        log.atLevel(shown ? Level.INFO : Level.DEBUG).log("lease {}: {}", lease.commonName(), reason);
    }
}

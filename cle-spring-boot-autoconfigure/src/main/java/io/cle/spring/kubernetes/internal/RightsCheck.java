package io.cle.spring.kubernetes.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.kubernetes.internal.access.AccessReport;
import io.cle.model.ApiResult;
import io.cle.runtime.internal.lock.LeaseLines;
import io.cle.spring.lock.internal.ElectionSettings;
import io.cle.spring.lock.internal.LeasePreparation;
import io.cle.spring.properties.LeaseSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Asks, before a lock first joins its election, whether this process has the rights it needs, and names in one warning what is missing:
 * verb, resource and namespace, with the rules of a role that would grant it. Prevents no candidacy, whatever the answer.
 */
public record RightsCheck(Cluster cluster, ElectionSettings settings, LeaseLines lines) implements LeasePreparation {

    private static final Logger log = LoggerFactory.getLogger(RightsCheck.class);

    /**
     * Checks the rights for a lease, and tells what is missing.
     *
     * @param name what the lease is called in this application
     * @return completes when that is done, never with a failure, and within the time that requests may take
     */
    @Override
    public CompletionStage<Void> prepare(String name) {
        // One that only follows a lease needs less.
        return settings.find(name)
                .filter(lease -> lease.candidate().enabled())
                .map(lease -> cluster.checkRights(lease).thenAccept(report -> tell(lease, report)))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private void tell(LeaseSettings lease, ApiResult<AccessReport> result) {
        if (result instanceof ApiResult.Ok<AccessReport> report) {
            report.value().problem().ifPresent(problem -> {
                boolean shown = lines.isShown("rights are missing", lease.name());
                log.atLevel(shown ? Level.WARN : Level.DEBUG).log("lease {}: {}", lease.name(), problem);
            });
            report.value().unchecked().ifPresent(reason -> inform(lease, reason));
        } else {
            inform(lease, "the rights could not be checked: " + result.describe());
        }
    }

    private void inform(LeaseSettings lease, String reason) {
        boolean shown = lines.isShown("the rights could not be checked", lease.name());
        log.atLevel(shown ? Level.INFO : Level.DEBUG).log("lease {}: {}", lease.name(), reason);
    }
}

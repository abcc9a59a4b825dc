package io.cle.spring.kubernetes.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.kubernetes.internal.access.AccessReport;
import io.cle.model.ApiResult;
import io.cle.spring.lock.internal.ElectionSettings;
import io.cle.spring.lock.internal.LeasePreparation;
import io.cle.spring.properties.LeaseSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks, before a lock first joins its election, whether this process has the rights it needs, and names in one warning what is missing:
 * verb, resource and namespace, with the rules of a role that would grant it. Prevents no candidacy, whatever the answer.
 */
public record RightsCheck(Cluster cluster, ElectionSettings settings) implements LeasePreparation {

    private static final Logger log = LoggerFactory.getLogger(RightsCheck.class);

    /**
     * Checks the rights for a lease, and tells what is missing.
     *
     * @param name what the lease is called in this application
     * @return completes when that is done, never with a failure, and within the time that requests may take
     */
    @Override
    public CompletionStage<Void> prepare(String name) {
        return settings.find(name)
                .map(lease -> cluster.checkRights(lease).thenAccept(report -> tell(lease, report)))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private static void tell(LeaseSettings lease, ApiResult<AccessReport> result) {
        if (result instanceof ApiResult.Ok<AccessReport> report) {
            report.value().problem().ifPresent(problem -> log.warn("lease {}: {}", lease.name(), problem));
            report.value().unchecked().ifPresent(reason -> log.info("lease {}: {}", lease.name(), reason));
        } else {
            log.info("lease {}: the rights could not be checked: {}", lease.name(), result.describe());
        }
    }
}

package io.cle.spring.lock;

import java.util.List;

import io.cle.api.CandidateStore;
import io.cle.api.LeaseStore;
import io.cle.kubernetes.FormatDiscovery;
import io.cle.model.Timings;
import io.cle.rehearsal.Staging;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.spring.properties.ApiSelection;

/** What stands between an application's locks and the API server, and who listens to them, for a rehearsal. */
public final class RehearsedLocks implements Staging {

    private static final String NAMESPACE = "rehearsal";

    private final List<LeaseLockCustomizer> customizers;

    /** With listeners that tell nobody. */
    public RehearsedLocks(List<LeaseLockCustomizer> customizers) {
        this.customizers = List.copyOf(customizers);
    }

    @Override
    public LeaseStore leases(Stage stage) {
        return new DeferredLeaseStore(format(stage), stage.apis()::leases, stage.loop(), Timings.DEFAULT.retryPeriod());
    }

    @Override
    public CandidateStore candidates(Stage stage) {
        return new DeferredCandidateStore(
                format(stage), stage.apis()::candidates, stage.loop(), Timings.DEFAULT.retryPeriod());
    }

    private static WireFormat format(Stage stage) {
        FormatDiscovery discovery = new FormatDiscovery(stage.transport(), NAMESPACE, Timings.DEFAULT.requestTimeout());
        return new WireFormat(ApiSelection.CRD, discovery, stage.loop());
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        customizers.forEach(customizer -> customizer.customize(name, lock));
    }
}

package io.cle.election.internal;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

import io.cle.election.internal.api.CoordinatorClient;
import io.cle.election.internal.api.LeaseConfiguration;
import io.cle.lock.internal.VirtualLoop;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.store.internal.WatchEvent;

/** A coordinator without the loop: the test sets what its watches deliver, and when a lease is reconciled. */
final class ObservingCoordinator {

    final LeaseTable table;
    final LeaseReconciler coordinator;
    private final VirtualLoop loop;

    ObservingCoordinator(CoordinatorConfig config, ApiInMemory api, VirtualLoop loop) {
        this.loop = loop;
        CoordinatorJournal journal = new CoordinatorJournal(api.client, loop, reason -> {});
        table = new LeaseTable(config.namespaces(), config.policy().leaseDuration(), loop.clock(), journal);
        coordinator = new LeaseReconciler(config, api.client, table, journal, loop.clock(), () -> {});
        coordinator.begin();
    }

    void onLease(WatchEvent<Lease> event) {
        table.onLease(CoordinatorClient.ALL_NAMESPACES, event);
    }

    void onCandidate(WatchEvent<Candidate> event) {
        table.onCandidate(CoordinatorClient.ALL_NAMESPACES, event);
    }

    void onConfiguration(WatchEvent<LeaseConfiguration> event) {
        table.onConfiguration(CoordinatorClient.ALL_NAMESPACES, event);
        coordinator.reportConfigurations();
        loop.runReady();
    }

    CompletionStage<LeaseReconciler.Outcome> reconcile(ObjectKey lease) {
        CompletionStage<LeaseReconciler.Outcome> outcome = coordinator.reconcile(lease);
        loop.runReady();
        return outcome;
    }

    Optional<ElectionView> view(ObjectKey lease) {
        return coordinator.view(lease);
    }
}

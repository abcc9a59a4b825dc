package io.cle.election.internal;

import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;

import io.cle.loop.internal.Clock;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.store.internal.LeaseConfiguration;
import io.cle.store.internal.WatchEvent;

/** A coordinator with what it has observed, and without the loop: the test says which lease is reconciled when. */
final class ObservingCoordinator {

    final LeaseTable table;
    final Coordinator coordinator;

    ObservingCoordinator(CoordinatorConfig config, FakeCoordinatorApi api, Clock clock) {
        CoordinatorJournal journal = new CoordinatorJournal(api, clock, CoordinatorListener.NONE);
        table = new LeaseTable(
                config.namespaces(), config.quota(), config.policy().leaseDuration(), clock, journal);
        coordinator =
                new Coordinator(config, api, table, journal, clock, new Random(1), () -> {}, CoordinatorListener.NONE);
        coordinator.begin();
    }

    void onLease(WatchEvent<Lease> event) {
        table.onLease(event);
    }

    void onCandidate(WatchEvent<Candidate> event) {
        table.onCandidate(event);
    }

    void onConfiguration(WatchEvent<LeaseConfiguration> event) {
        table.onConfiguration(event);
        coordinator.reportConfigurations();
    }

    CompletionStage<Coordinator.Outcome> reconcile(ObjectKey lease) {
        return coordinator.reconcile(lease);
    }

    Optional<ElectionView> view(ObjectKey lease) {
        return coordinator.view(lease);
    }
}

package io.cle.test.contract;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

import com.google.gson.JsonObject;
import io.cle.LockSnapshot.HistoryEntry;
import io.cle.Timings;
import io.cle.election.internal.api.CoordinatorClient;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.Candidate;
import io.cle.plain.LeaderElection;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.WatchEvent;
import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** A restore of a real etcd from a backup, without {@code --bump-revision}: safety.md#succession. */
@EnabledIfRealApiServer
@Timeout(240)
class RestoredEtcdTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Timings SHORT =
            new Timings(Duration.ofSeconds(6), Duration.ofSeconds(4), Duration.ofSeconds(1));

    /** Enough writes before the restore that the restored history doesn't reach the former versions during this test. */
    private static final int WRITES = 400;

    @Test
    void isFoundByACoordinatorsWatchAndALockLeadsAgainAndReportsTheSmallerToken() throws InterruptedException {
        try (RealApiServer server = RealApiServer.start()) {
            Path backup = server.backUpEtcd();
            KubernetesAccess cluster = KubernetesAccess.of(server.kubeconfig());
            EventRecorder<Candidate> candidates = new EventRecorder<>();
            try (ApiUnderTest api = new ApiUnderTest(OkHttpTransport.to(cluster));
                    Subscription watch = new CoordinatorClient(
                                    api.client(), ResourceType.CRD_CANDIDATES, Set.of(), "restored")
                            .watchCandidates(CoordinatorClient.ALL_NAMESPACES, candidates)) {
                assertThat(watch).isNotNull();
                candidates.nextSnapshot();
                for (int i = 0; i < WRITES; i++) {
                    api.create(ResourceType.LEASES, api.newKey("written-since"), new JsonObject());
                }
                api.create(ResourceType.CRD_CANDIDATES, api.newKey("lost"), candidateSpec());
                candidates.nextChanged();
                restore(server, backup, candidates);
            }
        }
    }

    private static void restore(RealApiServer server, Path backup, EventRecorder<Candidate> candidates)
            throws InterruptedException {
        try (LeaderElection election = LeaderElection.builder(KubernetesAccess.of(server.kubeconfig()))
                .lease("default", "orders")
                .identity("a")
                .timings(SHORT)
                .start()) {
            assertThat(election.awaitLeadership(PATIENCE)).isTrue();
            long former = election.lock().fencingToken().orElseThrow();

            server.restoreEtcd(backup);

            assertThat(snapshot(candidates).objects()).isEmpty();
            assertThat(election.awaitLeadership(PATIENCE)).isTrue();
            assertThat(election.lock().fencingToken().orElseThrow()).isLessThan(former);
            assertThat(election.lock().snapshot().history())
                    .extracting(HistoryEntry::what)
                    .anyMatch(what -> what.contains("is smaller than "));
        }
    }

    private static JsonObject candidateSpec() {
        JsonObject spec = new JsonObject();
        spec.addProperty("canLeadLease", "default/orders");
        spec.addProperty("renewTime", "2026-01-01T00:00:00.000000Z");
        JsonObject candidate = new JsonObject();
        candidate.add("spec", spec);
        return candidate;
    }

    private static WatchEvent.Snapshot<Candidate> snapshot(EventRecorder<Candidate> events) {
        while (true) {
            if (events.next() instanceof WatchEvent.Snapshot<Candidate> snapshot) {
                return snapshot;
            }
        }
    }
}

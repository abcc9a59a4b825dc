package io.cle.test.contract;

import java.util.Set;

import com.google.gson.JsonParser;
import io.cle.ApiFormat;
import io.cle.election.internal.api.CoordinatorClient;
import io.cle.election.internal.api.LeaseConfiguration;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.store.internal.LeaseApi;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.WatchEvent;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.cle.test.contract.ApiUnderTest.ok;
import static org.assertj.core.api.Assertions.assertThat;

/** Watches resume after faults of API servers: no change is lost. */
@Timeout(120)
class ResumedWatchesTest {

    private EmbeddedApiServer server;
    private ApiUnderTest api;
    private LeaseApi leases;
    private ObjectKey key;
    private final EventRecorder<Lease> events = new EventRecorder<>();

    @BeforeEach
    void start() {
        server = EmbeddedApiServer.start();
        api = new ApiUnderTest(OkHttpTransport.to(KubernetesAccess.at(server.url())));
        leases = LeaseClient.of(api.client(), ApiFormat.CRD, null);
        key = api.newKey("orders");
    }

    @AfterEach
    void stop() {
        api.close();
        server.close();
    }

    private Lease create() {
        return ok(leases.create(Lease.builder(key).holder("a").build()));
    }

    private Lease change(Lease lease) {
        return ok(leases.write(
                lease.toBuilder().transitions(lease.transitions() + 1).build()));
    }

    @Test
    void aWatchThatTheServerEndsGoesOnWhereItWasWithoutAnybodyNoticing() {
        try (Subscription watch = leases.watch(key, events)) {
            assertThat(watch).isNotNull();
            events.nextSnapshot();
            Lease lease = create();
            assertThat(events.nextChanged()).isEqualTo(lease);
            for (int i = 0; i < 3; i++) {
                server.dropWatches();
                lease = change(lease);
                assertThat(events.nextChanged()).isEqualTo(lease);
            }
            assertThat(server.requests().of("list", "leases"))
                    .as("resumed, not begun anew")
                    .isEqualTo(1L);
        }
    }

    @Test
    void aWatchWhoseVersionIsForgottenBeginsAnewWithASnapshot() {
        try (Subscription watch = leases.watch(key, events)) {
            assertThat(watch).isNotNull();
            events.nextSnapshot();
            Lease lease = create();
            assertThat(events.nextChanged()).isEqualTo(lease);

            server.expireWatches();

            assertThat(events.nextSnapshot().objects()).containsExactly(lease);
            Lease changed = change(lease);
            assertThat(events.nextChanged()).isEqualTo(changed);
        }
    }

    @Test
    void aServerThatGoesAndComesBackIsReportedAndNothingIsLost() {
        Lease lease = create();
        try (Subscription watch = leases.watch(key, events)) {
            assertThat(watch).isNotNull();
            assertThat(events.nextSnapshot().objects()).containsExactly(lease);

            server.stop();
            assertThat(events.next()).isInstanceOf(WatchEvent.Interrupted.class);
            server.resume();
            Lease changed = change(lease);

            WatchEvent<Lease> event = events.next();
            while (event instanceof WatchEvent.Interrupted) {
                event = events.next();
            }
            assertThat(event).isInstanceOf(WatchEvent.Snapshot.class);
            Lease seen = ((WatchEvent.Snapshot<Lease>) event).objects().get(0);
            assertThat(seen.equals(changed) ? seen : events.nextChanged()).isEqualTo(changed);
        }
    }

    @Test
    void rightsThatAreTakenAwayAreTold() {
        server.deny("list", "leases", "*");
        try (Subscription watch = leases.watch(key, events)) {
            assertThat(watch).isNotNull();
            WatchEvent<Lease> event = events.next();
            assertThat(event).isInstanceOf(WatchEvent.Interrupted.class);
            assertThat(((WatchEvent.Interrupted<Lease>) event).message())
                    .contains("list")
                    .contains("leases");

            server.allowAll();

            while (event instanceof WatchEvent.Interrupted) {
                event = events.next();
            }
            assertThat(event).isInstanceOf(WatchEvent.Snapshot.class);
        }
    }

    @Test
    void aNativeApiThatIsSwitchedOffAndOnAgainIsReportedAndFoundAgain() {
        server.serveNative(true);
        EventRecorder<Candidate> candidates = new EventRecorder<>();
        CoordinatorClient coordinator =
                new CoordinatorClient(api.client(), ResourceType.candidates(ApiFormat.NATIVE), Set.of(), "test");
        try (Subscription watch = coordinator.watchCandidates(CoordinatorClient.ALL_NAMESPACES, candidates)) {
            assertThat(watch).isNotNull();
            candidates.nextSnapshot();

            server.serveNative(false);
            WatchEvent<Candidate> event = candidates.next();
            assertThat(event).isInstanceOf(WatchEvent.Interrupted.class);
            assertThat(((WatchEvent.Interrupted<Candidate>) event).message())
                    .contains("--runtime-config=coordination.k8s.io/v1beta1=true");

            server.serveNative(true);
            while (event instanceof WatchEvent.Interrupted) {
                event = candidates.next();
            }
            assertThat(event).isInstanceOf(WatchEvent.Snapshot.class);
        }
    }

    @Test
    void aClusterWithoutOurDefinitionsIsReportedOnceAndHasNoConfigurations() {
        EventRecorder<LeaseConfiguration> configurations = new EventRecorder<>();
        try (EmbeddedApiServer bare = EmbeddedApiServer.builder()
                        .withoutCustomResourceDefinitions()
                        .start();
                ApiUnderTest bareApi = new ApiUnderTest(OkHttpTransport.to(KubernetesAccess.at(bare.url())));
                Subscription watch = new CoordinatorClient(
                                bareApi.client(), ResourceType.CRD_CANDIDATES, Set.of(), "test")
                        .watchConfigurations(CoordinatorClient.ALL_NAMESPACES, configurations)) {
            assertThat(watch).isNotNull();
            assertThat(configurations.nextSnapshot().objects()).isEmpty();
            WatchEvent<LeaseConfiguration> event = configurations.next();
            assertThat(event).isInstanceOf(WatchEvent.NotServed.class);
            assertThat(((WatchEvent.NotServed<LeaseConfiguration>) event).message())
                    .contains("cle-coordinator-app/deploy/helm/files/crds/leaseconfigurations.yaml");
        }
    }

    @Test
    void aMalformedTermAnnotationIsTreatedAsAbsent() {
        Lease lease = create();
        try (Subscription watch = leases.watch(key, events)) {
            assertThat(watch).isNotNull();
            events.nextSnapshot();
            api.merge(
                    ResourceType.LEASES,
                    key,
                    JsonParser.parseString("{\"metadata\": {\"annotations\": {\"coordination.cle.io/term\": \"?\"}}}")
                            .getAsJsonObject());
            Lease told = events.nextChanged();
            assertThat(told.toBuilder().resourceVersion(lease.resourceVersion()).build())
                    .isEqualTo(lease);
        }
    }
}

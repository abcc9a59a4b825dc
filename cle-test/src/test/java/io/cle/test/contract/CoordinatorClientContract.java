package io.cle.test.contract;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.ApiFormat;
import io.cle.election.internal.api.ConfigurationStatus;
import io.cle.election.internal.api.CoordinatorClient;
import io.cle.election.internal.api.LeaseConfiguration;
import io.cle.election.internal.api.PodState;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.Version;
import io.cle.model.internal.Lease;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.WatchEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.cle.test.contract.ApiUnderTest.ok;
import static org.assertj.core.api.Assertions.assertThat;

/** The contract of a coordinator's API, in any wire format. */
@Timeout(120)
abstract class CoordinatorClientContract {

    private static final List<String> SCOPES = List.of(CoordinatorClient.ALL_NAMESPACES, "default");

    private final Supplier<ApiUnderTest> server;
    private final ApiFormat format;
    private ApiUnderTest api;
    private CoordinatorClient everywhere;
    private ObjectKey key;

    CoordinatorClientContract(Supplier<ApiUnderTest> server, ApiFormat format) {
        this.server = server;
        this.format = format;
    }

    @BeforeEach
    final void openApi() {
        api = server.get();
        everywhere = new CoordinatorClient(api.client(), ResourceType.candidates(format), Set.of(), "contract");
        key = api.newKey("orders");
    }

    @AfterEach
    final void closeServer() {
        api.close();
    }

    private static JsonObject json(String text) {
        return JsonParser.parseString(text.replace('\'', '"')).getAsJsonObject();
    }

    private Lease lease(boolean managed) {
        return Lease.builder(key).holder("orders-a").managed(managed).build();
    }

    /** Waits for the event of one key, and skips those of objects that other tests have left. */
    private static Lease nextOf(ObjectKey key, EventRecorder<Lease> events) {
        Lease lease = events.nextChanged();
        while (!lease.key().equals(key)) {
            lease = events.nextChanged();
        }
        return lease;
    }

    @Test
    void managedLeasesAreWatchedAndOthersAreNot() {
        for (String namespace : SCOPES) {
            EventRecorder<Lease> events = new EventRecorder<>();
            try (Subscription watch = everywhere.watchLeases(namespace, events)) {
                assertThat(watch).isNotNull();
                events.nextSnapshot();
                Lease other = Lease.builder(api.newKey("other")).holder("x").build();
                ok(everywhere.leases().create(other));
                key = api.newKey("orders");
                Lease created = ok(everywhere.leases().create(lease(true)));

                assertThat(events.nextChanged()).isEqualTo(created);
            }
        }
    }

    @Test
    void aLeaseThatBecomesManagedIsAddedAndOneThatCeasesToBeIsRemoved() {
        Lease created = ok(everywhere.leases().create(lease(false)));
        EventRecorder<Lease> events = new EventRecorder<>();
        try (Subscription watch = everywhere.watchLeases(CoordinatorClient.ALL_NAMESPACES, events)) {
            assertThat(watch).isNotNull();
            assertThat(events.nextSnapshot().objects()).doesNotContain(created);

            Lease managed = ok(
                    everywhere.leases().write(created.toBuilder().managed(true).build()));
            assertThat(nextOf(key, events)).isEqualTo(managed);
            ok(everywhere.leases().write(managed.toBuilder().managed(false).build()));
            WatchEvent<Lease> last = events.next();

            assertThat(last).isInstanceOf(WatchEvent.Removed.class);
            assertThat(((WatchEvent.Removed<Lease>) last).key()).isEqualTo(key);
        }
    }

    @Test
    void candidatesOfAllNamespacesAreWatched() {
        Candidate candidate = Candidate.builder(key, new ObjectKey(key.namespace(), "orders"))
                .binaryVersion(Version.parse("1.0.0"))
                .strategy("HighestPriority")
                .renewTime(Instant.EPOCH)
                .build();
        for (String namespace : SCOPES) {
            EventRecorder<Candidate> events = new EventRecorder<>();
            try (Subscription watch = everywhere.watchCandidates(namespace, events)) {
                assertThat(watch).isNotNull();
                events.nextSnapshot();

                Candidate created = ok(everywhere.candidates().create(candidate));
                assertThat(events.nextChanged()).isEqualTo(created);

                ok(everywhere.candidates().delete(key, Optional.empty()));
                assertThat(events.next()).isInstanceOf(WatchEvent.Removed.class);
            }
        }
    }

    /** A page of a list has at most 500 objects. */
    @Test
    void moreCandidatesThanAPageOfAListHoldsAreOneSnapshot() {
        List<ObjectKey> keys =
                IntStream.range(0, 501).mapToObj(i -> api.newKey("paged")).toList();
        for (ObjectKey candidate : keys) {
            ok(everywhere
                    .candidates()
                    .create(Candidate.builder(candidate, new ObjectKey(key.namespace(), "orders"))
                            .binaryVersion(Version.parse("1.0.0"))
                            .strategy("HighestPriority")
                            .renewTime(Instant.EPOCH)
                            .build()));
        }
        EventRecorder<Candidate> events = new EventRecorder<>();
        try (Subscription watch = everywhere.watchCandidates(CoordinatorClient.ALL_NAMESPACES, events)) {
            assertThat(watch).isNotNull();

            assertThat(events.nextSnapshot().objects())
                    .extracting(Candidate::key)
                    .doesNotHaveDuplicates()
                    .containsAll(keys);
        }
        for (ObjectKey candidate : keys) {
            ok(everywhere.candidates().delete(candidate, Optional.empty()));
        }
    }

    @Test
    void configurationsAreWatched() {
        EventRecorder<LeaseConfiguration> events = new EventRecorder<>();
        try (Subscription watch = everywhere.watchConfigurations(CoordinatorClient.ALL_NAMESPACES, events)) {
            assertThat(watch).isNotNull();
            events.nextSnapshot();
            api.create(
                    ResourceType.LEASE_CONFIGURATIONS,
                    key,
                    json("{'spec': {'targetLease': 'orders', 'strategy': 'NoCoordination'}}"));

            assertThat(events.nextChanged())
                    .isEqualTo(new LeaseConfiguration(
                            key,
                            new ObjectKey(key.namespace(), "orders"),
                            "NoCoordination",
                            1,
                            ConfigurationStatus.NONE));
        }
    }

    @Test
    void theStatusOfAConfigurationIsWrittenBesideItsSpec() {
        api.create(
                ResourceType.LEASE_CONFIGURATIONS,
                key,
                json("{'spec': {'targetLease': 'ord*', 'strategy': 'NoCoordination'}}"));
        EventRecorder<LeaseConfiguration> events = new EventRecorder<>();
        try (Subscription watch = everywhere.watchConfigurations(CoordinatorClient.ALL_NAMESPACES, events)) {
            assertThat(watch).isNotNull();
            LeaseConfiguration seen = events.nextSnapshot().objects().stream()
                    .filter(configuration -> configuration.key().equals(key))
                    .findFirst()
                    .orElseThrow();
            assertThat(seen.status()).isEqualTo(ConfigurationStatus.NONE);
            assertThat(seen.targetLease()).isEqualTo(new ObjectKey(key.namespace(), "ord*"));
            ConfigurationStatus status = ConfigurationStatus.of(
                    seen, false, List.of(seen), Optional.empty(), Instant.parse("2026-01-01T00:00:00Z"));

            ok(everywhere.report(seen.with(status)));

            LeaseConfiguration changed = events.nextChanged();
            assertThat(changed).isEqualTo(seen.with(status));
        }
    }

    @Test
    void aPodThatIsNotThereIsMissing() {
        assertThat(ok(everywhere.pod(new PodRef(key, "uid")))).isEqualTo(new PodState.Missing());
    }

    @Test
    void aPodOfAnotherUidIsMissingAndOneThatNoNodeHasReportedOfIsUnclear() {
        JsonObject pod = api.create(
                ResourceType.PODS, key, json("{'spec': {'containers': [{'name': 'app', 'image': 'app:1'}]}}"));
        String uid = pod.getAsJsonObject("metadata").get("uid").getAsString();

        assertThat(ok(everywhere.pod(new PodRef(key, uid + "x")))).isEqualTo(new PodState.Missing());
        assertThat(ok(everywhere.pod(new PodRef(key, uid)))).isInstanceOf(PodState.Unclear.class);
    }

    @Test
    void anEventIsRecordedOnTheLease() {
        Lease lease = ok(everywhere.leases().create(lease(true)));

        String name =
                ok(everywhere.event(lease, true, "TermEnded", "a better candidate\nis \"there\" " + "x".repeat(2000)));
        String second = ok(everywhere.event(lease, false, "Elected", "orders-a"));

        assertThat(second).isNotEqualTo(name);
        JsonObject event = api.stored(ResourceType.EVENTS, new ObjectKey(key.namespace(), name));
        assertThat(event.get("type").getAsString()).isEqualTo("Warning");
        assertThat(event.get("reason").getAsString()).isEqualTo("TermEnded");
        assertThat(event.get("message").getAsString()).startsWith("a better candidate\nis \"there\" xxx");
        JsonObject involved = event.getAsJsonObject("involvedObject");
        assertThat(involved.get("kind").getAsString()).isEqualTo("Lease");
        assertThat(involved.get("name").getAsString()).isEqualTo(key.name());
        assertThat(involved.get("uid").getAsString())
                .as("by which kubectl describe finds it")
                .isEqualTo(lease.uid());
        assertThat(lease.uid()).isNotEmpty();
        assertThat(event.getAsJsonObject("source").get("component").getAsString())
                .isEqualTo("contract");
    }
}

package io.cle.coordinator;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import com.google.gson.JsonObject;
import io.cle.ApiFormat;
import io.cle.LockSnapshot;
import io.cle.Timings;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.LeaseLock;
import io.cle.model.ObjectKey;
import io.cle.test.contract.PathInFailures;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What the coordinator does for applications, on any API server. One coordinator serves all tests of a class.
 * Rule: {@code protocol.md#events}.
 */
@ExtendWith(PathInFailures.class)
@TestInstance(Lifecycle.PER_CLASS)
abstract class CoordinatorScenarios {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The time that every candidate needs, as the end of a spec. */
    private static final String RENEWED = ", \"renewTime\": \"2026-01-01T00:00:00.000000Z\"";

    /** No lease of a candidate expires in these tests. */
    private static final Timings PATIENT =
            new Timings(Duration.ofSeconds(120), Duration.ofSeconds(100), Duration.ofSeconds(2));

    private static final String NAMESPACE = "shop";
    private static final String OTHER_NAMESPACE = "other-tenant";

    private final AtomicInteger leases = new AtomicInteger();
    private KubernetesAccess access;
    private Cluster cluster;
    private Candidates candidates;
    private RunningCoordinator coordinator;

    /** The API server to run against. */
    abstract KubernetesAccess access();

    /** Ends the API server, if no other test uses it. */
    void stopServer() {}

    @BeforeAll
    void startCoordinator() {
        access = access();
        cluster = new Cluster(access);
        cluster.createNamespace(NAMESPACE);
        cluster.createNamespace(OTHER_NAMESPACE);
        coordinator = startAnotherCoordinator();
        candidates = new Candidates(access, ApiFormat.CRD).with(PATIENT);
    }

    private RunningCoordinator startAnotherCoordinator() {
        return RunningCoordinator.at(
                access,
                "cle.coordinator.lease-duration=5s",
                "cle.coordinator.strategies.shop/by-property=NewestCompatibilityVersion");
    }

    @AfterAll
    void stopCoordinator() {
        candidates.close();
        coordinator.close();
        cluster.close();
        stopServer();
    }

    @Test
    void aStrategyByPropertyCounts() {
        ObjectKey lease = new ObjectKey(NAMESPACE, "by-property");
        try (LeaseLock older = candidates.candidate(lease, "older-by-property", "1.1.0");
                LeaseLock newer = candidates.candidate(lease, "newer-by-property", "1.2.0")) {
            older.start();
            await().atMost(PATIENCE).until(older::isLeader);

            newer.start();
            await().atMost(PATIENCE).until(newer::isLeader);
        }
    }

    /** These candidates have no fallback and long lease durations: without the strategy on the lease, none would ever lead again. */
    @Test
    void aLeaseThatIsTakenOutOfCoordinationIsLedAgainAtOnceWhenItsLeaderEnds() {
        ObjectKey lease = newLease();
        try (LeaseLock leader = candidates.candidate(lease, "leader-" + lease.name(), "1.1.0");
                LeaseLock next = candidates.candidate(lease, "next-" + lease.name(), "1.2.0")) {
            leader.start();
            next.start();
            await().atMost(PATIENCE).until(leader::isLeader);

            cluster.create(
                    ResourceType.LEASE_CONFIGURATIONS,
                    NAMESPACE,
                    lease.name(),
                    "{\"targetLease\": \"" + lease + "\", \"strategy\": \"NoCoordination\"}");
            await().atMost(PATIENCE)
                    .until(() ->
                            "NoCoordination".equals(leader.snapshot().observed().strategy()));
            assertThat(leader.isLeader()).isTrue();
            leader.stop();

            await().atMost(PATIENCE).until(next::isLeader);
        } finally {
            cluster.delete(ResourceType.LEASE_CONFIGURATIONS, NAMESPACE, lease.name());
        }
    }

    /** {@code ghost-lease.yaml}, repaired as its candidate says (safety.md#administrators-line). */
    @Test
    void aLeaseThatStaysClaimedIsLedAtOnceAfterTheAdministratorsLine() {
        ObjectKey lease = newLease();
        cluster.create(
                ResourceType.LEASES,
                NAMESPACE,
                lease.name(),
                "{\"holderIdentity\": \"ghost\", \"leaseDurationSeconds\": 86400,"
                        + " \"acquireTime\": \"2026-01-01T00:00:00.000000Z\", \"renewTime\": \"2026-01-01T00:00:00.000000Z\"}");
        try (Candidates impatient = new Candidates(access, ApiFormat.CRD);
                LeaseLock candidate = impatient.candidate(lease, "candidate-" + lease.name(), "1.1.0")) {
            candidate.start();
            String line = await().atMost(PATIENCE)
                    .until(
                            () -> candidate.snapshot().history().stream()
                                    .map(LockSnapshot.HistoryEntry::what)
                                    .filter(what -> what.contains("kubectl patch"))
                                    .map(what -> what.substring(what.indexOf("kubectl patch")))
                                    .findFirst(),
                            Optional::isPresent)
                    .orElseThrow();
            assertThat(candidate.isLeader()).isFalse();

            cluster.patch(
                    ResourceType.LEASES,
                    NAMESPACE,
                    lease.name(),
                    line.substring(line.indexOf('\'') + 1, line.lastIndexOf('\'')));

            await().atMost(Duration.ofSeconds(10)).until(candidate::isLeader);
        }
    }

    @Test
    void candidatesAndConfigurationsOfAnotherNamespaceDeposeNoLeaderAndGetNoLease() {
        ObjectKey lease = newLease();
        String worseName = "newer-" + lease.name();
        try (LeaseLock leader = candidates.candidate(lease, "leader-" + lease.name(), "1.1.0");
                LeaseLock newer = candidates.candidate(lease, worseName, "1.2.0")) {
            leader.start();
            newer.start();
            await().atMost(PATIENCE).until(leader::isLeader);
            long token = leader.fencingToken().orElseThrow();

            cluster.create(
                    ResourceType.CRD_CANDIDATES,
                    OTHER_NAMESPACE,
                    "oldest",
                    "{\"canLeadLease\": \"" + lease + "\", \"strategy\": \"NoCoordination\"" + RENEWED + "}");
            cluster.create(
                    ResourceType.CRD_CANDIDATES,
                    OTHER_NAMESPACE,
                    "intruder",
                    "{\"canLeadLease\": \"kube-system/intruder\"" + RENEWED + "}");
            cluster.create(
                    ResourceType.LEASE_CONFIGURATIONS,
                    OTHER_NAMESPACE,
                    "newest",
                    "{\"targetLease\": \"" + lease + "\", \"strategy\": \"NewestCompatibilityVersion\"}");

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(cluster.list(ResourceType.EVENTS, OTHER_NAMESPACE))
                            .filteredOn(
                                    event -> event.get("reason").getAsString().equals("ForeignNamespace"))
                            .extracting(event -> event.get("message").getAsString())
                            .anyMatch(message -> message.contains("LeaseCandidate other-tenant/oldest"))
                            .anyMatch(message -> message.contains("LeaseCandidate other-tenant/intruder"))
                            .anyMatch(message -> message.contains("LeaseConfiguration other-tenant/newest")));
            assertThat(leader.fencingToken()).hasValue(token);
            assertThat(coordinator.actuator("elections/" + lease).body())
                    .contains("OldestCompatibilityVersion", worseName)
                    .doesNotContain("other-tenant");
            assertThat(cluster.list(ResourceType.LEASES, "kube-system"))
                    .noneMatch(other -> other.getAsJsonObject("metadata")
                            .get("name")
                            .getAsString()
                            .equals("intruder"));
        } finally {
            cluster.delete(ResourceType.CRD_CANDIDATES, OTHER_NAMESPACE, "oldest");
            cluster.delete(ResourceType.CRD_CANDIDATES, OTHER_NAMESPACE, "intruder");
            cluster.delete(ResourceType.LEASE_CONFIGURATIONS, OTHER_NAMESPACE, "newest");
        }
    }

    @Test
    void anotherReplicaStandsByReadyAndTakesOverWhenTheFirstOneStops() {
        ObjectKey lease = newLease();
        RunningCoordinator first = coordinator;
        await().atMost(PATIENCE).until(() -> coordinates(first));
        RunningCoordinator second = startAnotherCoordinator();
        await().atMost(PATIENCE).until(second::ready);
        assertThat(coordinates(second)).isFalse();

        coordinator = second;
        first.close();
        try (LeaseLock only = candidates.candidate(lease, "only-" + lease.name(), "1.0.0")) {
            only.start();
            await().atMost(PATIENCE).until(only::isLeader);
        }
        assertThat(coordinates(second)).isTrue();
    }

    @Nested
    class Candidate {

        @Test
        void theCandidateLeadsIfItIsTheFirstTheBetterOrTheOneThatIsLeft() {
            ObjectKey lease = newLease();
            try (LeaseLock newer = candidates.candidate(lease, "newer-" + lease.name(), "1.2.0");
                    LeaseLock older = candidates.candidate(lease, "older-" + lease.name(), "1.1.0")) {
                newer.start();
                await().atMost(PATIENCE).until(newer::isLeader);

                older.start();
                await().atMost(PATIENCE).until(older::isLeader);
                assertThat(newer.isLeader()).isFalse();

                older.stop();
                await().atMost(PATIENCE).until(newer::isLeader);
            }
        }

        @Test
        void theCandidateLeadsAsSoonAsItsPriorityIsTheHighest() {
            ObjectKey lease = newLease();
            try (LeaseLock one = candidates.candidate(lease, "one-" + lease.name(), "1.0.0", "HighestPriority");
                    LeaseLock other =
                            candidates.candidate(lease, "other-" + lease.name(), "1.0.0", "HighestPriority")) {
                one.start();
                await().atMost(PATIENCE).until(one::isLeader);
                other.start();

                other.announcePriority(10);
                await().atMost(PATIENCE).until(other::isLeader);
                one.announcePriority(20);
                await().atMost(PATIENCE).until(one::isLeader);
            }
        }

        @Test
        void theCandidateIsRemovedIfItDoesNotRenew() {
            ObjectKey lease = newLease();
            cluster.create(
                    ResourceType.CRD_CANDIDATES,
                    NAMESPACE,
                    "dead-" + lease.name(),
                    "{\"canLeadLease\": \"" + lease + "\", \"leaseDurationSeconds\": 1" + RENEWED + "}");

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(cluster.list(ResourceType.CRD_CANDIDATES, NAMESPACE))
                            .noneMatch(candidate -> candidate
                                    .getAsJsonObject("metadata")
                                    .get("name")
                                    .getAsString()
                                    .equals("dead-" + lease.name())));
        }
    }

    /** A {@code LeaseConfiguration}. */
    @Nested
    class Configuration {

        @Test
        void theConfigurationTakesEffectAtOnceAndItsEndToo() {
            ObjectKey lease = newLease();
            try (LeaseLock older = candidates.candidate(lease, "older-" + lease.name(), "1.1.0");
                    LeaseLock newer = candidates.candidate(lease, "newer-" + lease.name(), "1.2.0")) {
                older.start();
                await().atMost(PATIENCE).until(older::isLeader);
                newer.start();

                configure(lease.name(), lease, "NewestCompatibilityVersion");
                await().atMost(PATIENCE).until(newer::isLeader);

                cluster.delete(ResourceType.LEASE_CONFIGURATIONS, NAMESPACE, lease.name());
                await().atMost(PATIENCE).until(older::isLeader);
            }
        }

        @Test
        void theConfigurationCountsAsItIsAfterAChange() {
            ObjectKey lease = newLease();
            configure(lease.name(), lease, "OldestCompatibilityVersion");
            try (LeaseLock older = candidates.candidate(lease, "older-" + lease.name(), "1.1.0");
                    LeaseLock newer = candidates.candidate(lease, "newer-" + lease.name(), "1.2.0")) {
                newer.start();
                older.start();
                await().atMost(PATIENCE).until(older::isLeader);

                cluster.patch(
                        ResourceType.LEASE_CONFIGURATIONS,
                        NAMESPACE,
                        lease.name(),
                        "{\"spec\": {\"strategy\": \"NewestCompatibilityVersion\"}}");

                await().atMost(PATIENCE).until(newer::isLeader);
            } finally {
                cluster.delete(ResourceType.LEASE_CONFIGURATIONS, NAMESPACE, lease.name());
            }
        }

        @Test
        void theConfigurationCountsFromTheFirstElectionOn() {
            ObjectKey lease = newLease();
            configure(lease.name(), lease, "NewestCompatibilityVersion");
            try (LeaseLock older = candidates.candidate(lease, "older-" + lease.name(), "1.1.0");
                    LeaseLock newer = candidates.candidate(lease, "newer-" + lease.name(), "1.2.0")) {
                newer.start();
                await().atMost(PATIENCE).until(newer::isLeader);
                older.start();
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(coordinator
                                        .actuator("elections/" + lease)
                                        .body())
                                .contains("older-" + lease.name(), "set by a LeaseConfiguration"));
                assertThat(newer.isLeader()).isTrue();
            } finally {
                cluster.delete(ResourceType.LEASE_CONFIGURATIONS, NAMESPACE, lease.name());
            }
        }

        @Test
        void theConfigurationCountsIfItIsTheFirstByNameOfTwo() {
            ObjectKey lease = newLease();
            configure("b-" + lease.name(), lease, "OldestCompatibilityVersion");
            configure("a-" + lease.name(), lease, "NewestCompatibilityVersion");
            try (LeaseLock older = candidates.candidate(lease, "older-" + lease.name(), "1.1.0");
                    LeaseLock newer = candidates.candidate(lease, "newer-" + lease.name(), "1.2.0")) {
                older.start();
                newer.start();
                await().atMost(PATIENCE).until(newer::isLeader);
                cluster.delete(ResourceType.LEASE_CONFIGURATIONS, NAMESPACE, "a-" + lease.name());
                await().atMost(PATIENCE).until(older::isLeader);
            } finally {
                cluster.delete(ResourceType.LEASE_CONFIGURATIONS, NAMESPACE, "b-" + lease.name());
            }
        }

        @Test
        void theConfigurationEndsNoTermAndIsReportedIfItsStrategyIsUnknown() {
            ObjectKey lease = newLease();
            try (LeaseLock newer = candidates.candidate(lease, "newer-" + lease.name(), "1.2.0");
                    LeaseLock older = candidates.candidate(lease, "older-" + lease.name(), "1.1.0")) {
                newer.start();
                await().atMost(PATIENCE).until(newer::isLeader);
                long token = newer.fencingToken().orElseThrow();

                configure(lease.name(), lease, "Astrology");
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(events(lease, "NoUsableStrategy"))
                                .singleElement()
                                .extracting(event -> event.get("message").getAsString())
                                .asString()
                                .contains("no strategy 'Astrology' (set by a LeaseConfiguration)", "known are"));
                older.start();
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(coordinator
                                        .actuator("elections/" + lease)
                                        .body())
                                .contains("older-" + lease.name(), "left alone: no strategy 'Astrology'"));
                assertThat(newer.fencingToken()).hasValue(token);

                cluster.delete(ResourceType.LEASE_CONFIGURATIONS, NAMESPACE, lease.name());
                await().atMost(PATIENCE).until(older::isLeader);
            }
        }

        private void configure(String name, ObjectKey lease, String strategy) {
            cluster.create(
                    ResourceType.LEASE_CONFIGURATIONS,
                    NAMESPACE,
                    name,
                    "{\"targetLease\": \"" + lease + "\", \"strategy\": \"" + strategy + "\"}");
        }
    }

    @Nested
    class Report {

        @Test
        void theReportNamesTheHolderTheCandidatesAndTheReasonOnTheEndpoint() {
            ObjectKey lease = newLease();
            try (LeaseLock newer = candidates.candidate(lease, "newer-" + lease.name(), "1.2.0");
                    LeaseLock older = candidates.candidate(lease, "older-" + lease.name(), "1.1.0")) {
                newer.start();
                older.start();
                await().atMost(PATIENCE).until(older::isLeader);
                await().atMost(PATIENCE).untilAsserted(() -> {
                    JsonObject election =
                            coordinator.actuator("elections/" + lease).json();
                    assertThat(election.get("holder").getAsString()).isEqualTo("older-" + lease.name());
                    assertThat(election.getAsJsonArray("candidates").asList())
                            .extracting(candidate ->
                                    candidate.getAsJsonObject().get("name").getAsString())
                            .containsExactly("older-" + lease.name(), "newer-" + lease.name());
                    assertThat(election.getAsJsonObject("strategy")
                                    .get("source")
                                    .getAsString())
                            .isEqualTo("asked for by the candidates");
                    assertThat(election.getAsJsonObject("lastDecision")
                                    .get("reason")
                                    .getAsString())
                            .contains("older-" + lease.name(), "leads");
                });
                JsonObject all = coordinator.actuator("elections").json();
                assertThat(all.get("coordinating").getAsBoolean()).isTrue();
                assertThat(all.getAsJsonObject("leases").keySet()).contains(lease.toString());
            }
        }

        @Test
        void theReportIsAnEventOnTheLeaseIfItIsOfADecision() {
            ObjectKey lease = newLease();
            try (LeaseLock only = candidates.candidate(lease, "only-" + lease.name(), "1.0.0")) {
                only.start();
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(events(lease, "LeaderElected"))
                                .singleElement()
                                .extracting(event -> event.get("message").getAsString())
                                .asString()
                                .contains("only-" + lease.name()));
            }
        }

        @Test
        void theReportIsMadeOnceOfAMalformedObjectWhichDelaysNoElection() {
            ObjectKey lease = newLease();
            ObjectKey malformed = new ObjectKey(NAMESPACE, "malformed-" + lease.name());
            cluster.create(
                    ResourceType.CRD_CANDIDATES,
                    NAMESPACE,
                    malformed.name(),
                    "{\"canLeadLease\": \"" + lease + "\"" + RENEWED + "}");
            cluster.patch(
                    ResourceType.CRD_CANDIDATES,
                    NAMESPACE,
                    malformed.name(),
                    "{\"metadata\": {\"labels\": {\"binary-version\": \"none-at-all\"}}}");
            try (LeaseLock good = candidates.candidate(lease, "good-" + lease.name(), "1.0.0")) {
                good.start();
                await().atMost(PATIENCE).until(good::isLeader);
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(cluster.list(ResourceType.EVENTS, NAMESPACE))
                                .anyMatch(event ->
                                        event.get("message").getAsString().contains("none-at-all")));
                cluster.patch(
                        ResourceType.CRD_CANDIDATES,
                        NAMESPACE,
                        malformed.name(),
                        "{\"metadata\": {\"labels\": {\"another\": \"label\"}}}");
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(cluster.list(ResourceType.EVENTS, NAMESPACE))
                                .filteredOn(event ->
                                        event.get("message").getAsString().contains(malformed.toString()))
                                .hasSize(1));
            } finally {
                cluster.delete(ResourceType.CRD_CANDIDATES, NAMESPACE, malformed.name());
            }
        }
    }

    private static boolean coordinates(RunningCoordinator replica) {
        return replica.actuator("elections").json().get("coordinating").getAsBoolean();
    }

    private List<JsonObject> events(ObjectKey lease, String reason) {
        return cluster.list(ResourceType.EVENTS, lease.namespace()).stream()
                .filter(event -> event.getAsJsonObject("involvedObject")
                        .get("name")
                        .getAsString()
                        .equals(lease.name()))
                .filter(event -> event.get("reason").getAsString().equals(reason))
                .toList();
    }

    private ObjectKey newLease() {
        return new ObjectKey(NAMESPACE, "lease-" + leases.incrementAndGet());
    }
}

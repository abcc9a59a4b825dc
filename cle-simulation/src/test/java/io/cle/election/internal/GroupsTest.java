package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import io.cle.kubernetes.internal.codec.WireNames;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.VirtualLoop;
import io.cle.loop.internal.LoggedLines;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;
import io.cle.strategy.internal.Strategies;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Replicas whose leases have names of their own and are in one group, and the coordinator that spreads them: all of the product above the
 * transport, on virtual time. Rule: {@code protocol.md#even-shards}.
 */
class GroupsTest {

    private static final ObjectKey BILLING = new ObjectKey("shop", "billing");

    /** Keeps what the locks report out of the log of the build. */
    @RegisterExtension
    final LoggedLines log = new LoggedLines(LeaseLock.class);

    private final VirtualLoop loop = new VirtualLoop();
    private final ApiInMemory api = new ApiInMemory(loop);
    private final Map<String, Replica> replicas = new TreeMap<>();
    private Coordinator coordinator;

    @BeforeEach
    void coordinate() {
        coordinator = new Coordinator(
                new CoordinatorConfig(
                        Strategies.builtIn(), Map.of(), ElectionPolicy.DEFAULT, NamespaceRule.OWN_NAMESPACE_ONLY),
                loop,
                new Random(1),
                Workers.DIRECT,
                reason -> {},
                () -> {});
        coordinator.use(api.client);
        coordinator.coordinate();
        loop.runReady();
    }

    /** One process with its locks. */
    private final class Replica {
        private final Map<String, LeaseLock> locks = new TreeMap<>();
        private final ProcessConnection connection = new ProcessConnection(api, loop);

        Replica(String name, LeaseGroup group, List<String> leases) {
            String identity = group.name() + "-" + name;
            List<LeaseLock> ofLeases = GroupLocks.of(
                    group,
                    identity,
                    leases.stream()
                            .map(lease -> new ObjectKey(group.namespace(), lease))
                            .toList(),
                    connection,
                    loop);
            for (int i = 0; i < leases.size(); i++) {
                locks.put(leases.get(i), ofLeases.get(i));
            }
        }

        void stop() {
            locks.values().forEach(LeaseLock::stop);
            loop.runReady();
        }
    }

    private Replica start(String name, String... leases) {
        return startIn("jobs", name, leases);
    }

    private Replica startIn(String group, String name, String... leases) {
        Replica replica = new Replica(name, LeaseGroup.named("shop", group), Arrays.asList(leases));
        replicas.put(name, replica);
        replica.locks.values().forEach(LeaseLock::start);
        loop.runReady();
        return replica;
    }

    /** Returns which replica leads each lease. */
    private Map<String, String> leaders() {
        Map<String, String> leaders = new TreeMap<>();
        replicas.forEach((name, replica) -> replica.locks.forEach((lease, lock) -> {
            if (lock.isLeader()) {
                assertThat(leaders.put(lease, name)).as("two lead %s", lease).isNull();
            }
        }));
        return leaders;
    }

    @Test
    void eachOfThreeReplicasLeadsOneOfThreeLeases() {
        start("a", "billing", "cleanup", "reports");
        start("b", "billing", "cleanup", "reports");
        start("c", "billing", "cleanup", "reports");
        loop.advance(Duration.ofSeconds(10));

        assertThat(leaders()).containsOnlyKeys("billing", "cleanup", "reports");
        assertThat(leaders().values()).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(api.candidates()).hasSize(3);
    }

    @Test
    void aLeaseThatOnlyOneReplicaListsIsLedByItAndTheOthersBalanceIt() {
        start("a", "billing", "cleanup", "reports");
        start("b", "billing", "cleanup", "reports", "thumbnails");
        loop.advance(Duration.ofSeconds(10));

        assertThat(leaders()).hasSize(4).containsEntry("thumbnails", "b");
        assertThat(leaders().values().stream().filter("b"::equals)).hasSize(2);
    }

    @Test
    void aReplicaThatListsFewerLeasesIsGivenThoseThatItCanLead() {
        start("a", "billing", "cleanup", "reports", "thumbnails");
        loop.advance(Duration.ofSeconds(10));
        start("b", "thumbnails");
        loop.advance(Duration.ofSeconds(10));

        assertThat(leaders()).hasSize(4).containsEntry("thumbnails", "b");
    }

    @Test
    void theLeasesOfAReplicaThatStopsAreLedByTheOthers() {
        start("a", "billing", "cleanup", "reports");
        Replica stopping = start("b", "billing", "cleanup", "reports");
        loop.advance(Duration.ofSeconds(10));

        stopping.stop();
        loop.advance(Duration.ofSeconds(1));

        assertThat(leaders()).hasSize(3).doesNotContainValue("b");
    }

    @Test
    void aResignedLeaseIsLedByTheOtherReplicaAndAnotherOneMovesInItsPlace() {
        Replica first = start("a", "billing", "cleanup");
        start("b", "billing", "cleanup");
        loop.advance(Duration.ofSeconds(10));
        String lease = leaders().entrySet().stream()
                .filter(leader -> leader.getValue().equals("a"))
                .findFirst()
                .orElseThrow()
                .getKey();

        first.locks.get(lease).stop();
        loop.advance(Duration.ofSeconds(10));

        assertThat(leaders()).hasSize(2).containsEntry(lease, "b").containsValue("a");
    }

    @Test
    void aLeaseWithoutTheGroupsLabelGetsIt() {
        start("a", "billing", "cleanup");
        loop.advance(Duration.ofSeconds(5));
        ObjectKey key = new ObjectKey("shop", "billing");
        assertThat(api.leases().get(key).group()).isEqualTo("jobs");

        api.removeLabel(key, WireNames.GROUP);
        loop.advance(Duration.ofSeconds(5));

        assertThat(api.leases().get(key).group()).isEqualTo("jobs");
        assertThat(leaders()).containsEntry("billing", "a");
    }

    @Test
    void aLeaseThatTwoGroupsNameStaysInOne() {
        startIn("jobs", "a", "billing", "cleanup");
        loop.advance(Duration.ofSeconds(5));
        startIn("others", "b", "billing", "reports");
        loop.advance(Duration.ofSeconds(10));

        assertThat(leaders()).containsEntry("billing", "a").containsEntry("reports", "b");
        List<ElectionView> views = new ArrayList<>();
        coordinator.views(List.of(new ObjectKey("shop", "billing"))).thenAccept(views::addAll);
        loop.runReady();
        assertThat(views.get(0).group()).isEqualTo(LeaseGroup.named("shop", "jobs"));
    }

    @Test
    void aLeaseGoesOverToTheGroupThatItsRemainingCandidatesName() {
        Replica first = startIn("jobs", "a", "billing", "cleanup");
        loop.advance(Duration.ofSeconds(5));
        startIn("others", "b", "billing", "reports");
        startIn("others", "c", "billing", "reports");
        loop.advance(Duration.ofSeconds(5));

        first.stop();
        loop.advance(Duration.ofSeconds(10));

        assertThat(leaders()).containsOnlyKeys("billing", "reports");
        assertThat(leaders().values()).containsExactlyInAnyOrder("b", "c");
    }

    /** While the lease has no label, the group's watch delivers none of the leader's renewals. */
    @Test
    void aLeaseThatComesBackToItsGroupIsNotLedBesideALeaderWhoseRenewalsTheGroupHasNotSeen() {
        startIn("others", "b", "billing", "reports");
        loop.advance(Duration.ofSeconds(1));
        replicas.get("b").stop();
        Replica leader = startIn("jobs", "a", "billing", "cleanup");
        loop.advance(Duration.ofSeconds(1));
        assertThat(leaders()).containsEntry("billing", "a");
        replicas.get("b").locks.values().forEach(LeaseLock::start);
        loop.advance(Duration.ofSeconds(5));
        coordinator.pause();
        api.labelsDropped = true;
        api.removeLabel(BILLING, WireNames.GROUP);
        loop.advance(Duration.ofSeconds(20));
        leader.connection.reachable = false;

        api.put(grantedToB("others"));
        for (int i = 0; i < 400; i++) {
            loop.advance(Duration.ofMillis(100));
            leaders();
        }

        assertThat(leaders()).containsEntry("billing", "b");
    }

    /** The dead replica's candidate stays for five minutes, and the lease in its group. */
    @Test
    void aLeaseOfADeadReplicaIsGrantedToAReplicaOfAnotherGroupWhichSeesItAtOnce() {
        Replica dead = startIn("jobs", "a", "billing", "cleanup");
        loop.advance(Duration.ofSeconds(5));
        startIn("others", "b", "billing", "reports");
        loop.advance(Duration.ofSeconds(5));
        dead.connection.reachable = false;

        for (int i = 0; i < 250; i++) {
            loop.advance(Duration.ofMillis(100));
            if (billing().heldBy("others-b")) {
                assertThat(leaders()).containsEntry("billing", "b");
            }
        }

        assertThat(leaders()).containsEntry("billing", "b");
    }

    @Test
    void aGrantThatTheGroupsWatchDoesNotShowIsReadWithinSecondsHoweverOftenTheCandidateIsPinged() {
        coordinator.pause();
        startIn("others", "b", "billing", "reports");
        loop.advance(Duration.ofSeconds(1));
        api.put(grantedToB(null));

        Candidate candidate = api.candidates().get(new ObjectKey("shop", "others-b"));
        for (int i = 0; i < 4; i++) {
            api.client.candidates().ping(candidate, loop.clock().wall());
            loop.advance(Duration.ofSeconds(1));
        }

        assertThat(leaders()).containsEntry("billing", "b");
    }

    /** The strategy by which candidates of a lease without a group race at once. */
    @Test
    void replicasDoNotRaceForALeaseOfAGroupWhicheverStrategyAnAdministratorSets() {
        coordinator.pause();
        api.put(Lease.builder(BILLING)
                .leaseDuration(Lease.RELEASED)
                .strategy("NoCoordination")
                .group("jobs")
                .managed(true)
                .build());
        start("a", "billing", "cleanup");
        start("b", "billing", "cleanup");
        loop.advance(Duration.ofMinutes(2));
        assertThat(leaders()).isEmpty();

        coordinator.coordinate();
        loop.advance(Duration.ofSeconds(5));
        assertThat(leaders()).containsOnlyKeys("billing", "cleanup");
    }

    /** Returns the record with which some coordinator creates the lease. */
    private Lease grantedToB(@Nullable String group) {
        Instant granted = loop.clock().wall();
        return Lease.builder(BILLING)
                .holder("others-b")
                .leaseDuration(Duration.ofSeconds(15))
                .acquireTime(granted)
                .renewTime(granted)
                .term(TermAnnotation.granted("others-b", granted, TermAnnotation.Ended.NOTHING))
                .group(group)
                .managed(true)
                .build();
    }

    private Lease billing() {
        return api.leases().get(BILLING);
    }
}

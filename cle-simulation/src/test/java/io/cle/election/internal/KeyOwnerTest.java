package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.VirtualLoop;
import io.cle.loop.internal.LoggedLines;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An administrator changes a lease between no shards, 16 and 8, in any order: no two leaders may own the same key, and in the end there are
 * leaders. Rule: {@code safety.md#one-owner-of-each-key}.
 */
class KeyOwnerTest {

    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");
    private static final LeaseGroup SIXTEEN = new LeaseGroup("shop", "orders", 16);
    private static final LeaseGroup EIGHT = new LeaseGroup("shop", "orders", 8);

    @RegisterExtension
    final LoggedLines log = new LoggedLines(LeaseLock.class, CoordinatorJournal.class);

    private final VirtualLoop loop = new VirtualLoop();
    private final ApiInMemory api = new ApiInMemory(loop);
    private final List<ProcessOfKey> processes = new ArrayList<>();
    private final Coordinator coordinator = ApiInMemory.newCoordinator(loop);

    @BeforeEach
    void coordinate() {
        coordinator.use(api.client);
        coordinator.coordinate();
        loop.runReady();
    }

    // ---- two owners
    // --------------------------------------------------------------------------------------------------

    @Test
    void aClosedLeaseThatIsDeletedIsNotLedBesideTheShardsThatOwnTheKey() {
        ProcessOfKey eight = changedToEight();
        api.delete(SIXTEEN.lease(0));
        ProcessOfKey sixteen = shards(SIXTEEN, "c");
        advance(60);
        assertThat(sixteen.led()).isEmpty();
        assertThat(eight.led()).hasSize(8);
    }

    @Test
    void aClosedLeaseThatIsEditedIsNotLedBesideTheShardsThatOwnTheKey() {
        ProcessOfKey eight = changedToEight();
        Lease closed = api.leases().get(SIXTEEN.lease(0));
        api.put(closed.toBuilder()
                .owner(null)
                .retiredBy(null)
                .leaseDuration(Lease.RELEASED)
                .build());
        ProcessOfKey sixteen = shards(SIXTEEN, "c");
        advance(60);
        assertThat(sixteen.led()).isEmpty();
        assertThat(eight.led()).hasSize(8);
        assertThat(api.leases().get(SIXTEEN.lease(0)).closed()).isTrue();
    }

    /** The copy grants the lease to a process of the former number that still runs. */
    @Test
    void aClosedLeaseOfWhichAnEarlierCopyIsPutBackIsNotLed() {
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        advance(5);
        Lease copy = api.leases().get(SIXTEEN.lease(0));
        sixteen.connection.reachable = false;
        ProcessOfKey eight = shards(EIGHT, "b");
        advance(60);
        assertThat(eight.led()).hasSize(8);
        sixteen.connection.reachable = true;
        advance(20);
        api.put(copy);
        advance(60);
        assertThat(sixteen.led()).isEmpty();
        assertThat(eight.led()).hasSize(8);
    }

    /** The process hasn't seen that the lease was closed, because it was stopped meanwhile. */
    @Test
    void anEarlierCopyOfAShardIsNotLedByAProcessThatHasJoinedAgainWhileTheLeaseIsLedWithoutShards() {
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        advance(5);
        Lease copy = api.leases().get(SIXTEEN.lease(0));
        sixteen.stop();
        ProcessOfKey plain = plain("p");
        advance(5);
        assertThat(plain.led()).hasSize(1);
        api.put(copy);
        sixteen.start();
        advance(60);
        assertThat(plain.led()).hasSize(1);
        assertThat(sixteen.led()).isEmpty();
    }

    @Test
    void shardsOfTheNumberThatAnAdministratorWritesAreNotLedBesideTheOwners() {
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        ProcessOfKey eight = shards(EIGHT, "b");
        advance(10);
        api.put(api.leases().get(ORDERS).toBuilder()
                .owner(LeaseGroup.owner(ORDERS, 8))
                .build());
        advance(60);
        assertThat(eight.led()).isEmpty();
        assertThat(sixteen.led()).hasSize(16);
        assertThat(api.leases().get(ORDERS).owner()).isEqualTo("orders-16-*");
    }

    @Test
    void theLeaseNamedLikeTheKeyIsRestoredWithoutTwoOwners() {
        ProcessOfKey plain = plain("p");
        advance(10);
        Lease copy = api.leases().get(ORDERS);
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        plain.stop();
        advance(20);
        assertThat(sixteen.led()).hasSize(16);
        ProcessOfKey again = plain("p");
        advance(5);
        api.put(copy);
        advance(60);
        assertThat(again.led()).isEmpty();
        assertThat(sixteen.led()).hasSize(16);
    }

    @Test
    void theLeaseNamedLikeTheKeyIsDeletedWithoutTwoOwners() {
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        ProcessOfKey plain = plain("p");
        advance(10);
        api.delete(ORDERS);
        advance(90);
        assertThat(plain.led()).isEmpty();
        assertThat(sixteen.led()).hasSize(16);
        assertThat(api.leases().get(ORDERS).owner()).isEqualTo("orders-16-*");
    }

    /** It has seen no record from before the edit, and no coordinator closes the Lease again. */
    @Test
    void aReplicaThatJoinsAfterTheLeaseNamedLikeTheKeyWasDeletedDoesNotRaceBesideTheShards() {
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        advance(10);
        coordinator.pause();
        api.delete(ORDERS);
        ProcessOfKey plain = plain("p");
        advance(90);
        assertThat(plain.led()).isEmpty();
        assertThat(sixteen.led()).hasSize(16);
        assertThat(log.lines()).anyMatch(line -> line.contains("'orders-a' is a candidate for 16 shards"));
        sixteen.stop();
        advance(60);
        assertThat(plain.led()).containsExactly("orders");
    }

    @Test
    void aRestoredGrantOfTheLeaseNamedLikeTheKeyIsClosedWhileShardsAreLed() {
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        advance(10);
        ProcessOfKey plain = plain("p");
        advance(5);
        api.delete(ORDERS);
        putBackGrant(ORDERS, "orders-p");
        // The claim of the closed record that was replaced lasts for a lease duration.
        advance(20);
        assertThat(api.leases().get(ORDERS).closed()).isTrue();
        advance(60);
        assertThat(plain.led()).isEmpty();
        assertThat(sixteen.led()).hasSize(16);
    }

    /** No coordinator closes the Lease again. */
    @Test
    void aRestoredGrantOfTheLeaseNamedLikeTheKeyBeginsNoTermWhileThereAreCandidatesForShards() {
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        advance(10);
        ProcessOfKey plain = plain("p");
        advance(5);
        coordinator.pause();
        api.delete(ORDERS);
        putBackGrant(ORDERS, "orders-p");
        advance(90);
        assertThat(plain.led()).isEmpty();
        assertThat(sixteen.led()).hasSize(16);
    }

    @Test
    void anEarlierGrantThatIsPutBackOverAClosedShardBeginsNoTermThoughNoCoordinatorClosesItAgain() {
        ProcessOfKey eight = changedToEight();
        ProcessOfKey sixteen = shards(SIXTEEN, "c");
        advance(5);
        coordinator.pause();
        putBackGrant(SIXTEEN.lease(0), "orders-c");
        advance(60);
        assertThat(sixteen.led()).isEmpty();
        assertThat(eight.led()).hasSize(8);
    }

    private void putBackGrant(ObjectKey lease, String holder) {
        Instant now = loop.clock().wall();
        api.put(Lease.builder(lease)
                .holder(holder)
                .group(LeaseGroup.ofShard(lease).map(LeaseGroup::label).orElse(null))
                .acquireTime(now)
                .renewTime(now)
                .leaseDuration(Duration.ofSeconds(15))
                .term(TermAnnotation.granted(holder, now, TermAnnotation.Ended.NOTHING))
                .electedBy("coordinated-election-controller")
                .managed(true)
                .build());
    }

    @Test
    void aServiceThatIsRolledBackToTheLeaseWithoutShardsLeadsItOnceTheShardsAreFree() {
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        advance(10);
        ProcessOfKey plain = plain("p");
        advance(60);
        assertThat(plain.led()).isEmpty();
        assertThat(sixteen.led()).hasSize(16);
        sixteen.stop();
        advance(3);
        assertThat(plain.led()).containsExactly("orders");
    }

    /** Nobody races for a closed lease, so a coordinator opens it. */
    @Test
    void aLeaseWithNoCoordinationIsLedAgainOnceTheShardsAreFree() {
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        advance(10);
        api.put(api.leases().get(ORDERS).toBuilder().strategy("NoCoordination").build());
        ProcessOfKey plain = plain("p");
        sixteen.stop();
        advance(60);
        assertThat(plain.led()).containsExactly("orders");
    }

    @Test
    void aReplicaThatWaitsForShardsToEndSaysSo() {
        shards(SIXTEEN, "a");
        advance(10);
        plain("p");
        advance(60);
        assertThat(log.lines())
                .anyMatch(line -> line.contains("Lease shop/orders: waits, because the Lease says that orders-16-* own"
                        + " the keys of shop/orders"));
    }

    @Test
    void aShardsLeaseThatWasDeletedWaitsForItsElectionAndIsNotRetired() {
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        advance(40);
        api.delete(SIXTEEN.lease(3));
        advance(5);
        Lease createdAgain = api.leases().get(SIXTEEN.lease(3));
        assertThat(createdAgain.closed()).isTrue();
        assertThat(createdAgain.retired()).isFalse();
        advance(25);
        assertThat(sixteen.led()).hasSize(16);
        assertThat(log.lines()).noneMatch(line -> line.contains("orders-16-3: waits"));
        assertThat(log.lines()).noneMatch(line -> line.contains("no process has led"));
    }

    /** client-go's elector acquires a Lease without a holder, or one that isn't renewed for its leaseDurationSeconds. */
    @Test
    void anotherElectorSeesALeaseThatIsHeldForAsLongAsShardsOwnItsKey() {
        shards(SIXTEEN, "a");
        advance(10);
        Lease named = api.leases().get(ORDERS);
        assertThat(named.owner()).isEqualTo("orders-16-*");
        assertThat(named.leaseDuration()).isEqualTo(Duration.ofSeconds(Integer.MAX_VALUE));
    }

    /** The list that determines the owner doesn't show a grant that is sent after it. */
    @Test
    void aLeaseThatWasJustClosedForAnotherFamilyIsNotGrantedToACandidateOfItsOwn() {
        ProcessOfKey former = shards(SIXTEEN, "a");
        advance(5);
        former.connection.reachable = false;
        ProcessOfKey eight = shards(EIGHT, "b");
        CompletableFuture<Void> created = new CompletableFuture<>();
        api.beforeCreate = created;
        advance(12);
        api.leaseEventsLate = Duration.ofSeconds(10);
        advance(8);
        assertThat(api.leases().get(SIXTEEN.lease(0)).closed()).isTrue();

        shards(SIXTEEN, "c");
        advance(1);

        assertThat(SIXTEEN.leases()).noneMatch(lease -> api.leases().get(lease).held());
        created.complete(null);
        advance(20);
        assertThat(eight.led()).hasSize(8);
    }

    /** The leader's renewals are recorded, although its Lease is annotated like a closed one. */
    @Test
    void aLeaderWhoseLeaseIsAnnotatedLikeAClosedOneIsWaitedForWhenItIsCutOff() {
        ProcessOfKey first = plain("p");
        ProcessOfKey second = plain("q");
        advance(5);
        ProcessOfKey leader = first.led().isEmpty() ? second : first;
        api.annotate(ORDERS, "coordination.cle.io/retired-by", "1");
        advance(12);
        leader.connection.reachable = false;
        advance(60);
        assertThat(first.led().size() + second.led().size()).isEqualTo(1);
    }

    @Test
    void aLedShardWithoutItsLabelAndElectorIsNotTreatedAsAnotherApplicationsLease() {
        LeaseGroup one = new LeaseGroup("shop", "orders", 1);
        shards(one, "a");
        advance(5);
        shards(EIGHT, "b");
        advance(20);
        loop.advance(Duration.ofMillis(200));
        api.strip(one.lease(0));
        shards(EIGHT, "c");
        advance(30);
        assertThat(api.leases().get(one.lease(0)).heldBy("orders-a")).isTrue();
    }

    // ---- nobody leads
    // ------------------------------------------------------------------------------------------------

    @Test
    void shardsThatAreAddedToALeaseAreLedOnceNoReplicaLeadsItWithoutThem() {
        ProcessOfKey plain = plain("p");
        advance(30);
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        advance(60);
        assertThat(plain.led()).containsExactly("orders");
        assertThat(sixteen.led()).isEmpty();
        plain.stop();
        advance(3);
        assertThat(sixteen.led()).hasSize(16);
    }

    /** A renewal every few seconds would win against the writes that close 300 Leases one after the other. */
    @Test
    void whileALeaseIsLedWithoutShardsNothingIsWrittenForTheShardsThatWait() {
        ProcessOfKey plain = plain("p");
        advance(5);
        int others = api.leaseWrites - plain.connection.leaseWrites;
        LeaseGroup many = new LeaseGroup("shop", "orders", 300);
        ProcessOfKey first = shards(many, "a");
        ProcessOfKey second = shards(many, "b");
        advance(60);
        assertThat(plain.led()).containsExactly("orders");
        assertThat(api.leaseWrites - plain.connection.leaseWrites)
                .as("writes of others than the leader")
                .isEqualTo(others);
        assertThat(api.leases()).containsOnlyKeys(ORDERS);
        plain.stop();
        advance(5);
        assertThat(first.led().size() + second.led().size()).isEqualTo(300);
    }

    @Test
    void shardsAreTakenAwayAgainAndNextTimeAdded() {
        for (int i = 0; i < 3; i++) {
            ProcessOfKey plain = plain("p" + i);
            advance(5);
            assertThat(plain.led()).hasSize(1);
            ProcessOfKey sixteen = shards(SIXTEEN, "a" + i);
            advance(10);
            plain.stop();
            advance(5);
            assertThat(sixteen.led()).hasSize(16);
            ProcessOfKey next = plain("p" + (i + 1));
            advance(5);
            sixteen.stop();
            advance(5);
            assertThat(next.led()).hasSize(1);
            next.stop();
            advance(1);
        }
    }

    @Test
    void aClosedLeaseIntoWhichAnAdministratorWritesAHolderIsClosedAgainAndLed() {
        shards(SIXTEEN, "a");
        advance(1);
        api.put(closedBy(1));
        ProcessOfKey eight = shards(EIGHT, "b");
        advance(40);
        assertThat(eight.led()).isEmpty();
        processes.get(0).stop();
        api.put(
                api.leases().get(EIGHT.lease(3)) == null
                        ? closedBy(2)
                        : api.leases().get(EIGHT.lease(3)));
        advance(5);
        assertThat(eight.led()).hasSize(8);
    }

    /** The process doesn't acquire it, because it is closed, and isn't granted it, because the lease names it already. */
    @Test
    void aClosedLeaseOfTheOwnersIntoWhichACandidateIsWrittenIsClosedAgainAndLed() {
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        advance(5);
        api.put(closedWithHolder(SIXTEEN.lease(3), "orders-a", 1));
        advance(30);
        assertThat(sixteen.led()).hasSize(16);
    }

    /** A lease of the other number, closed, and with a holder that an administrator has written. */
    private static Lease closedBy(int version) {
        return closedWithHolder(EIGHT.lease(3), "ghost", version);
    }

    private static Lease closedWithHolder(ObjectKey lease, String holder, int version) {
        return Lease.builder(lease)
                .holder(holder)
                .leaseDuration(Lease.CLOSED)
                .group(LeaseGroup.ofShard(lease).orElseThrow().label())
                .managed(true)
                .retiredBy(String.valueOf(version))
                .build();
    }

    @Test
    void aLeaseThatIsManagedAndUnheldIsTakenOverByShards() {
        api.put(Lease.builder(ORDERS)
                .leaseDuration(Lease.RELEASED)
                .managed(true)
                .build());
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        advance(5);
        assertThat(sixteen.led()).hasSize(16);
    }

    @Test
    void aPlainHolderOfALeaseWithoutLabelsIsWaitedForAndThenReplacedByShards() {
        renewByAnotherElector(ORDERS, 0);
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        for (int i = 1; i < 10; i++) {
            advance(3);
            assertThat(sixteen.led()).isEmpty();
            assertThat(api.leases().get(ORDERS).holder()).isEqualTo("another-elector");
            renewByAnotherElector(ORDERS, i);
        }
        advance(40);
        assertThat(sixteen.led()).hasSize(16);
    }

    @Test
    void aProcessOfTheSameNameThatAsksForAnotherNumberReplacesItsCandidate() {
        ProcessOfKey killed = shards(SIXTEEN, "a");
        advance(5);
        killed.connection.reachable = false;
        advance(15);
        ProcessOfKey next = shards(EIGHT, "a");
        advance(30);
        assertThat(next.led()).hasSize(8);
    }

    @Test
    void aHeldLeaseOfAFormerNumberThatHasLostItsLabelsAndItsCandidateDelaysTheOthersUntilItExpires() {
        ProcessOfKey killed = shards(EIGHT, "a");
        advance(5);
        killed.connection.reachable = false;
        api.removeLabel(EIGHT.lease(3), "coordination.cle.io/managed");
        api.removeLabel(EIGHT.lease(3), "coordination.cle.io/group");
        api.withdraw(new ObjectKey("shop", "orders-a"));
        ProcessOfKey sixteen = shards(SIXTEEN, "b");
        advance(60);
        assertThat(sixteen.led()).hasSize(16);
    }

    /** Its candidate was deleted, but the coordinator hadn't seen that yet. */
    @Test
    void aShardOfAFormerNumberThatWasGrantedToAReplicaThatHasStoppedDelaysNobody() {
        ProcessOfKey former = shards(EIGHT, "a");
        advance(5);
        ProcessOfKey sixteen = shards(SIXTEEN, "b");
        advance(5);
        coordinator.pause();
        former.stop();
        advance(1);
        Lease released = api.leases().get(EIGHT.lease(3));
        Instant now = loop.clock().wall();
        api.put(released.toBuilder()
                .holder("orders-gone")
                .acquireTime(now)
                .renewTime(now)
                .leaseDuration(Duration.ofSeconds(15))
                .term(TermAnnotation.granted("orders-gone", now, released.endedWhenReplaced()))
                .build());
        coordinator.coordinate();
        advance(3);
        assertThat(sixteen.led()).hasSize(16);
    }

    /** No watch delivers that lease, which lacks the label. */
    @Test
    void theShardsLeadSoonAfterAnAdministratorHasEndedTheClaimOnALeaseWithoutLabels() {
        Instant now = loop.clock().wall();
        api.put(Lease.builder(ORDERS)
                .holder("ghost")
                .acquireTime(now)
                .renewTime(now)
                .leaseDuration(Duration.ofDays(1))
                .build());
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        advance(30);
        assertThat(sixteen.led()).isEmpty();

        Lease claimed = api.leases().get(ORDERS);
        api.put(claimed.toBuilder()
                .holder(null)
                .term(TermAnnotation.released(
                        new TermAnnotation.Ended(TermAnnotation.Ended.ALL, claimed.resourceVersion())))
                .build());

        advance(15);
        assertThat(sixteen.led()).hasSize(16);
    }

    @Test
    void renewalsOfManyShardsDoNotKeepOneWithoutALeaderFromBeingElected() {
        LeaseGroup many = new LeaseGroup("shop", "orders", 300);
        ProcessOfKey leader = shards(many, "a");
        advance(10);
        api.leaseListsLate = Duration.ofMillis(50);
        coordinator.close();
        Coordinator next = ApiInMemory.newCoordinator(loop);
        next.use(api.client);
        next.coordinate();
        advance(5);
        api.delete(many.lease(7));
        advance(30);
        assertThat(leader.led()).hasSize(300);
    }

    @Test
    void aClosedLeaseWithoutTheLabelOfItsGroupIsOpenedWhenItsFamilyOwnsTheKeyAgain() {
        ProcessOfKey eight = changedToEight();
        api.removeLabel(SIXTEEN.lease(3), "coordination.cle.io/group");
        advance(3);
        ProcessOfKey sixteen = shards(SIXTEEN, "c");
        advance(5);
        eight.stop();
        advance(40);
        assertThat(sixteen.led()).hasSize(16);
    }

    @Test
    void failedWritesDelayTheClosingOfALargeNumberByLittle() {
        LeaseGroup many = new LeaseGroup("shop", "orders", 300);
        ProcessOfKey former = shards(many, "a");
        advance(10);
        assertThat(former.led()).hasSize(300);
        former.stop();
        api.failOneWriteIn = 100;
        ProcessOfKey eight = shards(EIGHT, "b");
        advance(10);
        assertThat(eight.led()).hasSize(8);
    }

    @Test
    void anotherApplicationsLeaseThatIsCalledLikeAShardDelaysNobody() {
        ObjectKey others = new ObjectKey("shop", "orders-2-0");
        renewByAnotherElector(others, 0);
        ProcessOfKey two = shards(new LeaseGroup("shop", "orders", 2), "a");
        advance(5);
        assertThat(two.led()).containsExactly("orders-2-1");
        renewByAnotherElector(others, 1);
        two.stop();
        ProcessOfKey sixteen = shards(SIXTEEN, "b");
        advance(10);
        assertThat(sixteen.led()).hasSize(16);
        assertThat(api.leases().get(others).holder()).isEqualTo("another-elector");
    }

    @Test
    void theNumberOfShardsInAnAnnotationIsOfNoEffect() {
        api.put(Lease.builder(ORDERS)
                .leaseDuration(Lease.RELEASED)
                .managed(true)
                .build());
        api.annotate(ORDERS, "coordination.cle.io/shards", "-5");
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        advance(5);
        assertThat(sixteen.led()).hasSize(16);
    }

    private void renewByAnotherElector(ObjectKey lease, int times) {
        api.put(Lease.builder(lease)
                .holder("another-elector")
                .acquireTime(loop.clock().wall().minusSeconds(3L * times))
                .renewTime(loop.clock().wall())
                .build());
    }

    // ---- helpers
    // -----------------------------------------------------------------------------------------------------

    private ProcessOfKey changedToEight() {
        ProcessOfKey sixteen = shards(SIXTEEN, "a");
        advance(5);
        sixteen.stop();
        ProcessOfKey eight = shards(EIGHT, "b");
        advance(20);
        assertThat(eight.led()).hasSize(8);
        return eight;
    }

    private ProcessOfKey shards(LeaseGroup group, String name) {
        ProcessOfKey process = new ProcessOfKey();
        process.locks.addAll(GroupLocks.of(group, "orders-" + name, group.leases(), process.connection, loop));
        return process.start();
    }

    private ProcessOfKey plain(String name) {
        ProcessOfKey process = new ProcessOfKey();
        process.locks.add(GroupLocks.plain(ORDERS, "orders-" + name, process.connection, loop));
        return process.start();
    }

    /** Lets time pass, and checks that no two families of leases are held at one instant. */
    private void advance(int seconds) {
        for (int i = 0; i < seconds * 10; i++) {
            loop.advance(Duration.ofMillis(100));
            Set<String> families = new TreeSet<>();
            Map<String, Integer> leaders = new HashMap<>();
            for (ProcessOfKey process : processes) {
                for (String led : process.led()) {
                    leaders.merge(led, 1, Integer::sum);
                    families.add(led.replaceFirst("-[0-9]+$", ""));
                }
            }
            assertThat(families).as("families that are led at one instant").hasSizeLessThan(2);
            assertThat(leaders.values()).as("leaders of each lease").allMatch(count -> count == 1);
        }
    }

    /** One process: its locks and its connection. */
    private final class ProcessOfKey {
        private final List<LeaseLock> locks = new ArrayList<>();
        private final ProcessConnection connection = new ProcessConnection(api, loop);

        ProcessOfKey() {
            processes.add(this);
        }

        ProcessOfKey start() {
            locks.forEach(LeaseLock::start);
            loop.runReady();
            return this;
        }

        void stop() {
            locks.forEach(LeaseLock::stop);
            loop.runReady();
        }

        List<String> led() {
            return IntStream.range(0, locks.size())
                    .filter(i -> locks.get(i).isLeader())
                    .mapToObj(i -> locks.get(i).name())
                    .toList();
        }
    }
}

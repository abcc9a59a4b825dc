package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.api.ConfigurationStatus;
import io.cle.election.internal.api.CoordinatorClient;
import io.cle.election.internal.api.LeaseConfiguration;
import io.cle.lock.internal.VirtualLoop;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.TermAnnotation;
import io.cle.store.internal.WatchEvent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseTableTest {

    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");
    private static final ObjectKey A = new ObjectKey("shop", "orders-a");

    private final VirtualLoop loop = new VirtualLoop();
    private final ApiInMemory api = new ApiInMemory(loop);
    private final CoordinatorJournal journal = new CoordinatorJournal(api.client, loop, reason -> {});
    private final LeaseTable leases =
            new LeaseTable(NamespaceRule.OWN_NAMESPACE_ONLY, Duration.ofSeconds(15), loop.clock(), journal);

    @BeforeEach
    void coordinates() {
        journal.coordinate(true);
    }

    /** What was reported, each with the lease that it is about. */
    private List<String> reported() {
        return IntStream.range(0, api.events().size())
                .mapToObj(i -> api.eventsAbout().get(i) + ": " + api.events().get(i))
                .toList();
    }

    @Test
    void aCandidateThatIsSeenToComeHasJustRenewedAndOneThatIsFoundHasToBeAsked() {
        Instant now = loop.clock().wall();
        ObjectKey found = new ObjectKey("shop", "orders-b");
        leases.onCandidate(
                CoordinatorClient.ALL_NAMESPACES,
                new WatchEvent.Snapshot<>(
                        List.of(candidate(found).toBuilder().renewTime(now).build())));
        leases.onCandidate(
                CoordinatorClient.ALL_NAMESPACES,
                new WatchEvent.Changed<>(candidate(A).toBuilder().renewTime(now).build()));

        assertThat(leases.find(ORDERS).candidates().all())
                .extracting(seen -> seen.candidate().key() + " " + answer(seen))
                .containsExactlyInAnyOrder("shop/orders-a ACKNOWLEDGED", "shop/orders-b UNASKED");
    }

    @Test
    void aMalformedObjectNamedAsALeaseDoesNotMakeTheLeaseUnreadable() {
        leases.onLease(
                CoordinatorClient.ALL_NAMESPACES,
                new WatchEvent.Changed<>(Lease.builder(ORDERS).build()));

        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(ORDERS, "no lease"));
        leases.onConfiguration(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(ORDERS, "no target"));

        assertThat(leases.find(ORDERS).unreadable()).isFalse();
        assertThat(reported())
                .containsExactly(
                        "shop/orders: Malformed: LeaseCandidate shop/orders is malformed and is ignored: no lease",
                        "shop/orders: Malformed: LeaseConfiguration shop/orders is malformed and is ignored: no target");
    }

    @Test
    void aLeaseThatCannotBeUnderstoodIsUnreadableUntilItCan() {
        leases.onLease(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(ORDERS, "no duration"));
        assertThat(leases.find(ORDERS).unreadable()).isTrue();

        leases.onLease(
                CoordinatorClient.ALL_NAMESPACES,
                new WatchEvent.Changed<>(Lease.builder(ORDERS).build()));
        assertThat(leases.find(ORDERS).unreadable()).isFalse();
    }

    /** A holder that releases a lease leaves a record of one second. */
    @Nested
    class AReleasedLeaseThatIsGone {

        private boolean freeAfter(int seconds) {
            loop.advance(Duration.ofSeconds(seconds));
            return leases.find(ORDERS)
                    .lease(loop.clock().now())
                    .free(loop.clock().now());
        }

        private void isKnown() {
            leases.onLease(
                    CoordinatorClient.ALL_NAMESPACES,
                    new WatchEvent.Changed<>(Lease.builder(ORDERS)
                            .leaseDuration(Duration.ofSeconds(1))
                            .managed(true)
                            .build()));
        }

        @Test
        void aReleasedLeaseThatIsGoneIsWaitedForAsForATermIfItsDeletionWasMissed() {
            isKnown();

            leases.onLease(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Snapshot<>(List.of()));

            assertThat(freeAfter(14)).isFalse();
            assertThat(freeAfter(1)).isTrue();
        }

        @Test
        void aReleasedLeaseThatIsGoneIsWaitedForAsForATermIfAReadDoesNotFindIt() {
            isKnown();

            leases.find(ORDERS).missing(loop.clock().now());

            assertThat(freeAfter(14)).isFalse();
            assertThat(freeAfter(1)).isTrue();
        }

        @Test
        void aReleasedLeaseThatIsGoneIsWaitedForAsItsRecordSaysIfItsDeletionWasSeen() {
            isKnown();

            leases.onLease(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Removed<>(ORDERS, "60"));

            assertThat(freeAfter(1)).isTrue();
        }

        @Test
        void aReleasedLeaseThatIsGoneIsWaitedForAgainIfAListDoesNotShowWhatHasHappenedSinceItsDeletion() {
            isKnown();
            leases.onLease(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Removed<>(ORDERS, "60"));
            loop.advance(Duration.ofSeconds(1));

            leases.onLease(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Snapshot<>(List.of()));

            assertThat(freeAfter(14)).isFalse();
            assertThat(freeAfter(1)).isTrue();
        }
    }

    /** The coordinator may have rights in some namespaces only, and then watches each of them by itself. */
    @Nested
    class SnapshotOfOneNamespace {

        private final ObjectKey bills = new ObjectKey("bank", "bills");
        private final ObjectKey teller = new ObjectKey("bank", "bills-a");

        @BeforeEach
        void areListed() {
            leases.onLease("shop", new WatchEvent.Snapshot<>(List.of(lease(ORDERS, "1"))));
            leases.onLease("bank", new WatchEvent.Snapshot<>(List.of(lease(bills, "90"))));
            leases.onCandidate("shop", new WatchEvent.Snapshot<>(List.of(candidate(A))));
            leases.onCandidate(
                    "bank",
                    new WatchEvent.Snapshot<>(
                            List.of(Candidate.builder(teller, bills).build())));
        }

        private Lease lease(ObjectKey key, String version) {
            return Lease.builder(key).resourceVersion(version).managed(true).build();
        }

        @Test
        void aSnapshotOfOneNamespaceSaysNothingOfTheOthers() {
            leases.onLease("shop", new WatchEvent.Snapshot<>(List.of()));
            leases.onCandidate("shop", new WatchEvent.Snapshot<>(List.of()));

            assertThat(leases.find(ORDERS).current()).isNull();
            assertThat(leases.find(ORDERS).candidates().all()).isEmpty();
            assertThat(leases.find(bills).current()).isNotNull();
            assertThat(leases.find(bills).candidates().all()).hasSize(1);
        }

        @Test
        void anEarlierStateOfOneNamespaceIsNoneOfTheOthersUntilTheyAreListed() {
            leases.onLease("shop", new WatchEvent.Snapshot<>(List.of(lease(ORDERS, "0"))));

            assertThat(leases.find(bills).current().resourceVersion()).isEqualTo("90");
            leases.onLease("bank", new WatchEvent.Snapshot<>(List.of(lease(bills, "50"))));
            assertThat(leases.find(bills).current().resourceVersion()).isEqualTo("50");
            assertThat(leases.find(ORDERS).current())
                    .as("it isn't forgotten again")
                    .isNotNull();
        }
    }

    @Nested
    class ARestoredEtcd {

        private Lease held(String version, String holder) {
            Instant now = loop.clock().wall();
            return Lease.builder(ORDERS)
                    .resourceVersion(version)
                    .holder(holder)
                    .acquireTime(now)
                    .renewTime(now)
                    .leaseDuration(Duration.ofSeconds(40))
                    .term(TermAnnotation.begun(
                            "n", "w1", Duration.ofSeconds(40), holder, now, TermAnnotation.Ended.NOTHING))
                    .managed(true)
                    .build();
        }

        private LeaseObservation observation() {
            return leases.find(ORDERS).lease(loop.clock().now());
        }

        @Test
        void aRestoredEtcdIsAGapAfterWhichTheLongestKnownTermIsWaitedFor() {
            leases.onLease(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(held("90", "a")));
            long longest = loop.clock().now().plus(Duration.ofSeconds(40));

            Lease free =
                    Lease.builder(ORDERS).resourceVersion("50").managed(true).build();
            leases.onLease(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Snapshot<>(List.of(free)));

            assertThat(leases.find(ORDERS).current()).isEqualTo(free);
            assertThat(observation().freeAt()).isEqualTo(longest);
        }

        @Test
        void anOlderLeaseOfTheWatchIsNoRestore() {
            leases.onLease(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(held("90", "a")));

            leases.onLease(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(held("50", "z")));

            assertThat(leases.find(ORDERS).current().holder()).isEqualTo("a");
        }

        @Test
        void aRestoredEtcdLetsOlderCandidatesCountAgainAndHasThemAsked() {
            leases.onCandidate(
                    CoordinatorClient.ALL_NAMESPACES,
                    new WatchEvent.Changed<>(
                            candidate(A).toBuilder().resourceVersion("90").build()));

            Candidate earlier = candidate(A).toBuilder().resourceVersion("50").build();
            leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Snapshot<>(List.of(earlier)));

            assertThat(leases.find(ORDERS).candidates().all())
                    .extracting(seen -> seen.candidate().resourceVersion() + " " + answer(seen))
                    .containsExactly("50 UNASKED");
        }
    }

    @Nested
    class ObjectThatVanishesWhileTheWatchIsDown {

        private final ObjectKey foreign = new ObjectKey("evil", "orders-x");

        @Test
        void objectThatVanishesWhileTheWatchIsDownMakesItsLeaseUnreadableNoLonger() {
            leases.onLease(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(ORDERS, "no duration"));

            leases.onLease(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Snapshot<>(List.of()));

            assertThat(leases.find(ORDERS).unreadable()).isFalse();
        }

        @Test
        void objectThatVanishesWhileTheWatchIsDownIsReportedOnceIfItHasNotVanished() {
            leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(candidate(foreign)));
            leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(A, "no version"));

            leases.onCandidate(
                    CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Snapshot<>(List.of(candidate(foreign))));
            leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(A, "no version"));

            assertThat(reported()).hasSize(2);
        }

        @Test
        void objectThatVanishesWhileTheWatchIsDownLeavesItsLeaseUnreadableIfItHasNotVanished() {
            leases.onLease(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(ORDERS, "no duration"));

            leases.onLease(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Snapshot<>(List.of()));
            leases.onLease(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(ORDERS, "no duration"));

            assertThat(leases.find(ORDERS).unreadable()).isTrue();
        }
    }

    @Test
    void aMalformedCandidateIsReportedOnceUnderItsOwnName() {
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(candidate(A)));

        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(A, "no version"));
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(A, "no version"));

        assertThat(reported())
                .containsExactly(
                        "shop/orders-a: Malformed: LeaseCandidate shop/orders-a is malformed and is ignored: no version");
        assertThat(leases.find(ORDERS).candidates().all()).isEmpty();
        assertThat(leases.find(A)).isNull();
    }

    @Test
    void anotherProblemOfAMalformedObjectIsNotReportedUntilItWasMendedOrDeleted() {
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(A, "no version"));
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(A, "no lease"));
        assertThat(reported()).hasSize(1);

        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(candidate(A)));
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(A, "no version"));
        assertThat(reported()).hasSize(2);

        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Removed<>(A, null));
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(A, "no version"));
        assertThat(reported()).hasSize(3);
    }

    /** Each in another way, as fast as the API server takes it. */
    @Test
    void thousandsOfMalformedPatchesAreNoReportsAndNoElections() {
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(candidate(A)));
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(A, "no version"));
        leases.onLease(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(ORDERS, "no duration"));
        leases.takeTouched();

        for (int i = 0; i < 9_480; i++) {
            leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(A, "no version " + i));
            leases.onLease(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(ORDERS, "no duration " + i));
        }

        assertThat(reported()).hasSize(2);
        assertThat(leases.takeTouched()).isEmpty();
    }

    @Test
    void aConfigurationThatBecomesMalformedNoLongerCounts() {
        leases.onConfiguration(
                CoordinatorClient.ALL_NAMESPACES,
                new WatchEvent.Changed<>(
                        new LeaseConfiguration(A, ORDERS, "HighestPriority", 1, ConfigurationStatus.NONE)));
        assertThat(leases.configurations().of(ORDERS)).hasSize(1);

        leases.onConfiguration(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Malformed<>(A, "no target"));
        assertThat(leases.configurations().of(ORDERS)).isEmpty();
        assertThat(reported()).singleElement().asString().startsWith("shop/orders-a: Malformed: LeaseConfiguration");
    }

    @Test
    void ofTwoConfigurationsForALeaseTheFirstByNameCounts() {
        ObjectKey b = new ObjectKey("shop", "orders-b");
        leases.onConfiguration(
                CoordinatorClient.ALL_NAMESPACES,
                new WatchEvent.Changed<>(
                        new LeaseConfiguration(b, ORDERS, "HighestPriority", 1, ConfigurationStatus.NONE)));
        leases.onConfiguration(
                CoordinatorClient.ALL_NAMESPACES,
                new WatchEvent.Changed<>(
                        new LeaseConfiguration(A, ORDERS, "NoCoordination", 1, ConfigurationStatus.NONE)));

        assertThat(leases.configurations().of(ORDERS))
                .extracting(LeaseConfiguration::strategy)
                .containsExactly("NoCoordination", "HighestPriority");

        leases.onConfiguration(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Removed<>(A, null));

        assertThat(leases.configurations().of(ORDERS))
                .extracting(LeaseConfiguration::strategy)
                .containsExactly("HighestPriority");
    }

    @Test
    void aConfigurationThatIsPointedAtAnotherLeaseLeavesTheFirst() {
        ObjectKey bills = new ObjectKey("shop", "bills");
        leases.onConfiguration(
                CoordinatorClient.ALL_NAMESPACES,
                new WatchEvent.Changed<>(
                        new LeaseConfiguration(A, ORDERS, "HighestPriority", 1, ConfigurationStatus.NONE)));
        leases.onConfiguration(
                CoordinatorClient.ALL_NAMESPACES,
                new WatchEvent.Changed<>(
                        new LeaseConfiguration(A, bills, "HighestPriority", 1, ConfigurationStatus.NONE)));

        assertThat(leases.configurations().of(ORDERS)).isEmpty();
        assertThat(leases.configurations().of(bills)).hasSize(1);
    }

    private List<String> strategiesOf(ObjectKey lease) {
        return leases.configurations().of(lease).stream()
                .map(LeaseConfiguration::strategy)
                .toList();
    }

    private void configure(String name, String target, String strategy) {
        leases.onConfiguration(
                CoordinatorClient.ALL_NAMESPACES,
                new WatchEvent.Changed<>(new LeaseConfiguration(
                        new ObjectKey("shop", name),
                        new ObjectKey("shop", target),
                        strategy,
                        1,
                        ConfigurationStatus.NONE)));
    }

    @Test
    void theExactNameIsPreferredToALongerPrefixAndThatToAShorterOne() {
        configure("a", "*", "NoCoordination");
        configure("b", "ord*", "NewestCompatibilityVersion");
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(candidate(A)));
        configure("c", "orders", "HighestPriority");
        configure("d", "bil*", "NoCoordination");

        assertThat(strategiesOf(ORDERS))
                .as("only configurations of one name are in conflict")
                .containsExactly("HighestPriority");

        leases.onConfiguration(
                CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Removed<>(new ObjectKey("shop", "c"), null));
        assertThat(strategiesOf(ORDERS)).containsExactly("NewestCompatibilityVersion");
        leases.onConfiguration(
                CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Removed<>(new ObjectKey("shop", "b"), null));
        assertThat(strategiesOf(ORDERS)).containsExactly("NoCoordination");
    }

    @Test
    void aPrefixAppliesToNoLeaseOfAnotherNamespace() {
        configure("a", "*", "NoCoordination");
        ObjectKey elsewhere = new ObjectKey("billing", "orders");
        leases.onLease(
                CoordinatorClient.ALL_NAMESPACES,
                new WatchEvent.Changed<>(Lease.builder(elsewhere).build()));

        assertThat(strategiesOf(elsewhere)).isEmpty();
    }

    @Test
    void aPrefixKeepsNoLeaseThatHasGone() {
        configure("a", "*", "NoCoordination");
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(candidate(A)));
        assertThat(leases.find(ORDERS).empty()).isFalse();

        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Removed<>(A, null));
        assertThat(leases.find(ORDERS).empty()).isTrue();
    }

    @Test
    void noElectionDependsOnAClockThatIsHoursOff() {
        Candidate ahead = candidate(A).toBuilder()
                .renewTime(loop.clock().wall().plus(Duration.ofHours(3)))
                .build();
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(ahead));
        Candidate again = ahead.toBuilder()
                .resourceVersion("2")
                .renewTime(loop.clock().wall().plus(Duration.ofHours(3)).plusSeconds(1))
                .build();
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(again));

        assertThat(leases.find(ORDERS).candidates().all())
                .extracting(this::answer)
                .containsExactly(Answer.ACKNOWLEDGED);
    }

    @Test
    void candidatesForAThousandShardsAreKeptOnce() {
        LeaseGroup shards = new LeaseGroup("shop", "orders", 1000);
        candidateForShards(shards, 0);
        long before = usedMemory();

        for (int i = 1; i <= 700; i++) {
            candidateForShards(shards, i);
        }

        assertThat(leases.find(shards.lease(999)).candidates().all()).hasSize(701);
        assertThat(usedMemory() - before).as("bytes").isLessThan(10_000_000);
    }

    /** Otherwise shards that rely on the ping of another one, which has a leader by now, would wait for their candidate to renew. */
    @Test
    void aPingThatFailsLateTouchesAllLeasesOfItsCandidateAndOneThatFailsAtOnceNone() {
        LeaseGroup shards = new LeaseGroup("shop", "orders", 3);
        Candidate candidate = Candidate.builder(A, shards).resourceVersion("1").build();
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(candidate));
        leases.update(candidate.key(), it -> it.pinged(loop.clock().now()));
        leases.takeTouched();

        leases.notPinged(candidate, false);
        assertThat(leases.takeTouched()).isEmpty();

        leases.notPinged(candidate, true);
        assertThat(leases.takeTouched()).containsAll(shards.leases());
    }

    /** Otherwise the lease without shards would wait for the owner of a key that has none. */
    @Test
    void aPingThatFailsAfterItsCandidateHasGoneMakesNoKey() {
        LeaseGroup shards = new LeaseGroup("shop", "orders", 3);
        Candidate candidate = Candidate.builder(A, shards).resourceVersion("1").build();
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(candidate));
        assertThat(leases.key(ORDERS)).isNotNull();
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Removed<>(A, null));
        shards.leases().forEach(leases::remove);

        leases.notPinged(candidate, true);

        assertThat(leases.key(ORDERS)).isNull();
    }

    /** With 700 such candidates, a thousand leases would be reconciled about twice a second. */
    @Test
    void aCandidateForShardsThatOnlyRenewsTouchesNoLease() {
        LeaseGroup shards = new LeaseGroup("shop", "orders", 1000);
        Candidate candidate = Candidate.builder(A, shards)
                .resourceVersion("1")
                .renewTime(loop.clock().wall())
                .build();
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(candidate));
        leases.takeTouched();
        loop.advance(Duration.ofMinutes(5));

        Candidate renewed = renewed(candidate, "2");
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(renewed));

        assertThat(leases.takeTouched()).isEmpty();
        assertThat(leases.find(shards.lease(7)).candidates().all())
                .extracting(this::answer)
                .containsExactly(Answer.ACKNOWLEDGED);
    }

    @Test
    void theAnswerOfACandidateForShardsTouchesEachOfThem() {
        LeaseGroup shards = new LeaseGroup("shop", "orders", 3);
        Candidate candidate = Candidate.builder(A, shards)
                .resourceVersion("1")
                .renewTime(loop.clock().wall())
                .build();
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(candidate));
        loop.advance(Duration.ofMinutes(5));
        leases.update(candidate.key(), it -> it.pinged(loop.clock().now()));
        leases.takeTouched();

        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(renewed(candidate, "2")));

        assertThat(leases.takeTouched()).containsAll(shards.leases());
    }

    private Candidate renewed(Candidate candidate, String version) {
        return candidate.toBuilder()
                .resourceVersion(version)
                .renewTime(loop.clock().wall())
                .build();
    }

    private void candidateForShards(LeaseGroup shards, int i) {
        leases.onCandidate(
                CoordinatorClient.ALL_NAMESPACES,
                new WatchEvent.Changed<>(Candidate.builder(new ObjectKey("shop", "orders-" + i), shards)
                        .build()));
        leases.takeTouched();
    }

    private static long usedMemory() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void aCandidateThatWithdrawsFromAShardIsOneForTheOthers() {
        LeaseGroup shards = new LeaseGroup("shop", "orders", 3);
        Candidate all = Candidate.builder(A, shards).build();
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Changed<>(all));

        leases.onCandidate(
                CoordinatorClient.ALL_NAMESPACES,
                new WatchEvent.Changed<>(all.toBuilder()
                        .resourceVersion("2")
                        .leases(List.of(shards.lease(0), shards.lease(2)))
                        .build()));

        assertThat(leases.find(shards.lease(0)).candidates().bears(A.name())).isTrue();
        assertThat(leases.find(shards.lease(1)).candidates().isEmpty()).isTrue();
        leases.onCandidate(CoordinatorClient.ALL_NAMESPACES, new WatchEvent.Removed<>(A, null));
        assertThat(leases.find(shards.lease(0)).candidates().isEmpty()).isTrue();
    }

    private Answer answer(CandidateObservation seen) {
        return seen.answer(loop.clock().now(), Duration.ofSeconds(5));
    }

    private static Candidate candidate(ObjectKey key) {
        return Candidate.builder(key, ORDERS).resourceVersion("1").build();
    }
}

package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

import io.cle.election.internal.api.ConfigurationStatus;
import io.cle.election.internal.api.LeaseConfiguration;
import io.cle.election.internal.api.PodState;
import io.cle.lock.internal.VirtualLoop;
import io.cle.loop.internal.LoggedLines;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.Version;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;
import io.cle.store.internal.WatchEvent;
import io.cle.strategy.ElectionStrategy;
import io.cle.strategy.internal.Strategies;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How a coordinator carries out decisions; making them is tested elsewhere.
 * Rules: {@code protocol.md#requests-and-limits}.
 */
class LeaseReconcilerTest {

    private static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    private static final ObjectKey OTHER = new ObjectKey("shop", "bills");

    @RegisterExtension
    final LoggedLines log = new LoggedLines(LeaseReconciler.class, CoordinatorJournal.class);

    private final VirtualLoop loop = new VirtualLoop();
    private final ApiInMemory api = new ApiInMemory(loop);
    private final ObservingCoordinator coordinator = new ObservingCoordinator(
            new CoordinatorConfig(
                    new Strategies(List.of(new Broken())),
                    Map.of(),
                    new ElectionPolicy(Duration.ofSeconds(5), Duration.ofSeconds(15)),
                    NamespaceRule.OWN_NAMESPACE_ONLY),
            api,
            loop);

    /** A strategy as a user may write it. */
    private static final class Broken implements ElectionStrategy {
        @Override
        public String wireName() {
            return "Broken";
        }

        @Override
        public Comparator<Candidate> criteria() {
            return (unusedLeft, unusedRight) -> {
                throw new IllegalStateException("a user's bug");
            };
        }
    }

    private static Candidate.Builder candidate(String name, String version) {
        return Candidate.builder(new ObjectKey("shop", name), LEASE)
                .binaryVersion(Version.parse(version))
                .compatibilityVersion(Version.parse(version))
                .validity(Duration.ofMinutes(10));
    }

    private Candidate comes(Candidate.Builder candidate) {
        Candidate stored = api.put(candidate.renewTime(loop.clock().wall()).build());
        coordinator.onCandidate(new WatchEvent.Changed<>(stored));
        return stored;
    }

    /** It answers, or renews by itself. */
    private void renews(String name) {
        loop.advance(Duration.ofMillis(1));
        Candidate stored = api.candidates().get(new ObjectKey("shop", name));
        comes(stored.toBuilder().pingTime(null));
    }

    /** The elected one begins its term, or renews it. */
    private void leads(String name) {
        Lease lease = api.leases().get(LEASE);
        assertThat(lease.holder()).isEqualTo(name);
        Lease.Builder renewed = lease.toBuilder().renewTime(loop.clock().wall());
        if (lease.granted()) {
            renewed.term(TermAnnotation.begun(
                    "nonce", "w1", lease.leaseDuration(), name, lease.acquireTime(), TermAnnotation.Ended.NOTHING));
        }
        coordinator.onLease(new WatchEvent.Changed<>(api.put(renewed.build())));
    }

    /** Reconciles until there is nothing to be done at once. */
    private void reconcile(ObjectKey lease) {
        for (int i = 0; i < 10; i++) {
            LeaseReconciler.Outcome outcome =
                    coordinator.reconcile(lease).toCompletableFuture().join();
            if (outcome.recheckIn().isEmpty() || !outcome.recheckIn().get().isZero()) {
                return;
            }
        }
        throw new AssertionError("reconciliation doesn't end: " + coordinator.view(lease));
    }

    private String holder() {
        return String.valueOf(api.leases().get(LEASE).holder());
    }

    @Test
    void anExpiredCandidateIsRemoved() {
        comes(candidate("orders-a", "1.0.0"));
        reconcile(LEASE);
        loop.advance(Duration.ofMinutes(10));
        reconcile(LEASE);

        assertThat(api.candidates()).isEmpty();
        assertThat(coordinator.view(LEASE).orElseThrow().candidates()).isEmpty();
    }

    @Test
    void aCandidateThatHasRenewedUnseenIsNotRemovedAndCountsAgainWhenTheWatchShowsIt() {
        Candidate stale = comes(candidate("orders-a", "1.0.0"));
        loop.advance(Duration.ofMinutes(10));
        Candidate renewed =
                api.put(stale.toBuilder().renewTime(loop.clock().wall()).build());

        reconcile(LEASE);
        coordinator.onCandidate(new WatchEvent.Changed<>(renewed));

        assertThat(api.candidates()).hasSize(1);
        assertThat(coordinator.view(LEASE).orElseThrow().candidates()).hasSize(1);
    }

    @Nested
    class ThousandsOfExpiredCandidates {

        private static final int MANY = 1_400;

        @BeforeEach
        void expire() {
            for (int i = 0; i < MANY; i++) {
                comes(candidate("orders-" + i, "1.0.0"));
            }
            loop.advance(Duration.ofMinutes(10));
        }

        @Test
        void thousandsOfExpiredCandidatesAreRemovedOnceAHundredPerReconciliation() {
            reconcile(LEASE);
            assertThat(api.deletions).hasSize(100);
            removeAll();

            assertThat(api.candidates()).isEmpty();
            assertThat(api.deletions).hasSize(MANY).doesNotHaveDuplicates();
        }

        @Test
        void thousandsOfExpiredCandidatesDelayNoElection() {
            api.deletionsWait = true;
            reconcile(LEASE);
            comes(candidate("orders-new", "1.0.0"));
            comes(Candidate.builder(new ObjectKey("shop", "bills-a"), OTHER));

            reconcile(LEASE);
            reconcile(OTHER);

            assertThat(holder()).isEqualTo("orders-new");
            assertThat(api.leases().get(OTHER).holder()).isEqualTo("bills-a");
        }

        @Test
        void thousandsOfExpiredCandidatesAreNoLineAndNoEvent() {
            removeAll();

            assertThat(api.deletions).hasSize(MANY);
            assertThat(log.lines()).isEmpty();
            assertThat(api.events()).isEmpty();
        }

        @Test
        void thousandsOfExpiredCandidatesAreTriedAgainAfterAMinuteIfTheyMayNotBeRemoved() {
            api.deletionsRefused = "no right";
            removeAll();

            assertThat(api.deletions).hasSize(MANY).doesNotHaveDuplicates();
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("can't be removed"))
                    .singleElement()
                    .asString()
                    .contains("no right");

            loop.advance(Duration.ofMinutes(1));
            reconcile(LEASE);
            assertThat(api.deletions).hasSize(MANY + 100);
        }

        private void removeAll() {
            for (int second = 0; second < MANY / 100; second++) {
                loop.advance(Duration.ofSeconds(1));
                reconcile(LEASE);
            }
        }
    }

    /** orders-a leads in a pod, and orders-b is there. */
    private void leadsInAPod() {
        comes(candidate("orders-a", "1.0.0").pod(new PodRef(new ObjectKey("shop", "pod-a"), "uid-a")));
        comes(candidate("orders-b", "1.1.0"));
        reconcile(LEASE);
        leads("orders-a");
        reconcile(LEASE);
    }

    /** Six seconds in which orders-a renews. */
    private void goesOn() {
        for (int i = 0; i < 3; i++) {
            loop.advance(Duration.ofSeconds(2));
            leads("orders-a");
            reconcile(LEASE);
        }
    }

    private void missesARenewal() {
        loop.advance(Duration.ofMillis(3600));
        reconcile(LEASE);
        renews("orders-b");
        reconcile(LEASE);
    }

    private static PodState container(PodState.Phase phase, int restarts) {
        return new PodState.Container(phase, restarts, "run-" + restarts, "");
    }

    @Test
    void aSilentHolderWhoseContainerHasEndedIsReplacedAtOnce() {
        leadsInAPod();
        goesOn();
        api.pod = container(PodState.Phase.TERMINATED, 0);
        missesARenewal();

        assertThat(holder()).isEqualTo("orders-b");
        assertThat(api.events())
                .last()
                .asString()
                .contains("the kubelet has reported that the container of orders-a has ended");
    }

    @Test
    void aHolderWhoseContainerHasEndedIsPingedWhenItIsReplacedSoThatNoLaterElectionWaitsForIt() {
        leadsInAPod();
        goesOn();
        loop.advance(Duration.ofSeconds(2));
        leads("orders-a");
        api.pod = container(PodState.Phase.TERMINATED, 0);
        missesARenewal();

        assertThat(holder()).isEqualTo("orders-b");
        assertThat(api.candidates().get(new ObjectKey("shop", "orders-a")).ackPending())
                .isTrue();
    }

    @Test
    void aSilentHolderWhoseContainerWasStartedAgainIsReplacedAtOnce() {
        leadsInAPod();
        api.pod = container(PodState.Phase.RUNNING, 0);
        goesOn();
        api.pod = container(PodState.Phase.RUNNING, 1);
        missesARenewal();

        assertThat(holder()).isEqualTo("orders-b");
    }

    @Test
    void aSilentHolderWhosePodIsGoneIsWaitedOut() {
        leadsInAPod();
        api.pod = container(PodState.Phase.RUNNING, 0);
        goesOn();
        api.pod = new PodState.Missing();
        missesARenewal();

        assertThat(holder()).isEqualTo("orders-a");
    }

    @Test
    void aPodIsReadOnceATermWhileItsHolderRenews() {
        leadsInAPod();
        goesOn();
        goesOn();

        assertThat(api.podsRead).hasSize(1);
    }

    @Test
    void aLookThatIsAnsweredInALaterTermSaysNothingOfIt() {
        leadsInAPod();
        goesOn();
        CompletableFuture<Void> slow = new CompletableFuture<>();
        api.beforePod = slow;
        api.pod = container(PodState.Phase.TERMINATED, 0);
        loop.advance(Duration.ofMillis(3600));
        coordinator.reconcile(LEASE);
        Lease lease = api.leases().get(LEASE);
        Instant later = loop.clock().wall();
        coordinator.onLease(new WatchEvent.Changed<>(api.put(lease.toBuilder()
                .acquireTime(later)
                .renewTime(later)
                .term(TermAnnotation.begun(
                        "another", "w1", lease.leaseDuration(), "orders-a", later, TermAnnotation.Ended.NOTHING))
                .build())));
        slow.complete(null);
        renews("orders-b");
        reconcile(LEASE);

        assertThat(holder()).isEqualTo("orders-a");
    }

    /** The lease may have been created, led and deleted meanwhile. */
    @Test
    void afterTheAnswerToACreationAnUnseenTermMayRunForALeaseDuration() {
        comes(candidate("a", "1.0.0"));
        reconcile(LEASE);
        renews("a");
        reconcile(LEASE);
        leads("a");
        api.delete(LEASE);
        coordinator.onLease(new WatchEvent.Removed<>(LEASE, null));
        loop.advance(Duration.ofSeconds(16));

        reconcile(LEASE);
        renews("a");
        reconcile(LEASE);
        assertThat(api.creations).isEqualTo(2);
        comes(candidate("b", "1.0.0"));
        loop.advance(Duration.ofSeconds(14));
        reconcile(LEASE);
        renews("b");
        reconcile(LEASE);
        assertThat(holder()).isEqualTo("a");
        loop.advance(Duration.ofSeconds(7));
        reconcile(LEASE);
        renews("b");
        reconcile(LEASE);
        assertThat(holder()).isEqualTo("b");
    }

    @Test
    void anUnknownStrategyIsReportedOnceAndEndsNoTerm() {
        comes(candidate("orders-a", "1.0.0"));
        reconcile(LEASE);
        leads("orders-a");
        coordinator.onConfiguration(new WatchEvent.Changed<>(new LeaseConfiguration(
                new ObjectKey("shop", "strategy"), LEASE, "Astrology", 1, ConfigurationStatus.NONE)));
        reconcile(LEASE);
        reconcile(LEASE);

        assertThat(api.events())
                .filteredOn(event -> event.startsWith("NoUsableStrategy"))
                .singleElement()
                .asString()
                .contains("no strategy 'Astrology' (set by a LeaseConfiguration)");
        assertThat(holder()).isEqualTo("orders-a");
        assertThat(coordinator.view(LEASE).orElseThrow().problems()).hasSize(1);
    }

    private void configured(String name, String target, String strategy) {
        coordinator.onConfiguration(new WatchEvent.Changed<>(new LeaseConfiguration(
                new ObjectKey("shop", name), new ObjectKey("shop", target), strategy, 1, ConfigurationStatus.NONE)));
    }

    /** {@code <type> <reason>} of the conditions that hold. */
    private List<String> conditionsOf(String configuration) {
        return api.reports.get(new ObjectKey("shop", configuration)).conditions().stream()
                .filter(ConfigurationStatus.Condition::holds)
                .map(condition -> condition.type() + " " + condition.reason())
                .toList();
    }

    @Test
    void theStatusOfAConfigurationSaysWhatCameOfIt() {
        configured("a", "orders", "NoCoordination");
        assertThat(conditionsOf("a")).containsExactly("Accepted InForce");

        configured("b", "orders", "HighestPriority");
        assertThat(conditionsOf("a")).containsExactly("Accepted InForce", "Conflicted SeveralConfigurations");
        assertThat(conditionsOf("b")).containsExactly("Conflicted SeveralConfigurations");
        assertThat(api.reports
                        .get(new ObjectKey("shop", "b"))
                        .conditions()
                        .get(0)
                        .message())
                .isEqualTo("shop/a names shop/orders, too; shop/a applies");

        configured("c", "ord*", "Astrology");
        assertThat(conditionsOf("c")).containsExactly("UnknownStrategy UnknownStrategy");

        coordinator.onConfiguration(new WatchEvent.Removed<>(new ObjectKey("shop", "a"), null));
        assertThat(conditionsOf("b")).containsExactly("Accepted InForce");
    }

    @Test
    void aConditionKeepsTheTimeSinceWhichItHolds() {
        configured("a", "orders", "NoCoordination");
        ObjectKey key = new ObjectKey("shop", "a");
        ConfigurationStatus first = api.reports.remove(key);
        loop.advance(Duration.ofMinutes(1));

        coordinator.onConfiguration(new WatchEvent.Changed<>(
                new LeaseConfiguration(key, LEASE, "NoCoordination", first.observedGeneration(), first)));
        assertThat(api.reports).as("nothing is new").isEmpty();

        coordinator.onConfiguration(
                new WatchEvent.Changed<>(new LeaseConfiguration(key, LEASE, "HighestPriority", 2, first)));
        assertThat(api.reports.get(key).observedGeneration()).isEqualTo(2);
        assertThat(api.reports.get(key).conditions().get(0).since())
                .isEqualTo(first.conditions().get(0).since());
    }

    @Test
    void aConditionThatIsStoredWithoutATimeGetsOne() {
        ConfigurationStatus stored = new ConfigurationStatus(
                1, List.of(new ConfigurationStatus.Condition("Accepted", true, "InForce", "", null)));

        coordinator.onConfiguration(new WatchEvent.Changed<>(
                new LeaseConfiguration(new ObjectKey("shop", "a"), LEASE, "NoCoordination", 1, stored)));

        assertThat(api.reports.get(new ObjectKey("shop", "a")).conditions())
                .allSatisfy(condition -> assertThat(condition.since()).isNotNull());
    }

    @Test
    void aStatusThatCantBeWrittenIsTriedAgainOnceTheConfigurationIsListedAgain() {
        api.reportsRefused = "no patch of leaseconfigurations/status";
        configured("a", "orders", "NoCoordination");
        reconcile(LEASE);
        assertThat(api.reports).isEmpty();

        api.reportsRefused = "";
        loop.advance(Duration.ofMinutes(1));
        reconcile(LEASE);
        assertThat(api.reports).as("not without a list").isEmpty();

        coordinator.onConfiguration(new WatchEvent.Snapshot<>(List.of(new LeaseConfiguration(
                new ObjectKey("shop", "a"), LEASE, "NoCoordination", 1, ConfigurationStatus.NONE))));
        reconcile(LEASE);
        assertThat(conditionsOf("a")).containsExactly("Accepted InForce");
    }

    /** Something between the coordinator and etcd that changes what is written. */
    @Test
    void aStatusThatIsStoredOtherwiseIsNotWrittenForever() {
        configured("a", "orders", "NoCoordination");
        api.reports.clear();

        configured("a", "orders", "NoCoordination");
        assertThat(api.reports).isEmpty();
    }

    /** The annotation of the effective strategy looks like the coordinator's own. */
    @Test
    void aConfigurationPinsTheStrategyInForceAgainstTheNextReleasesWish() {
        configured("pin", "orders", "OldestCompatibilityVersion");
        comes(candidate("orders-a", "1.0.0"));
        reconcile(LEASE);
        leads("orders-a");

        comes(candidate("orders-b", "2.0.0").strategy("NewestCompatibilityVersion"));
        reconcile(LEASE);

        assertThat(coordinator.view(LEASE).orElseThrow().strategy().name()).isEqualTo("OldestCompatibilityVersion");
        assertThat(api.leases().get(LEASE).endOfTerm()).isFalse();
    }

    @Test
    void anUnknownStrategyOfSomeCandidatesIsIgnoredAndTheLeaseIsElectedByThatOfTheOthers() {
        comes(candidate("orders-a", "1.0.0").strategy("example.com.Nearest"));
        comes(candidate("orders-b", "1.1.0"));
        reconcile(LEASE);
        leads("orders-a");
        renews("orders-b");
        reconcile(LEASE);

        assertThat(holder()).isEqualTo("orders-a");
        assertThat(coordinator.view(LEASE).orElseThrow().problems()).isEmpty();
    }

    @Test
    void aStrategyThatThrowsElectsNoCandidateAndOtherLeasesGoOn() {
        comes(candidate("orders-a", "1.0.0").strategy("Broken"));
        comes(candidate("orders-b", "1.0.0").strategy("Broken"));
        comes(Candidate.builder(new ObjectKey("shop", "bills-a"), OTHER));

        reconcile(LEASE);
        reconcile(LEASE);
        reconcile(OTHER);

        assertThat(api.leases().keySet()).containsExactly(OTHER);
        assertThat(api.events())
                .filteredOn(event -> event.startsWith("StrategyFailed"))
                .singleElement()
                .asString()
                .contains("the strategy Broken has failed", "a user's bug");
        assertThat(coordinator.table.keys()).hasSize(2);
        assertThat(coordinator.view(LEASE).orElseThrow().problems())
                .singleElement()
                .asString()
                .contains("a user's bug");
    }

    /** Both existed before this coordinator, so it pings them; orders-b acknowledges. */
    private void areFound() {
        List<Candidate> found = List.of(
                api.put(candidate("orders-a", "1.0.0")
                        .renewTime(loop.clock().wall())
                        .build()),
                api.put(candidate("orders-b", "1.1.0")
                        .renewTime(loop.clock().wall())
                        .build()));
        coordinator.onCandidate(new WatchEvent.Snapshot<>(found));
        loop.advance(Duration.ofSeconds(10));
        coordinator.reconcile(LEASE);
        renews("orders-b");
    }

    @Test
    void aCandidateThatMayNotBePingedIsPassedOverAndReported() {
        api.pingRefused = "orders-a";
        areFound();
        loop.advance(Duration.ofSeconds(5));
        reconcile(LEASE);

        assertThat(holder()).isEqualTo("orders-b");
        assertThat(api.pings).containsOnlyOnce("orders-a");
        assertThat(api.events())
                .filteredOn(event -> event.startsWith("CandidateNotPinged"))
                .singleElement()
                .asString()
                .contains("shop/orders-a", "is ignored until it renews");
    }

    @Test
    void eventsThatMayNotBeWrittenAreReportedOnce() {
        api.eventsRefused = "cannot create resource \"events\"";
        api.pingRefused = "orders-a";
        areFound();
        loop.advance(Duration.ofSeconds(5));
        reconcile(LEASE);

        assertThat(api.events()).hasSizeGreaterThan(1);
        assertThat(log.lines())
                .filteredOn(line -> line.contains("Events can't be recorded"))
                .singleElement()
                .asString()
                .startsWith("WARN ")
                .contains("cannot create resource \"events\"");
    }

    @Test
    void aPingThatIsStoredOtherwiseIsReportedAndDoesNotHoldUpTheElection() {
        api.pingsDropped = true;
        areFound();
        loop.advance(Duration.ofSeconds(5));
        reconcile(LEASE);

        assertThat(holder()).isEqualTo("orders-b");
        assertThat(api.events())
                .filteredOn(event -> event.startsWith("CandidateNotPinged") && event.contains("shop/orders-a"))
                .singleElement()
                .asString()
                .contains("stored otherwise", "pending-ack");
    }

    /** An object that was stored before the API server's rules for it became stricter. */
    @Test
    void aCandidateWhosePingIsInvalidIsPassedOver() {
        api.pingRefused = "orders-a";
        api.pingRefusedBy = 422;
        areFound();
        loop.advance(Duration.ofSeconds(5));
        reconcile(LEASE);

        assertThat(holder()).isEqualTo("orders-b");
    }

    @Nested
    class NoCoordination {

        private final LeaseConfiguration configuration = new LeaseConfiguration(
                new ObjectKey("shop", "off"), LEASE, "NoCoordination", 1, ConfigurationStatus.NONE);

        @BeforeEach
        void isConfiguredWhileOneLeads() {
            comes(candidate("orders-a", "1.0.0"));
            reconcile(LEASE);
            leads("orders-a");
            coordinator.onConfiguration(new WatchEvent.Changed<>(configuration));
            reconcile(LEASE);
        }

        private Lease lease() {
            return api.leases().get(LEASE);
        }

        @Test
        void noCoordinationIsWrittenToTheLeaseOnceAndReported() {
            String written = lease().resourceVersion();
            reconcile(LEASE);

            assertThat(lease().strategy()).isEqualTo("NoCoordination");
            assertThat(lease().resourceVersion()).isEqualTo(written);
            assertThat(api.events())
                    .filteredOn(event -> event.startsWith("StrategyRecorded"))
                    .hasSize(1);
        }

        @Test
        void noCoordinationIsNotTakenForAnAdministrators() {
            coordinator.onConfiguration(new WatchEvent.Removed<>(configuration.key(), "999"));
            loop.advance(Duration.ofMillis(500));
            reconcile(LEASE);

            assertThat(lease().strategy()).isEqualTo("OldestCompatibilityVersion");
        }

        @Test
        void noCoordinationIsWrittenAgainNoFasterThanAnotherCoordinatorCanBeDisputedWith() {
            for (int i = 0; i < 20; i++) {
                Lease taken = lease().toBuilder()
                        .strategy("OldestCompatibilityVersion")
                        .recordedStrategy("OldestCompatibilityVersion")
                        .build();
                coordinator.onLease(new WatchEvent.Changed<>(api.put(taken)));
                reconcile(LEASE);
            }

            assertThat(lease().strategy()).isEqualTo("OldestCompatibilityVersion");
            assertThat(api.events())
                    .filteredOn(event -> event.startsWith("StrategyRecorded"))
                    .hasSizeLessThan(6);
        }
    }

    /** A candidate of a process that is long gone, restored from a backup beside a living leader. */
    @Nested
    class ARestoredCandidate {

        @BeforeEach
        void comesBesideALeader() {
            comes(candidate("orders-b", "1.1.0"));
            reconcile(LEASE);
            leads("orders-b");
            Candidate restored = api.put(candidate("orders-old", "1.0.0")
                    .renewTime(loop.clock().wall().minus(Duration.ofHours(2)))
                    .build());
            coordinator.onCandidate(new WatchEvent.Changed<>(restored));
            for (int i = 0; i < 6; i++) {
                loop.advance(Duration.ofSeconds(5));
                leads("orders-b");
            }
            reconcile(LEASE);
        }

        @Test
        void aRestoredCandidateIsPingedAndDoesNotUnseatTheLeader() {
            assertThat(api.pings).containsExactly("orders-old");
            for (int i = 0; i < 5; i++) {
                loop.advance(Duration.ofSeconds(2));
                leads("orders-b");
                reconcile(LEASE);
            }

            assertThat(api.leases().get(LEASE).endOfTerm()).isFalse();
        }

        @Test
        void aRestoredCandidateIsPreferredOnceItHasAcknowledged() {
            loop.advance(Duration.ofMillis(1));
            comes(api.candidates().get(new ObjectKey("shop", "orders-old")).toBuilder()
                    .pingTime(null));
            reconcile(LEASE);

            assertThat(api.leases().get(LEASE).preferredHolder()).isEqualTo("orders-old");
        }
    }

    @Test
    void aCandidateThatCouldNotBePingedForLoadIsPingedAgain() {
        api.pingRefused = "orders-a";
        api.pingRefusedBy = 429;
        areFound();
        coordinator.reconcile(LEASE);

        assertThat(api.pings).filteredOn("orders-a"::equals).hasSize(2);
        assertThat(api.leases()).isEmpty();
    }

    @Nested
    class WritesThatFail {

        private static final String NO = "exceeded quota: few";

        private final LeaseQueue queue = new LeaseQueue(loop, new SplittableRandom(1), 4, this::work);

        @BeforeEach
        void coordinates() {
            queue.open();
        }

        private void work(ObjectKey lease) {
            loop.execute(() -> queue.run(lease, () -> coordinator.coordinator.reconcile(lease)));
        }

        private void changes() {
            queue.add(LEASE);
            loop.runReady();
        }

        /** Runs a coordinator for a while: the only candidate renews each second, and its lease is queued each time. */
        private void goOnFor(Duration duration) {
            for (long second = 0; second < duration.toSeconds(); second++) {
                loop.advance(Duration.ofSeconds(1));
                renews("orders-a");
                changes();
            }
        }

        private List<String> problems() {
            return coordinator.view(LEASE).orElseThrow().problems();
        }

        private List<String> reports() {
            return api.events().stream()
                    .filter(event -> event.startsWith("DecisionNotWritten"))
                    .toList();
        }

        private void isRefused() {
            api.leasesRefused = NO;
            comes(candidate("orders-a", "1.0.0"));
            changes();
        }

        @Test
        void writesThatFailAreReportedOnceAndAreAmongTheProblems() {
            isRefused();
            goOnFor(Duration.ofMinutes(2));

            assertThat(problems()).singleElement().asString().contains(NO);
            assertThat(reports()).singleElement().asString().contains("retrying", "403", NO);
        }

        @Test
        void writesThatFailForAnotherReasonAreShownWithItAndNotReportedAnew() {
            isRefused();
            api.leasesRefused = "being terminated";
            goOnFor(Duration.ofMinutes(1));

            assertThat(problems()).singleElement().asString().contains("being terminated");
            assertThat(reports()).hasSize(1);
        }

        @Test
        void writesThatFailAreTriedAgainWithAGrowingDelayHoweverOftenCandidatesRenew() {
            isRefused();
            goOnFor(Duration.ofMinutes(2));

            assertThat(api.leaseWrites).isBetween(12, 40);
        }

        /** An admission webhook fails. */
        @Test
        void writesThatFailWhileReadsSucceedAreRetriedWithAGrowingDelayHoweverOftenCandidatesRenew() {
            api.failOneWriteIn = 1;
            comes(candidate("orders-a", "1.0.0"));
            changes();
            goOnFor(Duration.ofMinutes(2));

            assertThat(api.leaseWrites).isBetween(12, 40);
        }

        /** An API server that delivers a change is up again. */
        @Test
        void writesThatFailAreTriedAgainAtTheNextChangeIfTheyWereNotAnswered() {
            api.leasesUnanswered = true;
            comes(candidate("orders-a", "1.0.0"));
            changes();
            goOnFor(Duration.ofMinutes(2));
            assertThat(problems()).singleElement().asString().contains("timed out");

            api.leasesUnanswered = false;
            renews("orders-a");
            changes();

            assertThat(holder()).isEqualTo("orders-a");
            assertThat(reports()).isEmpty();
        }

        /** An admission policy drops annotations ({@code drop-annotations.yaml}). */
        @Test
        void writesThatFailAreReportedOnceIfTheyWereStoredOtherwise() {
            api.annotationsDropped = true;
            comes(candidate("orders-a", "1.0.0"));
            changes();
            goOnFor(Duration.ofMinutes(2));

            assertThat(api.events())
                    .filteredOn(event -> event.startsWith("DecisionNotWritten"))
                    .singleElement()
                    .asString()
                    .contains("elected-by");
            assertThat(problems()).singleElement().asString().contains("elected-by");
            assertThat(api.leaseWrites).as("tried again, and not in a loop").isBetween(4, 30);
        }

        @Test
        void writesThatFailAreNoProblemAnyMoreOnceOneSucceeds() {
            isRefused();
            goOnFor(Duration.ofMinutes(1));
            api.leasesRefused = "";
            goOnFor(Duration.ofSeconds(11));

            assertThat(holder()).isEqualTo("orders-a");
            assertThat(problems()).isEmpty();
        }

        @Test
        void writesThatFailStayAProblemUntilOneSucceedsAlsoIfNothingIsLeftToWrite() {
            isRefused();
            coordinator.onLease(new WatchEvent.Changed<>(api.put(Lease.builder(LEASE)
                    .holder("another")
                    .managed(true)
                    .acquireTime(loop.clock().wall())
                    .renewTime(loop.clock().wall())
                    .leaseDuration(Duration.ofHours(1))
                    .build())));
            goOnFor(Duration.ofSeconds(2));

            assertThat(problems()).anyMatch(problem -> problem.contains(NO));
        }
    }

    @Test
    void aCandidateThatCouldNotBePingedIsLoggedOnce() {
        api.pingRefused = "orders-a";
        api.pingRefusedBy = 429;
        areFound();
        for (int i = 0; i < 5; i++) {
            coordinator.reconcile(LEASE);
        }

        assertThat(log.lines())
                .filteredOn(line -> line.contains("Candidates of lease shop/orders can't be pinged"))
                .hasSize(1);
    }

    /** protocol.md#the-holder-goes-away. */
    @Test
    void aCandidateThatIsHeldOffIsRankedLastWithTheTimeUntilWhen() {
        comes(candidate("orders-a", "1.0.0"));
        comes(candidate("orders-b", "1.1.0"));
        reconcile(LEASE);
        assertThat(holder()).isEqualTo("orders-a");
        loop.advance(Duration.ofSeconds(5));
        renews("orders-b");
        reconcile(LEASE);

        ElectionView view = coordinator.view(LEASE).orElseThrow();

        assertThat(view.candidates())
                .extracting(standing -> standing.candidate().identity())
                .containsExactly("orders-b", "orders-a");
        assertThat(view.candidates().get(0).heldOffUntil()).isNull();
        assertThat(view.candidates().get(1).heldOffUntil())
                .isEqualTo(loop.clock().wall().plus(HoldOffs.LENGTH));
    }
}

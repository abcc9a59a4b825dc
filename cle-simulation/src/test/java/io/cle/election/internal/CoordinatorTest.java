package io.cle.election.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

import io.cle.election.internal.ApiInMemory.Kind;
import io.cle.lock.internal.VirtualLoop;
import io.cle.loop.internal.LoggedLines;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.strategy.ElectionStrategy;
import io.cle.strategy.internal.Strategies;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

class CoordinatorTest {

    private static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    private static final ObjectKey CANDIDATE = new ObjectKey("shop", "orders-a");
    private static final ObjectKey BILLS = new ObjectKey("shop", "bills");

    @RegisterExtension
    final LoggedLines log = new LoggedLines(LeaseQueue.class);

    private final VirtualLoop eventLoop = new VirtualLoop();
    private ApiInMemory api = new ApiInMemory(eventLoop);
    private final List<ObjectKey> queued = new ArrayList<>();
    private int interruptions;
    private Coordinator loop = inline(Strategies.builtIn());

    private Coordinator inline(Strategies strategies) {
        return new Coordinator(
                config(strategies), eventLoop, new Random(1), Workers.DIRECT, reason -> {}, () -> interruptions++);
    }

    private static CoordinatorConfig config(Strategies strategies) {
        return new CoordinatorConfig(strategies, Map.of(), ElectionPolicy.DEFAULT, NamespaceRule.OWN_NAMESPACE_ONLY);
    }

    /** Workers whose work the test does. */
    private Coordinator queueing(int capacity) {
        Workers workers = new Workers() {
            @Override
            public void take(ObjectKey lease, Coordinator coordinator) {
                queued.add(lease);
            }

            @Override
            public int count() {
                return capacity;
            }
        };
        return new Coordinator(
                config(Strategies.builtIn()), eventLoop, new Random(1), workers, reason -> {}, () -> interruptions++);
    }

    private void coordinates(Coordinator coordinator) {
        loop = coordinator;
        loop.use(api.client);
        loop.coordinate();
        eventLoop.runReady();
    }

    private void joins(ObjectKey key, ObjectKey lease) {
        api.put(candidate(key, lease));
        eventLoop.runReady();
    }

    private Candidate candidate(ObjectKey key, ObjectKey lease) {
        return Candidate.builder(key, lease).renewTime(eventLoop.clock().wall()).build();
    }

    private void reconcileQueued() {
        List<ObjectKey> taken = List.copyOf(queued);
        queued.clear();
        taken.forEach(loop::reconcile);
        eventLoop.runReady();
    }

    /** safety.md#seen-everything. */
    @Nested
    class Gate {

        @Test
        void theGateStaysClosedUntilAllThreeKindsWereListed() {
            api.hold(Kind.values());
            coordinates(loop);
            joins(CANDIDATE, LEASE);
            api.release(Kind.LEASES);
            api.release(Kind.CANDIDATES);
            assertThat(loop.coordinating()).isFalse();
            assertThat(api.leases()).isEmpty();

            api.release(Kind.CONFIGURATIONS);
            eventLoop.advance(Duration.ofMillis(1));
            joins(CANDIDATE, LEASE);

            assertThat(loop.coordinating()).isTrue();
            assertThat(api.leases()).containsKey(LEASE);
            assertThat(loop.synced()).isCompleted();
        }

        @Test
        void theGateOpensWithoutAKindThatTheApiServerDoesNotServe() {
            api = new ApiInMemory(eventLoop, false);
            coordinates(loop);

            assertThat(loop.coordinating()).isTrue();
            assertThat(loop.watches()).extracting(WatchStatus::problem).containsOnlyNulls();
        }

        @Test
        void theGateOpensWithoutANamespaceThatMayNotBeRead() {
            api.forbidden.add("bank");
            loop.use(api.clientOf(Set.of(LEASE.namespace(), "bank")));
            loop.coordinate();
            eventLoop.advance(Duration.ofMinutes(1));
            joins(CANDIDATE, LEASE);

            assertThat(api.leases()).containsKey(LEASE);
            assertThat(loop.watches())
                    .filteredOn(watch -> watch.problem() != null)
                    .extracting(WatchStatus::kind)
                    .containsExactly(
                            "lease candidates of namespace bank",
                            "lease configurations of namespace bank",
                            "leases of namespace bank");

            api.forbidden.clear();
            eventLoop.advance(Duration.ofMinutes(1));
            assertThat(loop.watches()).extracting(WatchStatus::problem).containsOnlyNulls();
        }

        @Test
        void theGateStaysClosedWhereNoNamespaceMayBeRead() {
            api.forbidden.addAll(Set.of(LEASE.namespace(), "bank"));
            loop.use(api.clientOf(api.forbidden));
            loop.coordinate();
            eventLoop.advance(Duration.ofMinutes(1));

            assertThat(loop.coordinating()).isFalse();
        }

        @Test
        void theGateStaysClosedUntilEachNamespaceIsListed() {
            api.hold(Kind.LEASES);
            loop.use(api.clientOf(Set.of(LEASE.namespace(), "bank")));
            loop.coordinate();
            eventLoop.runReady();
            assertThat(loop.coordinating()).isFalse();

            api.release(Kind.LEASES);
            assertThat(loop.coordinating()).isTrue();
        }

        @Test
        void theGateClosesWhenAnotherApiIsUsedAndForgetsWhatWasKnown() {
            coordinates(loop);
            joins(CANDIDATE, LEASE);
            ApiInMemory other = new ApiInMemory(eventLoop);
            other.hold(Kind.values());

            loop.use(other.client);
            eventLoop.runReady();

            assertThat(loop.coordinating()).isFalse();
            assertThat(loop.watches()).noneMatch(WatchStatus::synced);
            api.put(candidate(new ObjectKey("shop", "bills-a"), BILLS));
            for (Kind kind : Kind.values()) {
                other.release(kind);
            }
            CompletableFuture<List<ElectionView>> read = loop.views().toCompletableFuture();
            eventLoop.runReady();
            assertThat(loop.coordinating()).isTrue();
            assertThat(read).isCompletedWithValue(List.of());
        }
    }

    @Nested
    class AnotherApi {

        @Test
        void anotherApiHasTheWatchesOfTheOneBeforeClosedOnce() {
            coordinates(loop);
            ApiInMemory second = new ApiInMemory(eventLoop);
            ApiInMemory third = new ApiInMemory(eventLoop);

            loop.use(second.client);
            loop.use(third.client);
            eventLoop.runReady();

            assertThat(List.of(api.openWatches(), second.openWatches(), third.openWatches()))
                    .containsExactly(0, 0, 3);
        }

        @Test
        void anotherApiHasTheQueueGivenNoLeaseThatWasOnlyKnownByTheOneBefore() {
            coordinates(queueing(1));
            joins(CANDIDATE, LEASE);
            joins(new ObjectKey("shop", "bills-a"), BILLS);
            assertThat(queued).containsExactly(LEASE);
            queued.clear();
            api = new ApiInMemory(eventLoop);

            loop.use(api.client);
            eventLoop.runReady();
            joins(new ObjectKey("shop", "returns-a"), new ObjectKey("shop", "returns"));

            assertThat(queued).containsExactly(new ObjectKey("shop", "returns"));
        }
    }

    @Nested
    class Close {

        @Test
        void closingEndsCoordinationAndWatches() {
            coordinates(loop);

            loop.close();
            eventLoop.runReady();

            assertThat(loop.coordinating()).isFalse();
            assertThat(api.openWatches()).isZero();
        }

        @Test
        void closingIsForGood() {
            loop.close();
            coordinates(loop);

            assertThat(api.openWatches()).isZero();
            assertThat(loop.coordinating()).isFalse();
        }
    }

    /** protocol.md#requests-and-limits. */
    @Nested
    class Stuck {

        private static final Duration PATIENCE = Duration.ofSeconds(30);

        private Optional<String> stuck() {
            return loop.stuck(PATIENCE);
        }

        @Test
        void aStuckLoopIsALoopWhoseQueueDoesNothing() {
            coordinates(queueing(3));
            joins(CANDIDATE, LEASE);
            eventLoop.advance(PATIENCE.minusMillis(1));
            assertThat(stuck()).isEmpty();

            eventLoop.advance(Duration.ofMillis(1));
            assertThat(stuck()).hasValueSatisfying(why -> assertThat(why).contains("shop/orders"));
        }

        @Test
        void aStuckLoopIsALoopWhoseReconciliationsComeToNoEnd() {
            coordinates(queueing(3));
            api.beforeCreate = new CompletableFuture<>();
            joins(CANDIDATE, LEASE);
            reconcileQueued();

            eventLoop.advance(PATIENCE);

            assertThat(stuck()).isPresent();
        }

        @Test
        void aStuckLoopIsNoLoopThatHasDoneWhatThereWas() {
            coordinates(loop);
            joins(CANDIDATE, LEASE);
            joins(new ObjectKey("office", "bills-a"), new ObjectKey("office", "bills"));

            eventLoop.advance(PATIENCE.multipliedBy(10));

            assertThat(stuck()).isEmpty();
        }

        @Test
        void aStuckLoopIsNoLoopThatThrowsForOneLeaseAndDoesAnother() {
            coordinates(inline(new Strategies(List.of(new Reconciliation.ThrowsAnError(Integer.MAX_VALUE)))));
            api.put(candidate(CANDIDATE, LEASE).toBuilder()
                    .strategy("ThrowsAnError")
                    .build());
            for (int i = 0; i < 10; i++) {
                eventLoop.advance(PATIENCE.dividedBy(2));
                joins(new ObjectKey("office", "bills-" + i), new ObjectKey("office", "bills"));
            }

            assertThat(stuck()).isEmpty();
        }

        @Test
        void aStuckLoopIsALoopThatThrowsForAllLeases() {
            coordinates(inline(new Strategies(List.of(new Reconciliation.ThrowsAnError(Integer.MAX_VALUE)))));
            for (String namespace : List.of("shop", "office")) {
                api.put(candidate(new ObjectKey(namespace, "orders-a"), new ObjectKey(namespace, "orders")).toBuilder()
                        .strategy("ThrowsAnError")
                        .build());
            }

            eventLoop.advance(PATIENCE.multipliedBy(2));

            assertThat(stuck()).isPresent();
        }

        @Test
        void aStuckLoopIsNoLoopThatDoesNotCoordinate() {
            coordinates(queueing(3));
            joins(CANDIDATE, LEASE);
            loop.pause();

            eventLoop.advance(PATIENCE);

            assertThat(stuck()).isEmpty();
        }

        @Test
        void aStuckLoopCountsFromTheMomentWhenTheLoopCoordinates() {
            loop = queueing(3);
            loop.use(api.client);
            eventLoop.runReady();
            joins(CANDIDATE, LEASE);
            eventLoop.advance(Duration.ofHours(1));
            loop.coordinate();

            eventLoop.advance(PATIENCE);

            assertThat(stuck()).hasValueSatisfying(why -> assertThat(why).contains("for 30 s"));
        }
    }

    @Nested
    class View {

        private <T> T now(CompletionStage<T> answer) {
            eventLoop.runReady();
            return answer.toCompletableFuture().join();
        }

        private List<ElectionView> all() {
            return now(loop.views());
        }

        @Test
        void theViewIsEmptyBeforeThereIsAnApi() {
            assertThat(all()).isEmpty();
            assertThat(now(loop.views(List.of(LEASE)))).isEmpty();
        }

        @Test
        void theViewShowsTheLeasesThatAreKnownInTheOrderOfTheirNames() {
            coordinates(loop);
            joins(CANDIDATE, LEASE);
            joins(new ObjectKey("shop", "bills-a"), BILLS);

            assertThat(all()).extracting(ElectionView::key).containsExactly(BILLS, LEASE);
        }

        @Test
        void ofSomeLeavesOutThoseThatAreNotKnown() {
            coordinates(loop);
            joins(CANDIDATE, LEASE);

            assertThat(now(loop.views(List.of(BILLS, LEASE))))
                    .extracting(ElectionView::key)
                    .containsExactly(LEASE);
        }
    }

    @Nested
    class Queue {

        @Test
        void theQueueIsGivenNoMoreThanItHasRoomForAndLosesNothing() {
            Coordinator coordinator = queueing(8);
            coordinates(coordinator);
            List<ObjectKey> leases = IntStream.range(0, 500)
                    .mapToObj(i -> new ObjectKey("shop-" + i % 7, "lease-" + i))
                    .toList();
            leases.forEach(lease -> joins(new ObjectKey(lease.namespace(), lease.name() + "-a"), lease));
            assertThat(queued).hasSize(8);
            assertThat(coordinator.depth()).isEqualTo(492);

            for (int i = 0; i < 1_000 && api.leases().size() < 500; i++) {
                assertThat(queued).hasSizeLessThanOrEqualTo(8);
                reconcileQueued();
            }
            assertThat(api.leases().keySet()).containsExactlyInAnyOrderElementsOf(leases);
        }

        @Test
        void theQueueIsNotGivenALeaseTwiceBeforeItsReconciliationBegins() {
            coordinates(queueing(3));
            joins(CANDIDATE, LEASE);
            joins(new ObjectKey("shop", "orders-b"), LEASE);

            assertThat(queued).containsExactly(LEASE);
        }

        @Test
        void theQueueIsGivenNoMoreWhileAsManyAreUnderWay() {
            coordinates(queueing(1));
            CompletableFuture<Void> answer = new CompletableFuture<>();
            api.beforeCreate = answer;
            joins(CANDIDATE, LEASE);
            reconcileQueued();
            joins(new ObjectKey("shop", "bills-a"), BILLS);
            assertThat(queued).isEmpty();

            answer.complete(null);
            eventLoop.runReady();
            assertThat(queued).containsExactly(BILLS);
        }

        @Test
        void theQueueIsGivenLeasesOfNamespacesInTurn() {
            coordinates(queueing(1));
            joins(CANDIDATE, LEASE);
            for (int i = 0; i < 100; i++) {
                joins(new ObjectKey("shop", "a-" + i), new ObjectKey("shop", "lease-" + i));
            }
            ObjectKey other = new ObjectKey("bank", "bills");
            joins(new ObjectKey("bank", "bills-a"), other);
            assertThat(queued).containsExactly(LEASE);

            List<ObjectKey> order = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                order.addAll(queued);
                reconcileQueued();
            }

            assertThat(order).contains(other);
        }

        /** Requests of one namespace may take arbitrarily long. */
        @Test
        void theQueueIsGivenNoMoreThanThreeQuartersOfItsPlacesForOneNamespace() {
            coordinates(queueing(8));
            api.beforeCreate = new CompletableFuture<>();
            for (int i = 0; i < 100; i++) {
                joins(new ObjectKey("shop", "a-" + i), new ObjectKey("shop", "lease-" + i));
                reconcileQueued();
            }
            ObjectKey other = new ObjectKey("bank", "bills");
            joins(new ObjectKey("bank", "bills-a"), other);

            assertThat(queued).containsExactly(other);
        }

        @Test
        void theQueueIsGivenALeaseWhoseCandidatesHaveAcknowledgedBeforeThoseThatHaveWaitedForLonger() {
            coordinates(queueing(1));
            joins(CANDIDATE, LEASE);
            eventLoop.advance(Duration.ofSeconds(10));
            reconcileQueued();
            assertThat(api.pings).containsExactly(CANDIDATE.name());
            reconcileQueued();
            assertThat(queued).isEmpty();
            joins(new ObjectKey("shop", "bills-a"), BILLS);
            joins(new ObjectKey("shop", "returns-a"), new ObjectKey("shop", "returns"));
            joins(CANDIDATE, LEASE);
            assertThat(queued).containsExactly(BILLS);

            reconcileQueued();

            assertThat(queued).containsExactly(LEASE);
        }

        @Test
        void theQueueIsGivenTheNextOneAlsoWhenTheOneThatIsDoneHasToWait() {
            coordinates(queueing(1));
            joins(CANDIDATE, LEASE);
            reconcileQueued();
            assertThat(queued).as("again, because it was elected for").containsExactly(LEASE);
            joins(new ObjectKey("shop", "bills-a"), BILLS);

            reconcileQueued();

            assertThat(queued).containsExactly(BILLS);
        }

        @Test
        void theQueueIsGivenAgainAfterAPauseWhatItHasDropped() {
            coordinates(queueing(1));
            joins(CANDIDATE, LEASE);
            loop.pause();
            queued.clear();

            loop.coordinate();
            eventLoop.runReady();

            assertThat(queued).containsExactly(LEASE);
        }

        @Test
        void theQueueHasNothingToDoAfterAPauseAndIsGivenEverythingAgainAfterwards() {
            coordinates(queueing(1));
            joins(CANDIDATE, LEASE);
            joins(new ObjectKey("shop", "bills-a"), new ObjectKey("shop", "bills"));
            loop.pause();
            eventLoop.runReady();
            reconcileQueued();
            assertThat(api.leases()).isEmpty();

            loop.coordinate();
            eventLoop.runReady();
            for (int i = 0; i < 20; i++) {
                reconcileQueued();
            }
            assertThat(api.leases()).hasSize(2);
        }
    }

    /** A queue that drops entries beyond a thousand would forget leases. */
    @Nested
    class ThousandsOfLeases {

        private static final int LEASES = 5_000;

        @Test
        void ofLeasesThatWaitForAnInstantNoneIsForgotten() {
            coordinates(inline(Strategies.builtIn()));
            for (int i = 0; i < LEASES; i++) {
                api.put(candidate(new ObjectKey("shop", "part-" + i + "-a"), new ObjectKey("shop", "part-" + i)));
            }
            eventLoop.runReady();
            assertThat(api.leases()).hasSize(LEASES);

            // Nobody renews: when each lease has expired, its only candidate is elected again, or is no candidate any
            // more.
            eventLoop.advance(Duration.ofSeconds(16));
            eventLoop.runReady();

            assertThat(api.pings).hasSizeGreaterThanOrEqualTo(LEASES);
            assertThat(loop.depth()).isZero();
        }
    }

    @Nested
    class Reconciliation {

        @Test
        void nothingIsWrittenAnyMoreOnceAnotherReplicaCoordinates() {
            coordinates(inline(Strategies.builtIn()));
            CompletableFuture<Void> answer = new CompletableFuture<>();
            api.beforeCreate = answer;
            LeaseGroup shards = new LeaseGroup("shop", "orders", 16);
            api.put(Candidate.builder(CANDIDATE, shards)
                    .renewTime(eventLoop.clock().wall())
                    .build());
            eventLoop.runReady();
            int writes = api.leaseWrites;

            loop.pause();
            eventLoop.runReady();
            answer.complete(null);
            eventLoop.runReady();

            assertThat(writes).isPositive();
            assertThat(api.leaseWrites).isEqualTo(writes);
        }

        private static final Duration EVENTS_SENT = Duration.ofSeconds(1);

        /** As an extension may be written. */
        private static final class ThrowsAnError implements ElectionStrategy {
            private final int times;
            private int calls;

            private ThrowsAnError(int times) {
                this.times = times;
            }

            @Override
            public String wireName() {
                return "ThrowsAnError";
            }

            @Override
            public Comparator<Candidate> criteria() {
                calls++;
                if (calls <= times) {
                    throw new ExceptionInInitializerError("no such class");
                }
                return Comparator.comparing(Candidate::key);
            }
        }

        @Test
        void theReconciliationThatThrowsIsTriedAgainWithBackOff() {
            ThrowsAnError strategy = new ThrowsAnError(3);
            coordinates(inline(new Strategies(List.of(strategy))));
            api.put(candidate(CANDIDATE, LEASE).toBuilder()
                    .strategy("ThrowsAnError")
                    .build());
            eventLoop.runReady();
            assertThat(strategy.calls).isEqualTo(1);

            eventLoop.advance(Duration.ofMillis(24));
            assertThat(strategy.calls).isEqualTo(1);
            eventLoop.advance(Duration.ofMillis(26));
            assertThat(strategy.calls).isEqualTo(2);
            eventLoop.advance(Duration.ofSeconds(1));
            assertThat(api.leases()).containsKey(LEASE);
            assertThat(log.failures())
                    .hasSize(3)
                    .extracting(Throwable::getCause)
                    .hasOnlyElementsOfType(ExceptionInInitializerError.class);
        }

        @Test
        void theReconciliationThatThrowsBeginsItsBackOffAnewAfterAPause() {
            ThrowsAnError strategy = new ThrowsAnError(Integer.MAX_VALUE);
            coordinates(inline(new Strategies(List.of(strategy))));
            api.put(candidate(CANDIDATE, LEASE).toBuilder()
                    .strategy("ThrowsAnError")
                    .build());
            eventLoop.advance(Duration.ofSeconds(9));

            loop.pause();
            loop.coordinate();
            eventLoop.runReady();
            int before = strategy.calls;
            eventLoop.advance(Duration.ofMillis(200));

            assertThat(strategy.calls).isBetween(before + 2, before + 4);
        }

        @Test
        void theReconciliationWhoseRequestFailsIsTriedAgainWithBackOff() {
            api.pingRefused = CANDIDATE.name();
            api.pingRefusedBy = 500;
            api.put(candidate(CANDIDATE, LEASE));
            coordinates(loop);
            assertThat(api.pings).hasSize(1);

            eventLoop.advance(Duration.ofMillis(24));
            assertThat(api.pings).hasSize(1);
            eventLoop.advance(Duration.ofMillis(26));
            assertThat(api.pings).hasSize(2);
            eventLoop.advance(Duration.ofSeconds(4));
            assertThat(api.pings).hasSizeBetween(5, 12);
        }

        @Test
        void theReconciliationLeavesNoOtherTimerThanItsOwn() {
            coordinates(loop);
            int watches = eventLoop.pending();
            joins(CANDIDATE, LEASE);
            eventLoop.advance(EVENTS_SENT);
            assertThat(eventLoop.pending() - watches)
                    .as("until the elected candidate has begun")
                    .isEqualTo(1);

            joins(new ObjectKey("shop", "orders-b"), LEASE);
            eventLoop.advance(EVENTS_SENT);
            assertThat(eventLoop.pending() - watches).isEqualTo(1);
        }

        @Test
        void theReconciliationThatIsDueIsNotDueAfterAPause() {
            coordinates(loop);
            int watches = eventLoop.pending();
            joins(CANDIDATE, LEASE);

            loop.pause();
            eventLoop.advance(EVENTS_SENT);

            assertThat(eventLoop.pending() - watches).isZero();
        }

        @Test
        void theReconciliationCompletesWhatTheQueueWaitsForAndIsMadeOnceAtATime() {
            coordinates(queueing(1));
            CompletableFuture<Void> answer = new CompletableFuture<>();
            api.beforeCreate = answer;
            joins(CANDIDATE, LEASE);
            CompletionStage<Boolean> first = loop.reconcile(LEASE);
            CompletionStage<Boolean> second = loop.reconcile(LEASE);
            eventLoop.runReady();
            assertThat(List.of(first, second))
                    .noneMatch(stage -> stage.toCompletableFuture().isDone());

            answer.complete(null);
            eventLoop.runReady();

            assertThat(List.of(first, second))
                    .allMatch(stage -> stage.toCompletableFuture().isDone());
            assertThat(api.creations).isEqualTo(1);
        }

        @Test
        void theReconciliationIsNothingWhileTheLoopDoesNotCoordinate() {
            coordinates(queueing(1));
            joins(CANDIDATE, LEASE);
            loop.pause();

            CompletionStage<Boolean> done = loop.reconcile(LEASE);
            eventLoop.runReady();

            assertThat(done.toCompletableFuture()).isCompleted();
            assertThat(api.creations).isZero();
        }

        @Test
        void theReconciliationThatIsNotUnderWayDelaysNoIdle() {
            coordinates(loop);
            joins(CANDIDATE, LEASE);

            CompletionStage<Void> idle = loop.idle();
            eventLoop.runReady();

            assertThat(idle.toCompletableFuture()).isCompleted();
        }

        @Test
        void theReconciliationThatWasDueToAChangeBeforeAPauseIsMadeOnceAfterIt() {
            coordinates(queueing(1));
            CompletableFuture<Void> answer = new CompletableFuture<>();
            api.beforeCreate = answer;
            joins(CANDIDATE, LEASE);
            reconcileQueued();
            joins(new ObjectKey("shop", "orders-b"), LEASE);
            loop.pause();
            eventLoop.runReady();
            answer.complete(null);
            eventLoop.runReady();

            loop.coordinate();
            eventLoop.runReady();
            reconcileQueued();

            assertThat(queued).isEmpty();
        }

        @Test
        void theReconciliationThatFindsItsLeaseStaleAgainAndAgainIsRepeatedWithAGrowingDelay() {
            coordinates(loop);
            api.namespaceMissing = true;
            joins(CANDIDATE, LEASE);
            assertThat(api.creations).isEqualTo(1);

            eventLoop.advance(Duration.ofSeconds(4));
            assertThat(api.creations).isBetween(5, 12);
            api.namespaceMissing = false;
            eventLoop.advance(Duration.ofSeconds(20));
            assertThat(api.leases()).containsKey(LEASE);
        }

        @Test
        void theReconciliationThatIsUnderWayDelaysIdleAndNothingElseDoes() {
            coordinates(loop);
            CompletableFuture<Void> answer = new CompletableFuture<>();
            api.beforeCreate = answer;
            joins(CANDIDATE, LEASE);
            loop.pause();
            CompletionStage<Void> idle = loop.idle();
            eventLoop.runReady();
            assertThat(idle.toCompletableFuture()).isNotDone();

            answer.complete(null);
            eventLoop.runReady();
            assertThat(idle.toCompletableFuture()).isDone();
        }

        @Test
        void theReconciliationIsRepeatedIfTheLeaseChangesMeanwhile() {
            coordinates(loop);
            CompletableFuture<Void> answer = new CompletableFuture<>();
            api.beforeCreate = answer;
            joins(new ObjectKey("shop", "orders-b"), LEASE);
            api.withdraw(new ObjectKey("shop", "orders-b"));
            joins(CANDIDATE, LEASE);
            answer.complete(null);
            eventLoop.runReady();
            eventLoop.advance(Duration.ofSeconds(6));

            assertThat(api.leases().get(LEASE).holder()).isEqualTo("orders-a");
        }
    }

    @Nested
    class Interruption {

        @Test
        void theInterruptionIsShownUntilTheNextListAndRaisesDoubtsAboutTheFormat() {
            coordinates(loop);

            api.hold(Kind.LEASES);
            api.breakWatches(Kind.LEASES, "connection reset");
            assertThat(loop.watches()).extracting(WatchStatus::problem).containsExactly(null, null, "connection reset");
            assertThat(interruptions).isEqualTo(1);
            assertThat(loop.coordinating()).isTrue();

            eventLoop.advance(Duration.ofSeconds(1));
            api.release(Kind.LEASES);
            assertThat(loop.watches()).extracting(WatchStatus::problem).containsOnlyNulls();
        }
    }
}

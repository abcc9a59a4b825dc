package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

import com.google.gson.JsonObject;
import io.cle.LeadershipListener;
import io.cle.LockSnapshot;
import io.cle.Resignation;
import io.cle.RevokeReason;
import io.cle.Role;
import io.cle.Term;
import io.cle.Timings;
import io.cle.kubernetes.internal.client.CandidateClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.codec.CandidateJson;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.loop.internal.LoggedLines;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;
import io.cle.store.internal.LeaseApi;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.WatchEvent;
import io.cle.store.internal.Watcher;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseLockTest {

    private static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    private static final Candidate CANDIDATE = Candidate.builder(new ObjectKey("shop", "orders-a"), LEASE)
            .strategy("OldestCompatibilityVersion")
            .build();

    @RegisterExtension
    final LoggedLines log = new LoggedLines(LeaseLock.class);

    private final VirtualLoop loop = new VirtualLoop();
    private final Leases leases = new Leases();
    private final Candidates candidates = new Candidates();
    private final LeaseLock lock = new LeaseLock(
            config(),
            new LockStores(leases, candidates.client).always(),
            Entropy.system(),
            LockThreads.of(loop, Runnable::run));

    private static LockConfig config() {
        return withCandidate(CANDIDATE, true);
    }

    private static LockConfig withCandidate(Candidate announced, boolean fallback) {
        return new LockConfig(
                LEASE,
                "orders-a",
                Timings.DEFAULT,
                Duration.ofSeconds(30),
                new LockConfig.Fallback(fallback, Duration.ofSeconds(30)),
                new LockConfig.Candidacy(announced, Duration.ofMinutes(5)),
                null,
                Duration.ofNanos(1000));
    }

    private static LockConfig direct() {
        return new LockConfig(
                LEASE,
                "a",
                Timings.DEFAULT,
                Duration.ofSeconds(30),
                new LockConfig.Fallback(false, Duration.ZERO),
                null,
                null,
                Duration.ofNanos(1000));
    }

    @BeforeEach
    void start() {
        lock.start();
        loop.runReady();
        candidates.listed();
    }

    @Test
    void itAnnouncesItsCandidateOnlyOnceItHasSeenTheLease() {
        loop.advance(Duration.ofSeconds(20));
        assertThat(candidates.created).isEmpty();

        leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        loop.runReady();
        assertThat(candidates.created).hasSize(1);
    }

    @Test
    void aLeaseThatCantBeUnderstoodDoesntKeepItFromAnnouncingItsCandidate() {
        leases.watcher.onEvent(new WatchEvent.Malformed<>(LEASE, "renewTime is 'yesterday'"));
        loop.runReady();

        assertThat(candidates.created).hasSize(1);
    }

    @Test
    void aWatchThatCantBeOpenedDoesntMakeItAnnounceItsCandidate() {
        leases.watcher.onEvent(new WatchEvent.Interrupted<>("connection refused", Duration.ofSeconds(1)));
        loop.runReady();

        assertThat(candidates.created).isEmpty();
    }

    @Test
    void aLockThatIsStoppedBeforeItHasSeenTheLeaseAnnouncesNothing() {
        CompletionStage<Void> stopped = lock.stop();
        loop.runReady();
        leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        loop.advance(Duration.ofMinutes(1));

        assertThat(candidates.created).isEmpty();
        assertThat(stopped.toCompletableFuture()).isCompleted();
    }

    @Test
    void aLockThatNeverStoodIsStoppedAtOnce() {
        LeaseLock idle = new LeaseLock(
                config(),
                new LockStores(leases, candidates.client).always(),
                Entropy.system(),
                LockThreads.of(loop, Runnable::run));
        CompletionStage<Void> stopped = idle.stop();
        loop.runReady();

        assertThat(stopped.toCompletableFuture()).isCompleted();
    }

    @Test
    void aLockThatIsStartedAgainReadsTheLeaseFirst() {
        lock.stop();
        loop.runReady();
        lock.start();
        loop.runReady();
        assertThat(candidates.created).isEmpty();

        leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        candidates.listed();
        loop.runReady();
        assertThat(candidates.created).hasSize(1);
    }

    @Test
    void aCandidateThatCanNotBeAnnouncedIsReportedUntilItCan() {
        leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        candidates.watchBreaks("connection reset");
        assertThat(lock.snapshot().contacts().apiServer().ok()).isTrue();
        assertThat(lock.snapshot().contacts().candidacy().problem()).contains("connection reset");

        candidates.listed();
        assertThat(lock.snapshot().contacts().candidacy().problem()).isEqualTo("not announced yet");

        candidates.creationSucceeds();
        assertThat(lock.snapshot().contacts().candidacy().ok()).isTrue();
    }

    @Test
    void aCandidateThatIsRefusedIsReportedOnceHoweverOftenItIsTriedAgain() {
        candidates.creationIsForbidden("forbidden");
        leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        loop.advance(Duration.ofSeconds(20));

        assertThat(candidates.created).hasSizeGreaterThan(3);
        assertThat(lock.snapshot().history())
                .extracting(LockSnapshot.HistoryEntry::what)
                .filteredOn(what -> what.contains("forbidden"))
                .hasSize(1);
    }

    @Nested
    class WithoutARightOnCandidates {

        private final Leases leases = new Leases();
        private final Candidates candidates = new Candidates();
        private final LeaseLock lock = new LeaseLock(
                config(),
                new LockStores(leases, candidates.client).always(),
                Entropy.system(),
                LockThreads.of(loop, Runnable::run));

        @BeforeEach
        void start() {
            lock.start();
            loop.runReady();
        }

        private void maySeeNoCandidates() {
            candidates.mayNotBeListed("leasecandidates is forbidden: cannot list");
            leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        }

        @Test
        void itRacesAtOnceAndNamesTheRightInOneWarning() {
            maySeeNoCandidates();
            loop.runReady();
            candidates.creationIsForbidden("cannot create");
            loop.advance(Duration.ofMillis(200));
            leases.answer("8");

            assertThat(lock.isLeader()).isTrue();
            assertThat(log.lines())
                    .filteredOn(line -> line.startsWith("WARN"))
                    .singleElement()
                    .asString()
                    .startsWith(
                            "WARN Lease shop/orders: races for the lease at once, without a coordinator, because"
                                    + " this process may not list leasecandidates in namespace shop (GET /apis/coordination.cle.io/v1alpha1/namespaces/shop/leasecandidates:")
                    .endsWith("It joins the coordinated election without a restart once these requests are allowed");
            assertThat(lock.snapshot().uncoordinated()).contains("may not create, list leasecandidates");
        }

        @Test
        void itJoinsWithoutLosingItsTermOnceItHasTheRight() {
            maySeeNoCandidates();
            loop.advance(Duration.ofMillis(200));
            leases.answer("8");

            loop.advance(Duration.ofSeconds(5));
            candidates.listed();
            loop.runReady();

            assertThat(lock.isLeader()).isTrue();
            assertThat(lock.snapshot().uncoordinated()).isNull();
        }

        /** Otherwise the lock would change back and forth with each list. */
        @Test
        void aListThatSucceedsIsNoRightToWatch() {
            candidates.listed();
            candidates.mayNotBeWatched("cannot watch");
            candidates.listed();

            assertThat(lock.snapshot().uncoordinated()).contains("may not watch");
        }

        @Test
        void aBrokenWatchIsNoMissingRight() {
            candidates.listed();
            candidates.watchBreaks("connection reset");
            leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
            loop.runReady();
            candidates.creationIsUnanswered("status 503");
            loop.advance(Duration.ofSeconds(29));

            assertThat(leases.requests).isEmpty();
        }
    }

    @Nested
    class WithoutACoordinator {

        private void announced() {
            leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
            loop.runReady();
            candidates.creationSucceeds();
        }

        @Test
        void itWarnsThatNobodyCoordinatedWhenItHasRacedAfterTheDelay() {
            announced();
            loop.advance(Duration.ofSeconds(31));
            leases.answer("8");

            assertThat(lock.isLeader()).isTrue();
            assertThat(lock.snapshot().observed().electedBy()).isEqualTo("candidate-fallback");
            assertThat(log.lines())
                    .filteredOn(line -> line.startsWith("WARN"))
                    .singleElement()
                    .asString()
                    .startsWith("WARN Lease shop/orders: no coordinator elected a leader within 30 s"
                            + " (cle.fallback.delay); acquired the lease without one")
                    .contains("cle.coordinator.namespaces", "cle.resource-lock=leases");
        }

        @Test
        void itWarnsOfNothingWhenItWasElected() {
            announced();
            Lease granted = Lease.builder(LEASE)
                    .resourceVersion("10")
                    .holder("orders-a")
                    .acquireTime(loop.clock().wall())
                    .renewTime(loop.clock().wall())
                    .leaseDuration(Duration.ofSeconds(15))
                    .term(TermAnnotation.granted("orders-a", loop.clock().wall(), TermAnnotation.Ended.NOTHING))
                    .electedBy("coordinated-election-controller")
                    .build();
            leases.watcher.onEvent(new WatchEvent.Changed<>(granted));
            loop.runReady();
            leases.answer("11");

            assertThat(lock.isLeader()).isTrue();
            assertThat(lock.snapshot().raced()).isFalse();
            assertThat(log.lines()).noneMatch(line -> line.startsWith("WARN"));
        }
    }

    @Test
    void aCandidateThatDoesNotExistYetIsNotSaidToBeAnnounced() {
        assertThat(lock.snapshot().contacts().candidacy().ok()).isFalse();
        assertThat(lock.snapshot().contacts().candidacy().problem()).isEqualTo("not announced yet");
    }

    @Test
    void aLockThatIsStoppedIsNoLongerSaidToBeOutOfContact() {
        leases.watcher.onEvent(new WatchEvent.Interrupted<>("connection refused", Duration.ofSeconds(1)));
        loop.runReady();
        assertThat(lock.snapshot().contacts().apiServer())
                .satisfies(contact -> assertThat(contact.asked()).isTrue())
                .satisfies(contact -> assertThat(contact.problem()).contains("connection refused"));

        lock.stop();
        loop.runReady();
        assertThat(lock.snapshot().contacts().apiServer().asked()).isFalse();
    }

    @Test
    void aMissingRightOnCandidatesDoesNotMeanThatTheApiServerIsUnavailable() {
        leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        loop.runReady();
        candidates.creationIsForbidden("no");

        assertThat(lock.snapshot().contacts().apiServer().ok()).isTrue();
        assertThat(lock.snapshot().contacts().candidacy().problem()).contains("status 403");
    }

    @Nested
    class WithAProblem {

        private final Lease ledByAnother = Lease.builder(LEASE)
                .resourceVersion("10")
                .holder("orders-b")
                .acquireTime(loop.clock().wall())
                .renewTime(loop.clock().wall())
                .leaseDuration(Duration.ofSeconds(15))
                .build();

        private void says(LeaseLock told, @Nullable String problem) {
            told.setProblem(problem);
            loop.runReady();
        }

        @Test
        void itFollowsTheLeaseAndIsNoCandidate() {
            LeaseLock follower = new LeaseLock(
                    config(),
                    new LockStores(leases, candidates.client).always(),
                    Entropy.system(),
                    LockThreads.of(loop, Runnable::run));
            List<@Nullable String> leaders = new ArrayList<>();
            follower.addListener(new LeadershipListener() {
                @Override
                public void onLeaderChanged(@Nullable String holder) {
                    leaders.add(holder);
                }
            });
            says(follower, "it only follows");
            follower.start();
            loop.runReady();
            leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of(ledByAnother)));
            leases.watcher.onEvent(new WatchEvent.Removed<>(LEASE, "11"));
            loop.advance(Duration.ofHours(1));

            assertThat(leaders).containsExactly("orders-b", null);
            assertThat(candidates.created).isEmpty();
            assertThat(leases.requests).isEmpty();
            assertThat(follower.isRunning()).isTrue();
            assertThat(follower.snapshot().role()).isEqualTo(Role.STOPPED);
        }

        @Test
        void aFollowerStops() {
            says(lock, "readiness is REFUSING_TRAFFIC");
            CompletionStage<Void> stopped = lock.stop();
            loop.runReady();

            assertThat(stopped.toCompletableFuture()).isCompleted();
            assertThat(lock.isRunning()).isFalse();
        }

        @Test
        void aStandbyWithdrawsAndJoinsAgainOnceTheProblemIsGone() {
            leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of(ledByAnother)));
            loop.runReady();
            assertThat(candidates.created).hasSize(1);

            says(lock, "readiness is REFUSING_TRAFFIC");
            assertThat(lock.snapshot().role()).isEqualTo(Role.STOPPED);
            assertThat(lock.leader()).hasValue("orders-b");

            says(lock, null);
            loop.advance(Duration.ofSeconds(14));
            assertThat(lock.snapshot().role()).isEqualTo(Role.STOPPED);
            loop.advance(Duration.ofSeconds(1));
            assertThat(lock.snapshot().role()).isEqualTo(Role.CANDIDATE);
            assertThat(lock.snapshot().history())
                    .extracting(LockSnapshot.HistoryEntry::what)
                    .contains("withdraws its candidacy, because readiness is REFUSING_TRAFFIC");
        }
    }

    @Nested
    class ResigningForASuccessor {

        private final Candidate other =
                Candidate.builder(new ObjectKey("shop", "orders-b"), LEASE).build();

        private CompletableFuture<Resignation> resign(String successor) {
            CompletableFuture<Resignation> resignation = lock.resign(successor).toCompletableFuture();
            loop.runReady();
            return resignation;
        }

        private void lead() {
            Lease granted = Lease.builder(LEASE)
                    .resourceVersion("10")
                    .holder("orders-a")
                    .acquireTime(loop.clock().wall())
                    .renewTime(loop.clock().wall())
                    .leaseDuration(Duration.ofSeconds(15))
                    .term(TermAnnotation.granted("orders-a", loop.clock().wall(), TermAnnotation.Ended.NOTHING))
                    .electedBy("coordinated-election-controller")
                    .build();
            leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of(granted)));
            loop.runReady();
            leases.answer("11");
            loop.runReady();
            assertThat(lock.isLeader()).isTrue();
        }

        @Test
        void resigningForASuccessorGivesTheLeaseToACandidate() {
            lead();
            CompletableFuture<Resignation> resignation = resign("orders-b");
            candidates.readFinds(other);
            // Its own candidacy is withdrawn first, which takes a second if the API server doesn't answer.
            loop.advance(Duration.ofSeconds(1));

            assertThat(leases.writing().holder()).isEqualTo("orders-b");
            leases.answer("12");
            loop.runReady();
            assertThat(resignation).isCompletedWithValue(Resignation.RELEASED);
        }

        @Test
        void resigningForASuccessorLeavesTheLeaseAloneIfThereIsNoSuchCandidate() {
            lead();
            CompletableFuture<Resignation> resignation = resign("orders-x");
            candidates.readFindsNothing("orders-x");
            loop.runReady();

            assertThat(resignation).isCompletedWithValue(Resignation.NOT_A_CANDIDATE);
            assertThat(lock.isLeader()).isTrue();
        }

        @Test
        void resigningForASuccessorLeavesTheLeaseAloneIfItIsACandidateForAnotherLease() {
            lead();
            CompletableFuture<Resignation> resignation = resign("reports-b");
            candidates.readFinds(Candidate.builder(new ObjectKey("shop", "reports-b"), new ObjectKey("shop", "reports"))
                    .build());
            loop.runReady();

            assertThat(resignation).isCompletedWithValue(Resignation.NOT_A_CANDIDATE);
            assertThat(lock.isLeader()).isTrue();
        }

        @Test
        void resigningForASuccessorLeavesTheLeaseAloneAndFailsWithTheReasonIfTheApiServerDoesNotSay() {
            lead();
            CompletableFuture<Resignation> resignation = resign("orders-b");
            candidates.readIsForbidden("User \"orders\" cannot get resource \"leasecandidates\"");
            loop.runReady();

            assertThat(resignation)
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withCauseInstanceOf(IllegalStateException.class)
                    .withMessageContaining("lease shop/orders: the candidate 'orders-b' can't be read")
                    .withMessageContaining("cannot get resource \"leasecandidates\"");
            assertThat(lock.isLeader()).isTrue();
        }

        @Test
        void resigningForASuccessorDoesNothingIfThisProcessItselfIsNamed() {
            lead();

            assertThat(resign("orders-a")).isCompletedWithValue(Resignation.NOT_A_CANDIDATE);
            assertThat(lock.isLeader()).isTrue();
        }

        @Test
        void resigningForASuccessorDoesNothingIfThisProcessDoesNotLead() {
            leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));

            assertThat(resign("orders-b")).isCompletedWithValue(Resignation.NOT_LEADING);
        }
    }

    @Nested
    class WithStoresThatAreChosen {

        private final Supply supply = new Supply();
        private final Leases firstLeases = new Leases();
        private final Candidates firstCandidates = new Candidates();
        private final LeaseLock chosen =
                new LeaseLock(config(), supply, Entropy.system(), LockThreads.of(loop, Runnable::run));
        private final List<String> heard = new ArrayList<>();

        /** Supplies the stores that the test chooses. */
        private final class Supply implements LockStores.Source {
            private Consumer<LockStores> chosen = stores -> {};
            private Consumer<String> problem = text -> {};
            private boolean used;
            private int doubts;

            @Override
            public Subscription use(Consumer<LockStores> chosen, Consumer<String> problem) {
                this.chosen = chosen;
                this.problem = problem;
                used = true;
                return () -> used = false;
            }

            @Override
            public void doubt() {
                doubts++;
            }

            void chooses(Leases leases, Candidates candidates) {
                loop.execute(() -> chosen.accept(new LockStores(leases, candidates.client)));
                loop.runReady();
            }

            void choosesNoCandidates(Leases leases) {
                loop.execute(() ->
                        chosen.accept(LockStores.withoutCandidates(leases, "the API server serves no candidates")));
                loop.runReady();
            }
        }

        @BeforeEach
        void start() {
            chosen.addListener(new LeadershipListener() {
                @Override
                public void onGranted(Term term) {
                    heard.add("granted");
                }

                @Override
                public void onRevoked(Term term, RevokeReason reason) {
                    heard.add("revoked " + reason);
                }
            });
            chosen.start();
            loop.runReady();
        }

        private void announced(Leases ofLeases, Candidates ofCandidates) {
            ofLeases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
            ofCandidates.listed();
            loop.runReady();
            assertThat(ofCandidates.created).hasSize(1);
        }

        /** Has the lock elected in the first stores and begin its term. */
        private void leads() {
            supply.chooses(firstLeases, firstCandidates);
            announced(firstLeases, firstCandidates);
            firstCandidates.creationSucceeds();
            for (int second = 0; second < 60 && firstLeases.written == null; second++) {
                loop.advance(Duration.ofSeconds(1));
            }
            firstLeases.answer("8");
            loop.runReady();
            assertThat(chosen.isLeader()).isTrue();
        }

        @Test
        void itIsNoCandidateBeforeThereAreAny() {
            loop.advance(Duration.ofMinutes(1));

            assertThat(chosen.isRunning()).isTrue();
            assertThat(chosen.snapshot().role()).isEqualTo(Role.STOPPED);
            supply.chooses(firstLeases, firstCandidates);
            announced(firstLeases, firstCandidates);
        }

        @Test
        void itShowsWhyThereAreNone() {
            supply.problem.accept("connection refused");

            assertThat(chosen.snapshot().contacts().apiServer().problem()).isEqualTo("connection refused");
        }

        @Test
        void itEndsItsTermAndReleasesTheLeaseBeforeItIsACandidateInTheOthers() {
            Leases otherLeases = new Leases();
            Candidates otherCandidates = new Candidates();
            leads();

            supply.chooses(otherLeases, otherCandidates);
            assertThat(heard).containsExactly("granted", "revoked STOPPED");
            assertThat(chosen.isLeader()).isFalse();
            assertThat(firstCandidates.deleted).isTrue();
            assertThat(firstLeases.writing().holder()).isNull();
            assertThat(otherLeases.watched).isFalse();

            firstLeases.answer("9");
            loop.runReady();
            announced(otherLeases, otherCandidates);
            assertThat(chosen.isRunning()).isTrue();
            assertThat(firstLeases.watched).isFalse();
        }

        @Test
        void itTakesTheOthersAtOnceWhileItDoesNotLead() {
            Leases otherLeases = new Leases();
            Candidates otherCandidates = new Candidates();
            supply.chooses(firstLeases, firstCandidates);
            announced(firstLeases, firstCandidates);
            firstCandidates.creationFindsNoSuchKind();

            supply.chooses(otherLeases, otherCandidates);

            announced(otherLeases, otherCandidates);
            assertThat(heard).isEmpty();
        }

        @Test
        void itCanBeStoppedWhileItStartsOver() {
            Leases otherLeases = new Leases();
            leads();
            supply.chooses(otherLeases, new Candidates());

            CompletionStage<Void> stopped = chosen.stop();
            loop.runReady();
            assertThat(stopped.toCompletableFuture()).isNotDone();
            firstLeases.answer("9");
            loop.runReady();

            assertThat(stopped.toCompletableFuture()).isCompleted();
            assertThat(otherLeases.watched).isFalse();
            assertThat(supply.used).isFalse();
        }

        @Test
        void itCanBeStoppedBeforeThereAreAny() {
            CompletionStage<Void> stopped = chosen.stop();
            loop.runReady();
            supply.chooses(firstLeases, firstCandidates);

            assertThat(stopped.toCompletableFuture()).isCompleted();
            assertThat(supply.used).isFalse();
            assertThat(firstLeases.watched).isFalse();
        }

        @Test
        void itChoosesAnewWhenItIsStartedAgain() {
            leads();
            chosen.stop();
            loop.runReady();
            firstLeases.answer("9");
            loop.runReady();
            Leases otherLeases = new Leases();
            Candidates otherCandidates = new Candidates();

            chosen.start();
            loop.runReady();
            supply.chooses(otherLeases, otherCandidates);

            announced(otherLeases, otherCandidates);
        }

        /** Without candidates, the lock races as soon as it observes that the lease is free. */
        private void racesAndLeads(LeaseLock racing) {
            supply.choosesNoCandidates(firstLeases);
            firstLeases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
            loop.advance(Duration.ofMillis(200));
            firstLeases.answer("8");
            loop.runReady();
            assertThat(racing.isLeader()).isTrue();
        }

        private List<String> history(LeaseLock of) {
            return of.snapshot().history().stream()
                    .map(LockSnapshot.HistoryEntry::what)
                    .toList();
        }

        @Test
        void itRacesAtOnceWhileNoCandidatesAreServed() {
            racesAndLeads(chosen);

            Lease record = Objects.requireNonNull(firstLeases.stored);
            assertThat(record.holder()).isEqualTo("orders-a");
            assertThat(record.electedBy()).isEqualTo("candidate-fallback");
            assertThat(record.managed()).isTrue();
            LockSnapshot snapshot = chosen.snapshot();
            assertThat(snapshot.uncoordinated()).isEqualTo("the API server serves no candidates");
            assertThat(snapshot.raced()).isTrue();
            assertThat(snapshot.contacts().candidacy()).isNull();
            assertThat(history(chosen))
                    .filteredOn(what -> what.startsWith("races for the lease at once"))
                    .singleElement()
                    .asString()
                    .contains(
                            "because the API server serves no candidates",
                            "joins the coordinated election without a restart once candidates are served");
        }

        @Test
        void itKeepsItsTermAndTheWatchOfTheLeaseWhenCandidatesComeToBeServed() {
            racesAndLeads(chosen);
            long token = chosen.fencingToken().orElseThrow();

            supply.chooses(firstLeases, firstCandidates);
            firstCandidates.listed();
            loop.runReady();

            assertThat(firstCandidates.created).hasSize(1);
            assertThat(chosen.fencingToken()).hasValue(token);
            assertThat(firstLeases.watches).isEqualTo(1);
            assertThat(heard).containsExactly("granted");
            assertThat(chosen.snapshot().uncoordinated()).isNull();
            assertThat(history(chosen)).anyMatch(what -> what.startsWith("joins the coordinated election"));
        }

        @Test
        void itYieldsToACoordinatorOnceItHasJoined() {
            racesAndLeads(chosen);
            supply.chooses(firstLeases, firstCandidates);
            firstCandidates.listed();

            Lease record = Objects.requireNonNull(firstLeases.stored);
            firstLeases.watcher.onEvent(new WatchEvent.Changed<>(record.toBuilder()
                    .resourceVersion("9")
                    .endOfTerm("orders-b", null)
                    .build()));
            loop.advance(Duration.ofSeconds(2));

            assertThat(firstLeases.writing().holder()).isEqualTo("orders-b");
        }

        @Test
        void itStartsOverWhenCandidatesCeaseToBeServed() {
            leads();

            supply.choosesNoCandidates(firstLeases);

            assertThat(chosen.isLeader()).isFalse();
            assertThat(heard).containsExactly("granted", "revoked STOPPED");
        }

        @Test
        void itIsNotAnnouncedWhenCandidatesComeToBeServedAfterItHasResigned() {
            racesAndLeads(chosen);
            chosen.resign();
            loop.runReady();
            firstLeases.answer("9");

            supply.chooses(firstLeases, firstCandidates);
            firstCandidates.listed();
            loop.advance(Duration.ofSeconds(1));
            assertThat(firstCandidates.created).isEmpty();

            loop.advance(Duration.ofSeconds(15));
            assertThat(firstCandidates.created).hasSize(1);
        }

        @Test
        void itCanBeStoppedWhileNoCandidatesAreServed() {
            racesAndLeads(chosen);

            CompletionStage<Void> stopped = chosen.stop();
            loop.runReady();
            assertThat(firstLeases.writing().holder()).isNull();
            firstLeases.answer("9");
            loop.runReady();

            assertThat(stopped.toCompletableFuture()).isCompleted();
            assertThat(supply.used).isFalse();
        }

        @Test
        void itWaitsForADeadHoldersLeaseLikeAnyOtherRacer() {
            Lease ofAnother = Lease.builder(LEASE)
                    .resourceVersion("7")
                    .holder("orders-b")
                    .acquireTime(loop.clock().wall())
                    .renewTime(loop.clock().wall())
                    .leaseDuration(Duration.ofSeconds(15))
                    .build();
            supply.choosesNoCandidates(firstLeases);
            firstLeases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of(ofAnother)));
            loop.advance(Duration.ofMillis(14_900));
            assertThat(firstLeases.written).isNull();

            loop.advance(Duration.ofMillis(300));
            assertThat(firstLeases.writing().holder()).isEqualTo("orders-a");
        }

        @Test
        void itWarnsOfWishesThatHaveNoEffectWithoutACoordinator() {
            Candidate wishes = CANDIDATE.toBuilder()
                    .strategy("HighestPriority")
                    .priority(7)
                    .build();
            LeaseLock wishing = new LeaseLock(
                    withCandidate(wishes, true), supply, Entropy.system(), LockThreads.of(loop, Runnable::run));
            wishing.start();
            loop.runReady();

            supply.choosesNoCandidates(firstLeases);

            assertThat(log.lines())
                    .filteredOn(line -> line.contains("races for the lease at once"))
                    .singleElement()
                    .asString()
                    .startsWith("WARN ")
                    .contains("Without effect meanwhile: the strategy HighestPriority, the priority 7");
        }

        @Test
        void itOnlyInformsIfItAskedForNothingThatHasNoEffect() {
            supply.choosesNoCandidates(firstLeases);

            assertThat(log.lines())
                    .filteredOn(line -> line.contains("races for the lease at once"))
                    .singleElement()
                    .asString()
                    .startsWith("INFO ");
        }

        @Test
        void itDoesNotRaceWhileNoCandidatesAreServedIfTheFallbackIsSwitchedOffAndWarns() {
            LeaseLock patient = new LeaseLock(
                    withCandidate(CANDIDATE, false), supply, Entropy.system(), LockThreads.of(loop, Runnable::run));
            patient.start();
            loop.runReady();
            supply.choosesNoCandidates(firstLeases);
            firstLeases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
            loop.advance(Duration.ofMinutes(5));

            assertThat(firstLeases.written).isNull();
            assertThat(log.lines())
                    .anyMatch(line -> line.startsWith("WARN ") && line.contains("the fallback is switched off"));
        }

        @Test
        void itDoubtsThemWhenAWatchBreaks() {
            supply.chooses(firstLeases, firstCandidates);
            announced(firstLeases, firstCandidates);
            firstCandidates.watchBreaks("connection reset");
            firstLeases.watcher.onEvent(new WatchEvent.Interrupted<>("connection reset", Duration.ofSeconds(1)));

            assertThat(supply.doubts).isEqualTo(2);
        }
    }

    // ---- exceptions ({@code safety.md#callbacks-off-the-renewal-path}) ----------------------------------------

    @Test
    void aLeaseThatTakesNoWritesIsAProblemUntilAnotherHolderHasWrittenIt() {
        LeaseLock direct = new LeaseLock(
                direct(), new LockStores(leases, null).always(), Entropy.system(), LockThreads.of(loop, Runnable::run));
        direct.start();
        loop.runReady();
        leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        loop.advance(Duration.ofSeconds(1));
        leases.refuse("namespace shop is being terminated");
        assertThat(direct.snapshot().contacts().apiServer().ok()).isTrue();
        assertThat(direct.snapshot().contacts().writes())
                .extracting(LockSnapshot.Contact::problem)
                .isEqualTo("refused with status 403: namespace shop is being terminated");

        Lease ofAnother = Lease.builder(LEASE)
                .resourceVersion("8")
                .holder("b")
                .acquireTime(loop.clock().wall())
                .renewTime(loop.clock().wall())
                .leaseDuration(Duration.ofSeconds(15))
                .build();
        leases.watcher.onEvent(new WatchEvent.Changed<>(ofAnother));
        assertThat(direct.snapshot().contacts().writes()).isNull();
    }

    /** Otherwise the answer would come only when the next term ends, perhaps after months. */
    @Test
    void aResignationWhileTheLeaseIsBeingAcquiredIsAnsweredAtOnce() {
        LeaseLock direct = new LeaseLock(
                direct(), new LockStores(leases, null).always(), Entropy.system(), LockThreads.of(loop, Runnable::run));
        direct.start();
        loop.runReady();
        leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        loop.advance(Duration.ofSeconds(1));
        assertThat(leases.requests).containsExactly("create");

        CompletionStage<Resignation> resigned = direct.resign();
        loop.runReady();
        assertThat(resigned.toCompletableFuture()).isCompletedWithValue(Resignation.NOT_LEADING);
    }

    @Test
    void anActionThatThrowsKeepsNoLaterOneFromBeingCarriedOut() {
        boolean[] none = {false};
        Executor threads = task -> {
            if (none[0]) {
                throw new RejectedExecutionException("no thread");
            }
        };
        LeaseLock direct = new LeaseLock(
                direct(), new LockStores(leases, null).always(), Entropy.system(), LockThreads.of(loop, threads));
        direct.start();
        loop.runReady();
        leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        loop.advance(Duration.ofSeconds(1));
        none[0] = true;
        leases.answer("7");
        assertThat(direct.isLeader()).isTrue();

        loop.advance(Duration.ofSeconds(3));
        assertThat(leases.requests).containsExactly("create", "write");
    }

    @Test
    void anErrorOfACandidatesRequestIsAnUnknownOutcome() {
        candidates.failing = true;
        leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        loop.advance(Duration.ofSeconds(1));
        assertThat(candidates.created).isEmpty();

        candidates.failing = false;
        loop.advance(Duration.ofMinutes(1));
        assertThat(candidates.created).hasSize(1);
    }

    @Test
    void anActionOfTheCandidacyThatThrowsKeepsTheCandidateFromNoRenewal() {
        boolean[] none = {false};
        Executor threads = task -> {
            if (none[0]) {
                throw new RejectedExecutionException("no thread");
            }
        };
        Candidates candidates = new Candidates();
        LeaseLock another = new LeaseLock(
                config(),
                new LockStores(leases, candidates.client).always(),
                Entropy.system(),
                LockThreads.of(loop, threads));
        another.start();
        loop.runReady();
        candidates.listed();
        leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        loop.runReady();
        none[0] = true;
        candidates.creationSucceeds();
        none[0] = false;

        loop.advance(Duration.ofMinutes(6));
        assertThat(candidates.renewed).hasSize(1);
    }

    /** Records the watcher and the writes, and leaves every request open until the test answers it. */
    private static final class Leases implements LeaseApi {

        private Watcher<Lease> watcher = event -> {};
        private boolean watched;
        private int watches;
        private @Nullable Lease stored;
        private final List<String> requests = new ArrayList<>();
        private CompletableFuture<ApiResult<Lease>> open = new CompletableFuture<>();
        private @Nullable Lease written;

        Lease writing() {
            return Objects.requireNonNull(written, "nothing is being written");
        }

        /** Lets the write succeed. */
        void answer(String version) {
            stored = writing().toBuilder().resourceVersion(version).build();
            written = null;
            open.complete(new ApiResult.Ok<>(stored));
        }

        /** Refuses the write. */
        void refuse(String message) {
            open.complete(new ApiResult.Refused<>(403, message, null));
        }

        @Override
        public CompletionStage<ApiResult<Optional<Lease>>> read(ObjectKey key) {
            requests.add("read");
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<ApiResult<Lease>> create(Lease lease) {
            return sent("create", lease);
        }

        @Override
        public CompletionStage<ApiResult<Lease>> write(Lease lease) {
            return sent("write", lease);
        }

        private CompletionStage<ApiResult<Lease>> sent(String request, Lease lease) {
            requests.add(request);
            written = lease;
            open = new CompletableFuture<>();
            return open;
        }

        @Override
        public Subscription watch(ObjectKey key, Watcher<Lease> watcher) {
            this.watcher = watcher;
            watched = true;
            watches++;
            return () -> watched = false;
        }
    }

    /** The candidates of an API server that answers a deletion at once, and leaves every other request open until the test answers it. */
    private final class Candidates implements KubernetesTransport {

        private final CandidateJson codec = CandidateJson.of(ResourceType.CRD_CANDIDATES);
        private final CandidateClient client = new CandidateClient(
                new ObjectClient(this, loop, new Random(1), Duration.ofSeconds(5)), ResourceType.CRD_CANDIDATES);
        private final List<JsonObject> created = new ArrayList<>();
        private final List<JsonObject> renewed = new ArrayList<>();
        private final CompletableFuture<ApiResponse> creation = new CompletableFuture<>();
        private final CompletableFuture<ApiResponse> reading = new CompletableFuture<>();
        private CompletableFuture<ApiResponse> listing = new CompletableFuture<>();
        private @Nullable WatchStream watch;
        private @Nullable JsonObject stored;
        private boolean deleted;
        private boolean lists;

        /** Whether requests throw. */
        private boolean failing;

        /** Lists succeed from now on, and the candidate is watched. */
        void listed() {
            lists = true;
            listing.complete(list());
            loop.runReady();
        }

        private ApiResponse list() {
            String content = stored == null
                    ? "{'metadata': {'resourceVersion': '5'}, 'items': []}"
                    : "{'metadata': {'resourceVersion': '7'}, 'items': [" + stored + "]}";
            return new ApiResponse.Answered(200, FakeTransport.json(content), null);
        }

        /** Refuses the list; the next one is open after a while. */
        void mayNotBeListed(String message) {
            CompletableFuture<ApiResponse> refused = listing;
            listing = new CompletableFuture<>();
            forbid(refused, message);
        }

        /** Breaks the open watch; the list that follows is still open. */
        void watchBreaks(String message) {
            end(new WatchEnd.Broken(message));
            loop.advance(Duration.ofSeconds(1));
        }

        void mayNotBeWatched(String message) {
            end(new WatchEnd.Refused(new ApiResponse.Answered(403, forbidden(message), null)));
            loop.advance(Duration.ofSeconds(10));
        }

        private void end(WatchEnd end) {
            lists = false;
            listing = new CompletableFuture<>();
            Objects.requireNonNull(watch, "nothing is watched").onEnd(end);
            loop.runReady();
        }

        void creationSucceeds() {
            creationSucceeds(loop.clock().wall());
        }

        void creationSucceeds(Instant creationTime) {
            JsonObject candidate = created.get(0).deepCopy();
            candidate.getAsJsonObject("metadata").addProperty("resourceVersion", "7");
            candidate.getAsJsonObject("metadata").addProperty("creationTimestamp", creationTime.toString());
            stored = candidate;
            answer(creation, 201, candidate.toString());
            if (watch != null) {
                watch.onEvent(FakeTransport.json("{'type': 'ADDED', 'object': " + candidate + "}"));
                loop.runReady();
            }
        }

        void creationIsForbidden(String message) {
            forbid(creation, message);
        }

        void creationIsUnanswered(String message) {
            creation.complete(new ApiResponse.Unanswered(message));
            loop.runReady();
        }

        void creationFindsNoSuchKind() {
            answer(
                    creation,
                    404,
                    "{'kind': 'Status', 'code': 404, 'reason': 'NotFound', 'message': 'it isn\u2019t served'}");
        }

        void readFinds(Candidate candidate) {
            JsonObject stored = codec.created(candidate.key(), codec.renewal(candidate));
            stored.getAsJsonObject("metadata").addProperty("resourceVersion", "6");
            answer(reading, 200, stored.toString());
        }

        void readFindsNothing(String name) {
            answer(
                    reading,
                    404,
                    "{'kind': 'Status', 'code': 404, 'reason': 'NotFound', 'details': {'name': '" + name + "'}}");
        }

        void readIsForbidden(String message) {
            forbid(reading, message);
        }

        private void forbid(CompletableFuture<ApiResponse> request, String message) {
            answer(request, 403, forbidden(message).toString());
        }

        private static JsonObject forbidden(String message) {
            JsonObject status = FakeTransport.json("{'kind': 'Status', 'code': 403, 'reason': 'Forbidden'}");
            status.addProperty("message", message);
            return status;
        }

        private void answer(CompletableFuture<ApiResponse> request, int status, String body) {
            request.complete(new ApiResponse.Answered(status, FakeTransport.json(body), null));
            loop.runReady();
        }

        @Override
        public CompletionStage<ApiResponse> send(ApiRequest request) {
            if (failing) {
                throw new NoClassDefFoundError("Missing");
            }
            return switch (request.verb()) {
                case GET -> reading;
                case LIST -> lists ? CompletableFuture.completedFuture(list()) : listing;
                case CREATE -> {
                    created.add(request.body());
                    yield creation;
                }
                case PATCH -> {
                    renewed.add(request.body());
                    yield new CompletableFuture<>();
                }
                case DELETE -> {
                    deleted = true;
                    stored = null;
                    yield CompletableFuture.completedFuture(
                            new ApiResponse.Answered(200, FakeTransport.json("{'kind': 'Status'}"), null));
                }
                default -> throw new AssertionError(request);
            };
        }

        @Override
        public Subscription watch(ApiRequest request, WatchStream stream) {
            watch = stream;
            return () -> watch = null;
        }

        @Override
        public void close() {}
    }
}

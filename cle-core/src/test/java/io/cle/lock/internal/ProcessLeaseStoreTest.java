package io.cle.lock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Role;
import io.cle.Term;
import io.cle.Timings;
import io.cle.loop.internal.EventLoop;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A lock on an in-process lease behaves like one in a cluster, and leads at once. */
class ProcessLeaseStoreTest {

    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration LEASE_DURATION = Timings.DEFAULT.leaseDuration();

    private final VirtualLoop loop = new VirtualLoop();
    private final LeaseLock lock = lock(loop);
    private final List<String> events = new ArrayList<>();
    private CompletableFuture<Void> work = CompletableFuture.completedFuture(null);

    ProcessLeaseStoreTest() {
        lock.addListener(new Recorder());
    }

    private static LeaseLock lock(EventLoop loop) {
        return ProcessLocks.lock("orders", DRAIN_TIMEOUT, loop, Runnable::run);
    }

    private void settle() {
        loop.advance(ProcessLocks.ATTEMPT);
    }

    @Test
    void reportsTheEventsOfATermInTheOrderOfALockInACluster() {
        lock.start();
        settle();
        lock.stop();
        settle();
        assertThat(events).containsExactly("announced", "granted", "holder me", "revoked STOPPED", "holder null");
    }

    @Nested
    class Resignation {

        @Test
        void theResignationKeepsItFromLeadingForOneLeaseDuration() {
            lock.start();
            settle();
            CompletionStage<?> resigned = lock.resign();
            settle();

            assertThat(resigned.toCompletableFuture()).isDone();
            assertThat(lock.isLeader()).isFalse();
            assertThat(lock.leader()).isEmpty();
            assertThat(lock.snapshot().role()).isEqualTo(Role.CANDIDATE);
            loop.advance(LEASE_DURATION.minusSeconds(1));
            assertThat(lock.isLeader()).isFalse();

            loop.advance(Duration.ofSeconds(2));
            assertThat(lock.isLeader()).isTrue();
            assertThat(events)
                    .containsExactly(
                            "announced",
                            "granted",
                            "holder me",
                            "revoked RESIGNED",
                            "holder null",
                            "granted",
                            "holder me");
        }

        @Test
        void theResignationDoesNothingIfItDoesNotLead() {
            lock.start();
            settle();
            lock.resign();
            settle();
            CompletionStage<?> again = lock.resign();
            settle();
            assertThat(again.toCompletableFuture()).isDone();
            assertThat(events.stream().filter(event -> event.startsWith("revoked")))
                    .hasSize(1);
        }

        @Test
        void theResignationIsNotFollowedByATermIfItIsStoppedMeanwhile() {
            lock.start();
            settle();
            lock.resign();
            settle();
            CompletionStage<?> stopped = lock.stop();
            settle();
            assertThat(stopped.toCompletableFuture()).isDone();
            loop.advance(LEASE_DURATION.multipliedBy(2));
            assertThat(lock.isLeader()).isFalse();
            assertThat(lock.snapshot().role()).isEqualTo(Role.STOPPED);
        }
    }

    @Nested
    class Drain {

        @Test
        void theDrainHoldsTheLeaseUntilTheWorkHasEnded() {
            work = new CompletableFuture<>();
            lock.start();
            settle();
            CompletableFuture<Void> stopped = lock.stop().toCompletableFuture();
            settle();

            assertThat(lock.isLeader()).isFalse();
            assertThat(lock.snapshot().role()).isEqualTo(Role.DRAINING);
            assertThat(lock.leader()).contains("me");
            assertThat(stopped).isNotDone();

            work.complete(null);

            settle();
            assertThat(stopped).isDone();
            assertThat(lock.leader()).isEmpty();
        }

        @Test
        void theDrainIsWaitedForByASecondResignation() {
            work = new CompletableFuture<>();
            lock.start();
            settle();
            lock.resign();
            settle();
            CompletableFuture<io.cle.Resignation> second = lock.resign().toCompletableFuture();
            settle();
            assertThat(second).isNotDone();
            assertThat(lock.snapshot().role()).isEqualTo(Role.DRAINING);

            work.complete(null);

            settle();
            assertThat(second).isCompletedWithValue(io.cle.Resignation.NOT_LEADING);
            assertThat(lock.isLeader()).isFalse();
        }

        @Test
        void theDrainGivesUpAfterTheDrainTimeout() {
            work = new CompletableFuture<>();
            lock.start();
            settle();
            CompletableFuture<Void> stopped = lock.stop().toCompletableFuture();
            settle();
            loop.advance(DRAIN_TIMEOUT.minusSeconds(1));
            assertThat(stopped).isNotDone();
            loop.advance(Duration.ofSeconds(2));
            assertThat(stopped).isDone();
        }

        @Test
        void ofAnEarlierTermDoesNotEndALaterOne() {
            work = new CompletableFuture<>();
            lock.start();
            settle();
            lock.stop();
            settle();
            loop.advance(DRAIN_TIMEOUT);
            lock.start();
            settle();
            work.complete(null);
            settle();
            assertThat(lock.isLeader()).isTrue();
        }

        @Test
        void theDrainIsFollowedByATermIfItIsStartedMeanwhile() {
            work = new CompletableFuture<>();
            lock.start();
            settle();
            lock.stop();
            settle();
            lock.start();
            settle();
            assertThat(lock.isLeader()).isFalse();
            work.complete(null);
            settle();
            assertThat(lock.isLeader()).isTrue();
        }
    }

    @Nested
    class FencingToken {

        @Test
        void fencingTokenGrowsFromTermToTerm() {
            lock.start();
            settle();
            long first = lock.fencingToken().orElseThrow();
            lock.stop();
            settle();
            lock.start();
            settle();
            assertThat(lock.fencingToken().orElseThrow()).isGreaterThan(first);
        }

        @Test
        void fencingTokenGrowsAcrossRestarts() {
            lock.start();
            settle();
            lock.stop();
            settle();
            lock.start();
            settle();
            loop.advance(Duration.ofMillis(1));
            LeaseLock restarted = lock(loop);
            restarted.start();
            settle();
            assertThat(restarted.fencingToken().orElseThrow())
                    .isGreaterThan(lock.fencingToken().orElseThrow());
        }
    }

    private final class Recorder implements LeadershipListener {

        @Override
        public void onAnnounced() {
            events.add("announced");
        }

        @Override
        public void onGranted(Term term) {
            events.add("granted");
        }

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            events.add("revoked " + reason);
        }

        @Override
        public CompletionStage<Void> drained(Term term) {
            return work;
        }

        @Override
        public void onLeaderChanged(@Nullable String holder) {
            events.add("holder " + holder);
        }
    }
}

package io.cle.runtime.internal.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Role;
import io.cle.Term;
import io.cle.Timings;
import io.cle.model.ObjectKey;
import io.cle.runtime.internal.loop.Clock;
import io.cle.runtime.internal.loop.EventLoop;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StandaloneLockTest {

    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration LEASE_DURATION = Timings.DEFAULT.leaseDuration();

    private final VirtualLoop loop = new VirtualLoop(Instant.parse("2026-01-01T00:00:00Z"));
    private final StandaloneLock lock = lock(loop);
    private final List<String> events = new ArrayList<>();
    private CompletableFuture<Void> work = CompletableFuture.completedFuture(null);

    StandaloneLockTest() {
        lock.addListener(new Recorder());
    }

    private static StandaloneLock lock(EventLoop loop) {
        return new StandaloneLock(
                new ObjectKey("shop", "orders"), "me", Timings.DEFAULT, DRAIN_TIMEOUT, loop, Runnable::run);
    }

    @Test
    void reportsTheEventsOfATermInTheOrderOfALockInACluster() {
        lock.start();
        lock.stop();
        assertThat(events).containsExactly("announced", "granted", "holder me", "revoked STOPPED", "holder null");
    }

    @Nested
    class Resignation {

        @Test
        void keepsItFromLeadingForOneLeaseDuration() {
            lock.start();
            CompletionStage<?> resigned = lock.resign();

            assertThat(resigned.toCompletableFuture()).isDone();
            assertThat(lock.isLeader()).isFalse();
            assertThat(lock.leader()).isEmpty();
            assertThat(lock.snapshot().role()).isEqualTo(Role.CANDIDATE);
            loop.pass(LEASE_DURATION.minusMillis(1));
            assertThat(lock.isLeader()).isFalse();

            loop.pass(Duration.ofMillis(1));
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
        void doesNothingIfItDoesNotLead() {
            lock.start();
            lock.resign();
            assertThat(lock.resign().toCompletableFuture()).isDone();
            assertThat(events.stream().filter(event -> event.startsWith("revoked")))
                    .hasSize(1);
        }

        @Test
        void isNotFollowedByATermIfItIsStoppedMeanwhile() {
            lock.start();
            lock.resign();
            assertThat(lock.stop().toCompletableFuture()).isDone();
            loop.pass(LEASE_DURATION.multipliedBy(2));
            assertThat(lock.isLeader()).isFalse();
            assertThat(lock.snapshot().role()).isEqualTo(Role.STOPPED);
        }
    }

    @Nested
    class Drain {

        @Test
        void holdsTheLeaseUntilTheWorkHasEnded() {
            work = new CompletableFuture<>();
            lock.start();
            CompletableFuture<Void> stopped = lock.stop().toCompletableFuture();

            assertThat(lock.isLeader()).isFalse();
            assertThat(lock.snapshot().role()).isEqualTo(Role.DRAINING);
            assertThat(lock.leader()).contains("me");
            assertThat(stopped).isNotDone();

            work.complete(null);
            assertThat(stopped).isDone();
            assertThat(lock.leader()).isEmpty();
        }

        @Test
        void isWaitedForByASecondResignation() {
            work = new CompletableFuture<>();
            lock.start();
            lock.resign();
            CompletableFuture<io.cle.Resignation> second = lock.resign().toCompletableFuture();
            assertThat(second).isNotDone();
            assertThat(lock.snapshot().role()).isEqualTo(Role.DRAINING);

            work.complete(null);
            assertThat(second).isCompletedWithValue(io.cle.Resignation.NOT_LEADING);
            assertThat(lock.isLeader()).isFalse();
        }

        @Test
        void givesUpAfterTheDrainTimeout() {
            work = new CompletableFuture<>();
            lock.start();
            CompletableFuture<Void> stopped = lock.stop().toCompletableFuture();
            loop.pass(DRAIN_TIMEOUT.minusMillis(1));
            assertThat(stopped).isNotDone();
            loop.pass(Duration.ofMillis(1));
            assertThat(stopped).isDone();
        }

        @Test
        void ofAnEarlierTermDoesNotEndALaterOne() {
            work = new CompletableFuture<>();
            lock.start();
            lock.stop();
            loop.pass(DRAIN_TIMEOUT);
            lock.start();
            work.complete(null);
            assertThat(lock.isLeader()).isTrue();
        }

        @Test
        void isFollowedByATermIfItIsStartedMeanwhile() {
            work = new CompletableFuture<>();
            lock.start();
            lock.stop();
            lock.start();
            assertThat(lock.isLeader()).isFalse();
            work.complete(null);
            assertThat(lock.isLeader()).isTrue();
        }
    }

    @Nested
    class FencingToken {

        @Test
        void growsFromTermToTerm() {
            lock.start();
            long first = lock.fencingToken().orElseThrow();
            lock.stop();
            lock.start();
            assertThat(lock.fencingToken().orElseThrow()).isGreaterThan(first);
        }

        @Test
        void growsAcrossRestarts() {
            lock.start();
            lock.stop();
            lock.start();
            loop.pass(Duration.ofMillis(1));
            StandaloneLock restarted = lock(loop);
            restarted.start();
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

    /** Runs tasks at once, and timers when a test lets their time pass. */
    private static final class VirtualLoop implements EventLoop {
        private final List<Pending> timers = new ArrayList<>();
        private Instant now;

        private record Pending(Instant due, Runnable task) {}

        VirtualLoop(Instant now) {
            this.now = now;
        }

        void pass(Duration time) {
            now = now.plus(time);
            List<Pending> due =
                    timers.stream().filter(timer -> !timer.due().isAfter(now)).toList();
            timers.removeAll(due);
            due.forEach(timer -> timer.task().run());
        }

        @Override
        public Clock clock() {
            return new Clock() {
                @Override
                public long nanos() {
                    return Duration.between(Instant.EPOCH, now).toNanos();
                }

                @Override
                public Instant wall() {
                    return now;
                }
            };
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            Pending timer = new Pending(now.plus(delay), task);
            timers.add(timer);
            return () -> timers.remove(timer);
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }
    }
}

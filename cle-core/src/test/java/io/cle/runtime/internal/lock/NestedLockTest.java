package io.cle.runtime.internal.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.Timings;
import io.cle.model.ObjectKey;
import io.cle.runtime.internal.loop.Clock;
import io.cle.runtime.internal.loop.EventLoop;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NestedLockTest {

    private static final Duration DRAIN = Duration.ofSeconds(1);

    private final CoordinatedLeaseLock outer = standalone("orders");
    private final CoordinatedLeaseLock inner = standalone("orders-to-billing");
    private final NestedLock nested = new NestedLock(outer, inner);

    /** Does everything in the calling thread. */
    private static final class DirectLoop implements EventLoop {

        @Override
        public Clock clock() {
            return new Clock() {
                @Override
                public long nanos() {
                    return 0;
                }

                @Override
                public Instant wall() {
                    return Instant.EPOCH;
                }
            };
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return () -> {};
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }
    }

    private static CoordinatedLeaseLock standalone(String name) {
        return standalone(name, Runnable::run);
    }

    private static CoordinatedLeaseLock standalone(String name, Executor callbacks) {
        return new StandaloneLock(
                new ObjectKey("shop", name), "me", Timings.DEFAULT, DRAIN, new DirectLoop(), callbacks);
    }

    @Test
    void itWaitsForTheOuterLock() {
        nested.start();
        assertThat(nested.isRunning()).isTrue();
        assertThat(inner.isRunning()).isFalse();

        outer.start();
        assertThat(nested.isLeader()).isTrue();
        assertThat(nested.fencingToken()).isEqualTo(inner.fencingToken());
    }

    @Test
    void itIsACandidateAtOnceIfTheOuterLockLeadsAlready() {
        outer.start();
        assertThat(inner.isRunning()).isFalse();
        nested.start();
        assertThat(nested.isLeader()).isTrue();
    }

    @Test
    void itIsNoCandidateUnlessItIsStarted() {
        outer.start();
        nested.start();
        nested.stop();
        outer.stop();
        outer.start();
        assertThat(outer.isLeader()).isTrue();
        assertThat(inner.isRunning()).isFalse();
    }

    @Test
    void losingItLeavesTheOuterLockAlone() {
        outer.start();
        nested.start();
        nested.stop();
        assertThat(outer.isLeader()).isTrue();
    }

    @Test
    void theOuterLockIsHandedOverOnlyAfterTheWorkUnderTheInnerOneHasEnded() {
        CompletableFuture<Void> work = new CompletableFuture<>();
        List<String> told = new ArrayList<>();
        nested.addListener(new LeadershipListener() {
            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                told.add("inner revoked, leads: " + nested.isLeader());
            }

            @Override
            public CompletionStage<Void> drained(Term term) {
                return work;
            }
        });
        nested.start();
        outer.start();

        CompletableFuture<Void> handedOver = outer.stop().toCompletableFuture();
        assertThat(told).containsExactly("inner revoked, leads: false");
        assertThat(inner.isRunning()).isFalse();
        assertThat(handedOver).isNotDone();

        work.complete(null);
        assertThat(handedOver).isDone();
    }

    @Test
    void itHasStoppedLeadingBeforeItIsAskedToStop() {
        List<Runnable> callbacks = new ArrayList<>();
        CoordinatedLeaseLock main = standalone("orders", callbacks::add);
        NestedLock within = new NestedLock(main, inner);
        within.start();
        main.start();
        callbacks.remove(0).run();
        assertThat(within.isLeader()).isTrue();

        main.stop();
        assertThat(inner.isLeader()).isTrue();
        assertThat(within.isLeader()).isFalse();
        assertThat(within.fencingToken()).isEmpty();
    }

    @Test
    void itEndsBeforeTheListenersOfTheOuterLockAreCalled() {
        CoordinatedLeaseLock main = standalone("orders");
        List<Boolean> leads = new ArrayList<>();
        main.addListener(new LeadershipListener() {
            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                leads.add(inner.isLeader());
            }
        });
        new NestedLock(main, inner).start();
        main.start();

        main.stop();
        assertThat(leads).containsExactly(false);
    }

    @Test
    void itComesBackWithTheOuterLock() {
        nested.start();
        outer.start();
        outer.stop();
        assertThat(nested.isRunning()).isTrue();
        assertThat(nested.isLeader()).isFalse();
        outer.start();
        assertThat(nested.isLeader()).isTrue();
    }
}

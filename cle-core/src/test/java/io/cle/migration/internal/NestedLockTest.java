package io.cle.migration.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import io.cle.LeadershipListener;
import io.cle.OwnedLock;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.ProcessLocks;
import io.cle.lock.internal.VirtualLoop;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NestedLockTest {

    private static final Duration DRAIN = Duration.ofSeconds(1);

    private final VirtualLoop loop = new VirtualLoop();
    private final OwnedLock outer = standalone("orders");
    private final OwnedLock inner = standalone("orders-to-billing");
    private final NestedLock nested = new NestedLock(outer, inner);

    private LeaseLock standalone(String name) {
        return standalone(name, Runnable::run);
    }

    private LeaseLock standalone(String name, Executor callbacks) {
        return ProcessLocks.lock(name, DRAIN, loop, callbacks);
    }

    private void settle() {
        loop.advance(ProcessLocks.ATTEMPT);
    }

    @Test
    void itWaitsForTheOuterLock() {
        nested.start();
        settle();
        assertThat(nested.isRunning()).isTrue();
        assertThat(inner.isRunning()).isFalse();

        outer.start();

        settle();
        assertThat(nested.isLeader()).isTrue();
        assertThat(nested.fencingToken()).isEqualTo(inner.fencingToken());
    }

    @Test
    void itIsACandidateAtOnceIfTheOuterLockLeadsAlready() {
        outer.start();
        settle();
        assertThat(inner.isRunning()).isFalse();
        nested.start();
        settle();
        assertThat(nested.isLeader()).isTrue();
    }

    @Test
    void itIsNoCandidateUnlessItIsStarted() {
        outer.start();
        settle();
        nested.start();
        settle();
        nested.stop();
        settle();
        outer.stop();
        settle();
        outer.start();
        settle();
        assertThat(outer.isLeader()).isTrue();
        assertThat(inner.isRunning()).isFalse();
    }

    @Test
    void losingItLeavesTheOuterLockAlone() {
        outer.start();
        settle();
        nested.start();
        settle();
        nested.stop();
        settle();
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
        settle();
        outer.start();
        settle();

        CompletableFuture<Void> handedOver = outer.stop().toCompletableFuture();

        settle();
        assertThat(told).containsExactly("inner revoked, leads: false");
        assertThat(inner.isRunning()).isFalse();
        assertThat(handedOver).isNotDone();

        work.complete(null);

        settle();
        assertThat(handedOver).isDone();
    }

    @Test
    void itHasStoppedLeadingBeforeItIsAskedToStop() {
        List<Runnable> callbacks = new ArrayList<>();
        OwnedLock main = standalone("orders", callbacks::add);
        NestedLock within = new NestedLock(main, inner);
        within.start();
        settle();
        main.start();
        settle();
        callbacks.remove(0).run();
        settle();
        assertThat(within.isLeader()).isTrue();

        main.stop();

        settle();
        assertThat(inner.isLeader()).isTrue();
        assertThat(within.isLeader()).isFalse();
        assertThat(within.fencingToken()).isEmpty();
    }

    @Test
    void itComesBackWithTheOuterLock() {
        nested.start();
        settle();
        outer.start();
        settle();
        outer.stop();
        settle();
        assertThat(nested.isRunning()).isTrue();
        assertThat(nested.isLeader()).isFalse();
        outer.start();
        settle();
        assertThat(nested.isLeader()).isTrue();
    }
}

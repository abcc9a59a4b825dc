package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.lock.internal.LockState.BegunTerm;
import io.cle.model.ObjectKey;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LockListenersTest {

    private static final Term TERM = LockTerm.of(
            new BegunTerm(new ObjectKey("shop", "orders"), "orders-a", 7, Instant.EPOCH),
            Optional.empty(),
            ProcessLocks.lock("orders", Duration.ZERO, new VirtualLoop(), Runnable::run));

    private final LockListeners listeners = new LockListeners("shop/orders", Runnable::run);
    private final List<String> told = new ArrayList<>();

    private LeadershipListener working(String name, CompletableFuture<Void> end) {
        return new LeadershipListener() {
            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                told.add(name + " revoked");
            }

            @Override
            public CompletionStage<Void> drained(Term term) {
                told.add(name + " asked");
                return end;
            }
        };
    }

    @Test
    void aTermIsDrainedWhenTheWorkOfAllListenersHasEnded() {
        CompletableFuture<Void> first = new CompletableFuture<>();
        CompletableFuture<Void> second = new CompletableFuture<>();
        listeners.add(working("first", first));
        listeners.add(working("second", second));

        listeners.revoked(TERM, RevokeReason.RESIGNED, () -> told.add("drained"));
        first.complete(null);
        assertThat(told).containsExactly("first revoked", "second revoked", "first asked", "second asked");

        second.complete(null);
        assertThat(told).endsWith("drained");
    }

    @Test
    void aListenerThatFailsHoldsNothingUp() {
        listeners.add(new LeadershipListener() {
            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                throw new IllegalStateException("revoked");
            }

            @Override
            public CompletionStage<Void> drained(Term term) {
                throw new IllegalStateException("drained");
            }
        });
        listeners.add(working("failing", CompletableFuture.failedFuture(new IllegalStateException("work"))));

        listeners.revoked(TERM, RevokeReason.RESIGNED, () -> told.add("drained"));

        assertThat(told).containsExactly("failing revoked", "failing asked", "drained");
    }

    @Test
    void anErrorOfAListenerSkipsNoOther() {
        listeners.add(new LeadershipListener() {
            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                throw new NoClassDefFoundError("revoked");
            }

            @Override
            public CompletionStage<Void> drained(Term term) {
                throw new NoClassDefFoundError("drained");
            }
        });
        listeners.add(working("second", CompletableFuture.completedFuture(null)));

        listeners.revoked(TERM, RevokeReason.RESIGNED, () -> told.add("drained"));

        assertThat(told).containsExactly("second revoked", "second asked", "drained");
    }

    /** One that closes its own application would wait for itself. */
    @Test
    void aTermEndsAndDrainsWhileAListenerOfItsBeginningWaitsForThat() {
        listeners.add(new LeadershipListener() {
            @Override
            public void onGranted(Term term) {
                told.add("closes");
                listeners.leaveListener();
                listeners.revoked(TERM, RevokeReason.STOPPED, () -> told.add("drained"));
                told.add("closed");
            }
        });
        listeners.add(inPairs());

        listeners.granted(TERM);

        assertThat(told).containsExactly("closes", "granted", "revoked", "drained", "closed");
    }

    @Test
    void aTermDrainsWhileAListenerOfItsEndWaitsForThat() {
        listeners.add(new LeadershipListener() {
            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                told.add("closes");
                listeners.leaveListener();
                told.add("closed");
            }
        });
        listeners.add(inPairs());

        listeners.revoked(TERM, RevokeReason.RESIGNED, () -> told.add("drained"));

        assertThat(told).containsExactly("closes", "revoked", "drained", "closed");
    }

    private LeadershipListener inPairs() {
        return new LeadershipListener() {
            @Override
            public void onGranted(Term term) {
                told.add("granted");
            }

            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                told.add("revoked");
            }
        };
    }
}

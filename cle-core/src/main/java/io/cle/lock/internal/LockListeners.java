package io.cle.lock.internal;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.cle.LeadershipListener;
import io.cle.Registration;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.loop.internal.SerialExecutor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the listeners of one lock in order, on their own threads, so that a blocking listener delays no other lease. Interrupts led work on a
 * separate queue that runs no user code ({@code safety.md#callbacks-off-the-renewal-path}).
 */
public final class LockListeners {

    private static final Logger log = LoggerFactory.getLogger(LockListeners.class);

    private final String lease;
    private final SerialExecutor callbacks;
    private final Executor interruptions;
    private final List<LeadershipListener> listeners = new CopyOnWriteArrayList<>();

    /** Creates the listeners of a lock, which run on at most two threads of an executor at a time. */
    public LockListeners(String lease, Executor threads) {
        this.lease = lease;
        this.callbacks = new SerialExecutor(threads);
        this.interruptions = new SerialExecutor(threads);
    }

    /** Adds a listener until the registration is closed. */
    public Registration add(LeadershipListener listener) {
        listeners.add(listener);
        AtomicBoolean closed = new AtomicBoolean();
        return () -> {
            if (!closed.getAndSet(true)) {
                listeners.remove(listener);
            }
        };
    }

    /** Calls {@link LeadershipListener#onAnnounced}. */
    public void announced() {
        callAll("announced", LeadershipListener::onAnnounced);
    }

    /** Calls {@link LeadershipListener#onGranted}. */
    public void granted(Term term) {
        callAll("granted", listener -> listener.onGranted(term));
    }

    /**
     * Interrupts the work of a term, and calls {@link LeadershipListener#onRevoked}.
     *
     * @param whenAllHaveDrained runs when all listeners have returned and their work has ended
     */
    public void revoked(Term term, RevokeReason reason, Runnable whenAllHaveDrained) {
        for (LeadershipListener listener : listeners) {
            if (listener instanceof WorkInterrupter interrupter) {
                interruptions.execute(() -> call(interrupter, "term ended", work -> work.termEnded(term, reason)));
            }
        }
        callAll(
                "revoked",
                listener -> listener.onRevoked(term, reason),
                () -> drained(term).thenRun(whenAllHaveDrained));
    }

    /**
     * If the calling thread runs a listener, continues with the other listeners on another thread. Called by threads that are about to wait for the
     * end of the term: a listener that closes the application would otherwise wait for itself until the drain timeout.
     */
    public void leaveListener() {
        callbacks.continueElsewhere();
    }

    /** Completes when the work of all listeners has ended. */
    private CompletableFuture<Void> drained(Term term) {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (LeadershipListener listener : listeners) {
            ends.add(drained(listener, term));
        }
        return CompletableFuture.allOf(ends.toArray(new CompletableFuture<?>[0]));
    }

    /** A listener that throws has nothing to drain. */
    private CompletableFuture<Void> drained(LeadershipListener listener, Term term) {
        CompletableFuture<Void> end;
        try {
            end = listener.drained(term).toCompletableFuture();
        } catch (RuntimeException | Error e) {
            end = CompletableFuture.failedFuture(e);
        }
        return end.exceptionally(failure -> {
            log.error(
                    "Lease {}: listener {} failed to drain",
                    lease,
                    listener.getClass().getName(),
                    failure);
            return null;
        });
    }

    /** Calls {@link LeadershipListener#onLeaderChanged}. */
    public void leaderChanged(@Nullable String holder) {
        callAll("leader changed", listener -> listener.onLeaderChanged(holder));
    }

    /** Runs a task after the listeners were called for all earlier events. */
    public void afterCalls(Runnable task) {
        callbacks.execute(task);
    }

    private void callAll(String what, Consumer<LeadershipListener> call) {
        callAll(what, call, () -> {});
    }

    /** Calls all listeners, and continues on another thread if one of them {@linkplain #leaveListener leaves}. */
    private void callAll(String what, Consumer<LeadershipListener> call, Runnable then) {
        callbacks.execute(new Runnable() {
            private @Nullable Iterator<LeadershipListener> rest;

            @Override
            public void run() {
                Iterator<LeadershipListener> left = rest == null ? listeners.iterator() : rest;
                rest = left;
                while (callbacks.runsHere() && left.hasNext()) {
                    call(left.next(), what, call);
                }
                if (callbacks.runsHere()) {
                    then.run();
                }
            }
        });
    }

    /** Also catches errors, such as a missing class of the listener. */
    private <L extends LeadershipListener> void call(L listener, String what, Consumer<? super L> call) {
        try {
            call.accept(listener);
        } catch (RuntimeException | Error e) {
            log.error(
                    "Lease {}: listener {} threw on '{}'; continuing with the others",
                    lease,
                    listener.getClass().getName(),
                    what,
                    e);
        }
    }
}

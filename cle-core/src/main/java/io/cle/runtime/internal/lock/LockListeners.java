package io.cle.runtime.internal.lock;

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
import io.cle.runtime.internal.loop.SerialExecutor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the listeners of a lock, one after the other and in an order of this lock's own, so that a listener that blocks delays no other
 * lease. The interruption of work has an order apart from that, in which no user's code runs
 * ({@code safety.md#callbacks-off-the-renewal-path}).
 */
public final class LockListeners {

    private static final Logger log = LoggerFactory.getLogger(LockListeners.class);

    private final String lease;
    private final SerialExecutor callbacks;
    private final Executor interruptions;
    private final List<LeadershipListener> listeners = new CopyOnWriteArrayList<>();

    /** Calls listeners on the threads of an executor, at most two of them at a time. */
    public LockListeners(String lease, Executor threads) {
        this.lease = lease;
        this.callbacks = new SerialExecutor(threads);
        this.interruptions = new SerialExecutor(threads);
    }

    public Registration add(LeadershipListener listener) {
        listeners.add(listener);
        AtomicBoolean closed = new AtomicBoolean();
        return () -> {
            if (!closed.getAndSet(true)) {
                listeners.remove(listener);
            }
        };
    }

    public void announced() {
        tell("announced", LeadershipListener::onAnnounced);
    }

    public void granted(Term term) {
        tell("granted", listener -> listener.onGranted(term));
    }

    public void revoked(Term term, RevokeReason reason, Runnable whenAllHaveDrained) {
        for (LeadershipListener listener : listeners) {
            if (listener instanceof WorkInterrupter interrupter) {
                interruptions.execute(() -> call(interrupter, "term ended", work -> work.termEnded(term)));
            }
        }
        callAll(
                "revoked",
                listener -> listener.onRevoked(term, reason),
                () -> drained(term).thenRun(whenAllHaveDrained));
    }

    /**
     * Called by a thread that is about to wait for the end of the term. If a listener is running on it, the other listeners and the later calls
     * continue on another thread. Otherwise that listener, for example one that closes the application, would wait for itself until the drain
     * timeout.
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

    /** A listener that fails to say when its work ends delays nothing. */
    private CompletableFuture<Void> drained(LeadershipListener listener, Term term) {
        CompletableFuture<Void> end;
        try {
            end = listener.drained(term).toCompletableFuture();
        } catch (RuntimeException | Error e) {
            end = CompletableFuture.failedFuture(e);
        }
        return end.exceptionally(failure -> {
            log.error(
                    "lease {}: listener {} failed to drain",
                    lease,
                    listener.getClass().getName(),
                    failure);
            return null;
        });
    }

    public void leaderChanged(@Nullable String holder) {
        tell("leader changed", listener -> listener.onLeaderChanged(holder));
    }

    /** Runs a task after all listeners have been called with what has happened so far. */
    public void afterCalls(Runnable task) {
        callbacks.execute(task);
    }

    private void tell(String what, Consumer<LeadershipListener> call) {
        callAll(what, call, () -> {});
    }

    /** Continues on another thread if a listener {@linkplain #leaveListener leaves}. */
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

    /** An Error, like a class that is missing, is the listener's as well. */
    private <L extends LeadershipListener> void call(L listener, String what, Consumer<? super L> call) {
        try {
            call.accept(listener);
        } catch (RuntimeException | Error e) {
            log.error(
                    "lease {}: listener {} failed on '{}'; the other listeners are called all the same",
                    lease,
                    listener.getClass().getName(),
                    what,
                    e);
        }
    }
}

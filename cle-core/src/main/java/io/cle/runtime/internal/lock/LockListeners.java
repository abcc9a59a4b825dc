package io.cle.runtime.internal.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.cle.lock.RevokeReason;
import io.cle.lock.Term;
import io.cle.runtime.LeadershipListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the listeners of a lock, one after the other, on the callback thread. */
final class LockListeners {

    private static final Logger log = LoggerFactory.getLogger(LockListeners.class);

    private final String lease;
    private final Executor callbacks;
    private final List<LeadershipListener> listeners = new CopyOnWriteArrayList<>();

    LockListeners(String lease, Executor callbacks) {
        this.lease = lease;
        this.callbacks = callbacks;
    }

    void add(LeadershipListener listener) {
        listeners.add(listener);
    }

    void remove(LeadershipListener listener) {
        listeners.remove(listener);
    }

    void announced() {
        tell("announced", LeadershipListener::onAnnounced, () -> {});
    }

    void granted(Term term) {
        tell("granted", listener -> listener.onGranted(term), () -> {});
    }

    void revoked(Term term, RevokeReason reason, Runnable whenAllHaveDrained) {
        tell("revoked", listener -> listener.onRevoked(term, reason), () -> {
            List<CompletableFuture<Void>> ends = new ArrayList<>();
            for (LeadershipListener listener : listeners) {
                ends.add(drained(listener, term));
            }
            CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).thenRun(whenAllHaveDrained);
        });
    }

    /** A listener that fails to say when its work ends delays nothing. */
    private CompletableFuture<Void> drained(LeadershipListener listener, Term term) {
        CompletableFuture<Void> end;
        try {
            end = listener.drained(term).toCompletableFuture();
        } catch (RuntimeException e) {
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

    void leaderChanged(@Nullable String holder) {
        tell("leader changed", listener -> listener.onLeaderChanged(holder), () -> {});
    }

    private void tell(String what, Consumer<LeadershipListener> call, Runnable afterwards) {
        callbacks.execute(() -> {
            for (LeadershipListener listener : listeners) {
                try {
                    call.accept(listener);
                } catch (RuntimeException e) {
                    log.error(
                            "lease {}: listener {} failed on '{}'; the other listeners are called all the same",
                            lease,
                            listener.getClass().getName(),
                            what,
                            e);
                }
            }
            afterwards.run();
        });
    }
}

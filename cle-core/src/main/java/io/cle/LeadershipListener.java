package io.cle;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * Receives the beginning and the end of this process's terms. Calls never overlap and come in order, each {@code onGranted} followed by its
 * {@code onRevoked} ({@code safety.md#callbacks-off-the-renewal-path}); the thread may change from call to call. A slow listener delays the
 * other listeners of its lease, but no other lease, no renewal and no interruption of led work.
 */
public interface LeadershipListener {

    /** Called when this process has become a candidate; if a coordinator elects, its candidacy has been announced. */
    default void onAnnounced() {}

    /** Called when a term has begun. It may have ended by the time of this call; check {@link Term#isValid()}. */
    default void onGranted(Term term) {}

    /**
     * Called when the term has ended: {@code isLeader()} is already false. The lease is handed over when all listeners have returned and
     * have {@linkplain #drained drained}, or after the drain timeout ({@code safety.md#drain-before-release}). A listener that guards work
     * should interrupt the work here, and report its end through {@link #drained}, because this call delays the other listeners of the
     * lease.
     */
    default void onRevoked(Term term, RevokeReason reason) {}

    /**
     * Returns a stage for the end of the work of a term. Called after {@link #onRevoked} of all listeners; must not block.
     *
     * @return completes when the work has ended; must not fail
     */
    default CompletionStage<Void> drained(Term term) {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Called when the holder has changed; {@code null} if there is none. If the same change begins or ends a term of this process,
     * {@link #onGranted} or {@link #onRevoked} is called first. While this process acquires the lease, this method is not called until the
     * outcome is known.
     */
    default void onLeaderChanged(@Nullable String holder) {}
}

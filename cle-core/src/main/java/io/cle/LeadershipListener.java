package io.cle;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * Follows the terms of this process. Called one call at a time, granted and revoked strictly in pairs and in order
 * ({@code safety.md#callbacks-off-the-renewal-path}), on threads that may change from call to call. A slow listener delays the other listeners
 * of its lease, but no other lease, no renewal and no interruption of led work.
 */
public interface LeadershipListener {

    /** This process is a candidate now; its candidacy, if it has one, is announced. */
    default void onAnnounced() {}

    /** A term has begun. It may be over by the time this is called; {@code isLeader()} knows. */
    default void onGranted(Term term) {}

    /**
     * The term is over: {@code isLeader()} is already false. The lease is handed over when all listeners have returned and have
     * {@linkplain #drained drained}, or when the drain timeout is over ({@code safety.md#drain-before-release}). A listener that guards work interrupts it
     * here and waits for its end there, because the other listeners of this lease wait for this call.
     */
    default void onRevoked(Term term, RevokeReason reason) {}

    /**
     * The end of the work that was done under a term. Asked after all listeners' {@link #onRevoked}; must not block.
     *
     * @return completes when the work has ended; must not fail
     */
    default CompletionStage<Void> drained(Term term) {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * The holder has changed; {@code null} for none. Called after the beginning or the end of a term by the same change, and, while this
     * process acquires the lease, not before the outcome is known.
     */
    default void onLeaderChanged(@Nullable String holder) {}
}

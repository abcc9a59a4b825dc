package io.cle.runtime;

import io.cle.lock.RevokeReason;
import io.cle.lock.Term;
import org.jspecify.annotations.Nullable;

/**
 * Is told of the terms of this process. Called on the callback thread, one call at a time, granted and revoked strictly in pairs
 * and in order (lock's rule 5). A slow listener delays other listeners, never a renewal.
 */
public interface LeadershipListener {

    /** This process stands for election now; its candidacy, where it has one, is announced. */
    default void onAnnounced() {}

    /** A term has begun. It may be over by the time this is called; {@code isLeader()} knows. */
    default void onGranted(Term term) {}

    /**
     * The term is over: {@code isLeader()} is already false. The lease is handed over when all listeners have returned, or when
     * the drain timeout is over (lock's rule 4); so whoever guards work waits here for its end.
     */
    default void onRevoked(Term term, RevokeReason reason) {}

    /** Another one is named as the holder now; {@code null} when nobody is. */
    default void onLeaderChanged(@Nullable String holder) {}
}

package io.cle.lock.internal;

import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;

/**
 * A listener of this project that interrupts the work of a term. It is called apart from all other listeners, so that no user's code can
 * keep the work from being interrupted ({@code safety.md#callbacks-off-the-renewal-path}).
 */
public interface WorkInterrupter extends LeadershipListener {

    /**
     * The term is over: work of it, and of earlier terms, is to be interrupted. Called at once, perhaps before {@link #onGranted} of the
     * same term, and beside other calls. Must not block, and must run no user's code. Locks that are not of this project don't call it,
     * so that {@link #onRevoked} has to interrupt, too.
     */
    void termEnded(Term term, RevokeReason reason);
}

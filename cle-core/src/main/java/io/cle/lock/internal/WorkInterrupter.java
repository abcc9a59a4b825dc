package io.cle.lock.internal;

import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;

/**
 * An internal listener that interrupts the work of a term. Called on a separate queue, so that user code can't delay the interruption ({@code
 * safety.md#callbacks-off-the-renewal-path}).
 */
public interface WorkInterrupter extends LeadershipListener {

    /**
     * Interrupts the work of a term and of earlier ones. Called at once, possibly before {@link #onGranted} of the same term and concurrently with
     * other calls. Must neither block nor run user code. An application's own lock doesn't call it, so {@link #onRevoked} has to interrupt, too.
     */
    void termEnded(Term term, RevokeReason reason);
}

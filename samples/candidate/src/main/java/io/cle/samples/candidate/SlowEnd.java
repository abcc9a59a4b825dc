package io.cle.samples.candidate;

import java.time.Duration;

import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;

/**
 * Work that takes a while to end.
 *
 * @param drain how long it takes
 */
record SlowEnd(Duration drain) implements LeadershipListener {

    @Override
    public void onRevoked(Term term, RevokeReason reason) {
        try {
            Thread.sleep(drain.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

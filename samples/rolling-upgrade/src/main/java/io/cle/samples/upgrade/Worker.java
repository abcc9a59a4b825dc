package io.cle.samples.upgrade;

import java.time.Duration;

import io.cle.CoordinatedLeaseLock;
import io.cle.Term;
import io.cle.spring.onleader.OnLeader;
import org.jspecify.annotations.Nullable;

/** The work that only the leader may do: it keeps writing to the ledger. */
class Worker {

    private static final Duration STEP = Duration.ofMillis(10);

    private final CoordinatedLeaseLock lock;
    private final Ledger ledger;
    private volatile @Nullable Thread working;

    Worker(CoordinatedLeaseLock lock, Ledger ledger) {
        this.lock = lock;
        this.ledger = ledger;
    }

    /** Runs when leadership is granted, and is interrupted when it is revoked; each write carries the fencing token. */
    @OnLeader
    void work(Term term) {
        working = Thread.currentThread();
        try {
            while (lock.isLeader()) {
                ledger.write(term.fencingToken());
                Thread.sleep(STEP.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the work abruptly, like the kill of a process. */
    void kill() {
        Thread thread = working;
        if (thread != null) {
            thread.interrupt();
        }
    }
}

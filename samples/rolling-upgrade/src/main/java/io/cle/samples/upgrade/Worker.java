package io.cle.samples.upgrade;

import java.time.Duration;
import java.util.OptionalLong;

import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnRevokedLeadership;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;

/** The work that only the leader may do: it writes to the ledger all the time. */
class Worker {

    private static final Duration STEP = Duration.ofMillis(10);

    private final CoordinatedLeaseLock lock;
    private final Ledger ledger;
    private volatile @Nullable Thread thread;

    Worker(CoordinatedLeaseLock lock, Ledger ledger) {
        this.lock = lock;
        this.ledger = ledger;
    }

    @EventListener
    void begin(OnGrantedLeadership event) {
        Thread working = new Thread(() -> work(event.fencingToken()), "worker");
        working.setDaemon(true);
        thread = working;
        working.start();
    }

    @EventListener
    void end(OnRevokedLeadership event) {
        kill();
    }

    private void work(long token) {
        boolean goOn = true;
        while (goOn && lock.fencingToken().equals(OptionalLong.of(token))) {
            ledger.write(token);
            goOn = pause();
        }
    }

    /** As the kill of a process does it: in the middle of what it is doing. */
    void kill() {
        Thread working = thread;
        if (working != null) {
            working.interrupt();
        }
    }

    private static boolean pause() {
        try {
            Thread.sleep(STEP.toMillis());
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }
}

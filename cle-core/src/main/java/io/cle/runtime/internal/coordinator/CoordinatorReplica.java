package io.cle.runtime.internal.coordinator;

import java.util.concurrent.CompletionStage;

import io.cle.lock.RevokeReason;
import io.cle.lock.Term;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.LeadershipListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets one of several replicas coordinate: the one that leads by a plain Lease (safety.md#one-coordinator). Thread-safe.
 *
 * <p>A replica joins the election only when it has seen everything there is. Otherwise a replica that can't read one kind of object could
 * be the leader for as long as it lives, while the others, which can, stand by.
 */
public final class CoordinatorReplica implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CoordinatorReplica.class);

    private final CoordinatorLoop loop;
    private final CoordinatedLeaseLock lock;
    private volatile boolean closed;

    /** A replica that has not joined the election yet. Both the loop and the lock are closed by {@link #close()}. */
    public CoordinatorReplica(CoordinatorLoop loop, CoordinatedLeaseLock lock) {
        this.loop = loop;
        this.lock = lock;
        lock.addListener(new Coordinates());
    }

    /** Joins the election as soon as everything there is has been seen; the loop must be given an API for that to happen. */
    public void start() {
        loop.synced().thenRun(() -> {
            if (!closed) {
                log.info("All leases, candidates and lease configurations have been seen; this replica is a candidate");
                lock.start();
            }
        });
    }

    /** Stops coordinating, waits for what is under way, releases the lease and closes the watches. Can't be started again. */
    @Override
    public void close() {
        closed = true;
        lock.close();
        loop.close();
    }

    /** Coordinates while the term lasts. */
    private final class Coordinates implements LeadershipListener {

        @Override
        public void onGranted(Term term) {
            log.info("This replica coordinates from now on");
            loop.coordinate();
        }

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            log.info("This replica has stopped coordinating ({}) and goes on observing", reason);
            loop.pause();
        }

        /** The lease is released when nothing is under way any more, so that the next replica doesn't write beside this one. */
        @Override
        @SuppressWarnings("NullAway") // a stage of nothing
        public CompletionStage<Void> drained(Term term) {
            return loop.idle();
        }
    }
}

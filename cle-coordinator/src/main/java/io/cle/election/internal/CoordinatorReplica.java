package io.cle.election.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import io.cle.LeadershipListener;
import io.cle.LockSnapshot;
import io.cle.OwnedLock;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.loop.internal.EventLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets one of several replicas coordinate: the leader of a plain Lease (safety.md#one-coordinator). Thread-safe.
 *
 * <p>A replica joins the election only when it has synced. Otherwise a replica that can't read one kind of object could stay the leader while others
 * could coordinate. For the same reason it withdraws if no election completes. The event loop that decides also renews, so a replica whose loop
 * hangs loses its lease (protocol.md#requests-and-limits).
 */
public final class CoordinatorReplica implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CoordinatorReplica.class);

    /** How long no election may complete; longer than the timeout of a request. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

    private final Coordinator loop;
    private final OwnedLock lock;
    private final EventLoop eventLoop;

    /** Whether this replica has stepped down because it completed no election. Confined to the event loop. */
    private boolean withdrawn;

    private volatile boolean closed;

    /**
     * Creates a replica that has not joined the election yet. {@link #close()} closes both the loop and the lock.
     *
     * @param eventLoop the event loop of both
     */
    public CoordinatorReplica(Coordinator loop, OwnedLock lock, EventLoop eventLoop) {
        this.loop = loop;
        this.lock = lock;
        this.eventLoop = eventLoop;
        lock.addListener(new Coordinates());
    }

    /** Joins the election as soon as it has synced, which requires an API. */
    public void start() {
        loop.synced().thenRun(() -> {
            if (!closed) {
                log.info("Caches synced; joining the election of coordinators");
                lock.start();
                checkLater();
            }
        });
    }

    /**
     * Returns the replica that coordinates: this one while it leads, or the holder of the lease while the API server answers. Without an answer the
     * last known holder may be outdated.
     */
    public Optional<String> coordinator() {
        LockSnapshot known = lock.snapshot();
        if (lock.isLeader()) {
            return Optional.of(known.identity());
        }
        return lock.leader().filter(holder -> known.contacts().apiServer().ok() && !holder.equals(known.identity()));
    }

    private void checkLater() {
        eventLoop.schedule(CHECK_INTERVAL, () -> {
            if (!closed) {
                judge(loop.stuck(PATIENCE));
                checkLater();
            }
        });
    }

    /** Steps down if no election completes, and joins again after a while, so that another replica leads first. */
    private void judge(Optional<String> problem) {
        if (problem.isPresent() && !withdrawn) {
            log.error("Stepping down as coordinator: {}", problem.get());
            withdrawn = true;
            lock.stop().thenRun(() -> eventLoop.schedule(PATIENCE, this::joinAgain));
        }
    }

    private void joinAgain() {
        if (!closed) {
            log.info("Standing for coordinator again");
            withdrawn = false;
            lock.start();
        }
    }

    /** Stops coordinating, waits for reconciliations in progress, releases the lease and closes the watches. Can't be restarted. */
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
            log.info("This replica is now the coordinator");
            loop.coordinate();
        }

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            log.info("This replica has stopped coordinating ({})", reason);
            loop.pause();
        }

        /** Delays the release of the lease until no reconciliation is in progress, so that the next replica doesn't write at the same time. */
        @Override
        @SuppressWarnings("NullAway") // a stage of nothing
        public CompletionStage<Void> drained(Term term) {
            return loop.idle();
        }
    }
}

package io.cle.runtime.internal.coordinator;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import io.cle.LeadershipListener;
import io.cle.OwnedLock;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.runtime.internal.loop.EventLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets one of several replicas coordinate: the one that leads by a plain Lease (safety.md#one-coordinator). Thread-safe.
 *
 * <p>A replica joins the election only when it has seen everything there is. Otherwise a replica that can't read one kind of object could
 * be the leader for as long as it lives, while the others, which can, stand by. For the same reason it withdraws while it is of no use:
 * its event loop doesn't turn, or no election gets done (safety.md#useful-replica).
 */
public final class CoordinatorReplica implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CoordinatorReplica.class);

    /** How long the event loop may take to answer, and elections may take to get done. More than a request takes at most. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

    private final CoordinatorLoop loop;
    private final OwnedLock lock;
    private final EventLoop timers;

    /** Whether it is a candidate, or would be if it were of use. Confined to the timers' loop, as are the next three. */
    private boolean joined;

    private boolean withdrawn;

    /** While withdrawn: when it may join again, so that another replica leads first; null before the lease is released. */
    private @Nullable Long mayJoinAt;

    /** Since when the event loop owes an answer; null while it doesn't. */
    private @Nullable Long askedAt;

    private volatile boolean closed;

    /**
     * A replica that has not joined the election yet. Both the loop and the lock are closed by {@link #close()}.
     *
     * @param timers checks this replica; must not be the event loop that is checked, where that is a thread of its own
     */
    public CoordinatorReplica(CoordinatorLoop loop, OwnedLock lock, EventLoop timers) {
        this.loop = loop;
        this.lock = lock;
        this.timers = timers;
        lock.addListener(new Coordinates());
    }

    /** Joins the election as soon as everything there is has been seen; the loop must be given an API for that to happen. */
    public void start() {
        loop.synced()
                .thenRun(() -> timers.execute(() -> {
                    if (!closed) {
                        log.info(
                                "All leases, candidates and lease configurations have been seen; this replica is a candidate");
                        joined = true;
                        lock.start();
                        checkLater();
                    }
                }));
    }

    private void checkLater() {
        timers.schedule(CHECK_INTERVAL, () -> {
            if (!closed && joined) {
                check();
                checkLater();
            }
        });
    }

    private void check() {
        long now = timers.clock().nanos();
        Long asked = askedAt;
        if (asked == null) {
            askedAt = now;
            loop.stuck(PATIENCE)
                    .thenAccept(problem -> timers.execute(() -> {
                        askedAt = null;
                        judge(problem);
                    }));
        } else if (now - asked > PATIENCE.toNanos()) {
            judge(Optional.of("its event loop has done nothing for "
                    + Duration.ofNanos(now - asked).toSeconds() + " s"));
        }
    }

    private void judge(Optional<String> problem) {
        if (closed) {
            return;
        }
        long now = timers.clock().nanos();
        if (problem.isPresent() && !withdrawn) {
            log.error("This replica is of no use as the coordinator, and withdraws: {}", problem.get());
            withdrawn = true;
            lock.stop()
                    .thenRun(() ->
                            timers.execute(() -> mayJoinAt = timers.clock().nanos() + PATIENCE.toNanos()));
        } else if (problem.isEmpty() && withdrawn && mayJoinAt != null && now - mayJoinAt >= 0) {
            log.info("This replica is of use again, and a candidate");
            withdrawn = false;
            mayJoinAt = null;
            lock.start();
        }
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
            log.info("This replica has stopped coordinating ({})", reason);
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

package io.cle.election.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

import io.cle.model.internal.Moment;
import org.jspecify.annotations.Nullable;

/**
 * The consecutive failed writes of a lease's decisions. Confined to the event loop.
 *
 * <p>After a refusal, the back-off applies to every reconciliation of the lease. Otherwise each renewal and acknowledgement would cause another
 * write, which a quota or a missing right would refuse many times a second. A write that wasn't answered is repeated at the next change, which shows
 * that the API server answers again.
 * Rule: {@code protocol.md#events}.
 */
final class FailedWrites {

    /** A decision that still applies is retried sooner. After this time, nothing is left to write, and the problem has ended. */
    private static final Duration GIVEN_UP = Duration.ofMinutes(1);

    private int inARow;
    private @Nullable String problem;
    private long failedAt;
    private long retryAt;

    /**
     * A write has failed.
     *
     * @param refused whether the API server refused it; false if it didn't answer
     * @return whether the problem has begun
     */
    boolean failed(String why, boolean refused, Moment now, RandomGenerator random) {
        boolean begun = problem(now).isEmpty();
        if (begun) {
            succeeded();
        }
        problem = why;
        failedAt = now.nanos();
        retryAt = refused ? now.plus(LeaseQueue.BACK_OFF.after(++inARow, random)) : now.nanos();
        return begun;
    }

    /** A write has succeeded. */
    void succeeded() {
        inARow = 0;
        problem = null;
    }

    /** Returns when the next write may be made, in monotonic nanoseconds; empty if now. */
    Optional<Long> retryAt(Moment now) {
        return problem == null || now.reached(retryAt) ? Optional.empty() : Optional.of(retryAt);
    }

    /** Returns why the last write failed; empty if it didn't, or if the decision was given up. */
    Optional<String> problem(Moment now) {
        return problem == null || now.reached(failedAt + GIVEN_UP.toNanos()) ? Optional.empty() : Optional.of(problem);
    }
}

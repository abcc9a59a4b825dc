package io.cle.election.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

import io.cle.model.internal.Moment;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a lease's decisions that have failed since the last one that succeeded. Confined to the event loop.
 *
 * <p>After a refusal, the back-off holds for whatever has the lease reconciled: its holder renews, candidates acknowledge. Otherwise each of
 * these would write at once, and be refused many times a second for a quota or a missing right. A write that wasn't answered may be made
 * again at the next change: the API server that reports the change is there again.
 * Rule: {@code protocol.md#events}.
 */
final class FailedWrites {

    /** A decision that still holds is tried again sooner. After this long, there is nothing left to write, and the failure is no problem any more. */
    private static final Duration GIVEN_UP = Duration.ofMinutes(1);

    private int inARow;
    private @Nullable String problem;
    private long failedAt;
    private long retryAt;

    /**
     * A write has failed.
     *
     * @param refused whether the API server has refused it, rather than not answered
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

    /** Returns when the next write may be made, in monotonic nanoseconds; empty when that is now. */
    Optional<Long> retryAt(Moment now) {
        return problem == null || now.reached(retryAt) ? Optional.empty() : Optional.of(retryAt);
    }

    /** Returns why the last write has failed; empty when it hasn't, or when the decision has been given up. */
    Optional<String> problem(Moment now) {
        return problem == null || now.reached(failedAt + GIVEN_UP.toNanos()) ? Optional.empty() : Optional.of(problem);
    }
}

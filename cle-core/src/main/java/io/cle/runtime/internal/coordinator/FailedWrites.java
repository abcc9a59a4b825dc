package io.cle.runtime.internal.coordinator;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

import io.cle.model.Moment;
import io.cle.runtime.internal.loop.BackOff;
import io.cle.runtime.internal.loop.RepeatedFailures;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a lease's decisions that have failed, refused ones too, since the last one that succeeded. Confined to the event loop.
 *
 * <p>The back-off of a refused write is no timer's alone, because much else has a lease reconciled: its holder renews, candidates acknowledge.
 * Each of these would write at once, and a quota or a missing right would be met many times a second. After a write that wasn't answered
 * they may: the API server that sends them is there again.
 */
final class FailedWrites {

    private static final BackOff BACK_OFF = new BackOff(Duration.ofMillis(50), Duration.ofSeconds(10));

    /** A decision that still stands is written more often; after this it has been given up, so that the failure says nothing any more. */
    private static final Duration GIVEN_UP = Duration.ofMinutes(1);

    private final RepeatedFailures failures = new RepeatedFailures();
    private int inARow;
    private @Nullable String problem;
    private long failedAt;
    private long retryAt;

    /**
     * A write has failed.
     *
     * @param refused whether the API server has refused it, and will again
     * @return whether that is news: each problem is, once
     */
    boolean failed(String why, boolean refused, Moment now, RandomGenerator random) {
        if (problem(now).isEmpty()) {
            succeeded();
        }
        problem = why;
        failedAt = now.nanos();
        retryAt = refused ? now.plus(BACK_OFF.after(++inARow, random)) : now.nanos();
        return failures.isNews(why);
    }

    /** A write has succeeded. */
    void succeeded() {
        failures.succeeded();
        inARow = 0;
        problem = null;
    }

    /** When the next write may be made, in monotonic nanoseconds; empty when that is now. */
    Optional<Long> retryAt(Moment now) {
        return problem == null || now.reached(retryAt) ? Optional.empty() : Optional.of(retryAt);
    }

    /** Why the last write has failed; empty when it hasn't, or when the decision has been given up. */
    Optional<String> problem(Moment now) {
        return problem == null || now.reached(failedAt + GIVEN_UP.toNanos()) ? Optional.empty() : Optional.of(problem);
    }
}

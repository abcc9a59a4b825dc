package io.cle.lock.internal;

import java.time.Duration;

import io.cle.Timings;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Moment;

/**
 * Counts the failures of a lock's requests in a row, and says when the next request may be sent. Immutable; instants are monotonic nanoseconds.
 *
 * <p>Rule: {@code safety.md#unknown-outcome}.
 *
 * @param conflicts how many conflicts there were in a row
 * @param failures how many requests have failed in a row
 * @param unknownWrites how many writes in a row had an unknown outcome, while the record has not changed. Reads may have succeeded between them
 * @param at no request is sent before
 */
record Retries(int conflicts, int failures, int unknownWrites, long at) {

    /** How many conflicts in a row are retried at once; more have another cause than a busy record. */
    private static final int CONFLICTS_AT_ONCE = 3;

    /** The largest exponent: a larger one would overflow, and the delay has reached its limit long before. */
    private static final int MOST_DOUBLINGS = 10;

    /** Before anything has happened. */
    static final Retries NONE = new Retries(0, 0, 0, LockState.LONG_AGO);

    /**
     * Returns the wait after failures in a row: an eighth of the retry period after the first one, and twice as long after each further one.
     *
     * @param failures one at least
     * @param longest the limit
     */
    static Duration delay(int failures, Timings timings, Duration longest) {
        Duration delay = timings.retryPeriod().dividedBy(8).multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        return delay.compareTo(longest) < 0 ? delay : longest;
    }

    /** A write has succeeded. */
    Retries written(Moment now) {
        return new Retries(0, 0, 0, now.nanos());
    }

    /** A read has succeeded, which proves nothing of writes. */
    Retries read(Moment now) {
        return new Retries(conflicts, 0, unknownWrites, now.nanos());
    }

    /** The next failure is the first one again. */
    Retries anew() {
        return new Retries(conflicts, 0, 0, at);
    }

    /** The failures were of attempts on earlier records, of which there may be none any more. */
    Retries granted() {
        return new Retries(0, 0, 0, at);
    }

    /** The record has changed since writes had an unknown outcome. */
    Retries recordChanged() {
        return new Retries(conflicts, failures, 0, at);
    }

    /** The record wasn't the one that the write was meant to follow. */
    Retries conflict() {
        return new Retries(conflicts + 1, failures, unknownWrites, at);
    }

    /** Whether there were more conflicts in a row than a busy record has. */
    boolean tooManyConflicts() {
        return conflicts > CONFLICTS_AT_ONCE;
    }

    /** Something was stored, so that the next conflict is the first one again. */
    Retries stored() {
        return new Retries(0, failures, unknownWrites, at);
    }

    /**
     * A read has failed.
     *
     * @param result how
     */
    Retries readFailed(ApiResult<?> result, Timings timings, Moment now) {
        return failed(result, timings.retryPeriod(), timings, now);
    }

    /**
     * A write has failed. While the API server is away the longest back-off stays at the retry period, so that a process leads soon after its return. A
     * write that is refused, or fails while reads succeed, will mostly fail again, and is tried less often by a process that holds nothing.
     *
     * @param result how
     * @param holds whether this process holds the lease
     */
    Retries writeFailed(ApiResult<?> result, boolean holds, Timings timings, Moment now) {
        boolean unknown = result instanceof ApiResult.OutcomeUnknown<?>;
        Retries next = new Retries(conflicts, failures, unknown ? unknownWrites + 1 : unknownWrites, at);
        boolean away = unknown && next.unknownWrites <= failures + 1;
        return next.failed(result, holds || away ? timings.retryPeriod() : timings.leaseDuration(), timings, now);
    }

    /** A read has shown a state that can't be: the lease is read again before anything follows from it. */
    Retries doubted(Timings timings, Moment now) {
        return new Retries(conflicts, failures + 1, unknownWrites, at).after(timings.retryPeriod(), timings, now);
    }

    private Retries failed(ApiResult<?> result, Duration longest, Timings timings, Moment now) {
        Retries next = new Retries(conflicts, failures + 1, unknownWrites, at).after(longest, timings, now);
        return result instanceof ApiResult.Refused<?> refused && refused.retryAfter() != null
                ? next.notBefore(now.plus(refused.retryAfter()))
                : next;
    }

    private Retries after(Duration longest, Timings timings, Moment now) {
        return new Retries(conflicts, failures, unknownWrites, now.plus(delay(inARow(), timings, longest)));
    }

    /** No request is sent before an instant. */
    Retries notBefore(long instant) {
        return new Retries(conflicts, failures, unknownWrites, Math.max(at, instant));
    }

    /** No back-off and no Retry-After keeps a leader from one more attempt while its term can still be saved. */
    Retries notAfter(long instant, Moment now) {
        return at - instant > 0 && !now.reached(instant)
                ? new Retries(conflicts, failures, unknownWrites, instant)
                : this;
    }

    /**
     * How many attempts have failed. Of a write and the read after it only the write may fail, again and again: an admission webhook is called for
     * writes alone, and another writer may be faster each time.
     */
    int inARow() {
        return Math.max(Math.max(failures, unknownWrites), conflicts - CONFLICTS_AT_ONCE);
    }
}

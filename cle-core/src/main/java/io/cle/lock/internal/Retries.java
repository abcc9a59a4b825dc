package io.cle.lock.internal;

import java.time.Duration;

import io.cle.Timings;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Moment;

/**
 * Counts consecutive failures of a lock's requests, and computes when the next request may be sent. Immutable; instants are monotonic nanoseconds.
 *
 * <p>Rule: {@code safety.md#unknown-outcome}.
 *
 * @param conflicts the number of consecutive conflicts
 * @param failures the number of consecutive failed requests
 * @param unknownWrites the number of consecutive writes of unknown outcome while the record hasn't changed. Reads may have succeeded between them
 * @param at the earliest time of the next request
 */
record Retries(int conflicts, int failures, int unknownWrites, long at) {

    /** The number of consecutive conflicts that are retried at once. More have another cause than a busy record. */
    private static final int CONFLICTS_AT_ONCE = 3;

    /** The largest exponent; avoids an overflow long after the delay has reached its limit. */
    private static final int MOST_DOUBLINGS = 10;

    /** The initial state. */
    static final Retries NONE = new Retries(0, 0, 0, LockState.LONG_AGO);

    /**
     * Returns the delay after consecutive failures: an eighth of the retry period, doubled with each further failure.
     *
     * @param failures at least one
     * @param longest the limit
     */
    static Duration delay(int failures, Timings timings, Duration longest) {
        Duration delay = timings.retryPeriod().dividedBy(8).multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        return delay.compareTo(longest) < 0 ? delay : longest;
    }

    /** Returns the state after a successful write. */
    Retries written(Moment now) {
        return new Retries(0, 0, 0, now.nanos());
    }

    /** Returns the state after a successful read, which doesn't prove that writes succeed. */
    Retries read(Moment now) {
        return new Retries(conflicts, 0, unknownWrites, now.nanos());
    }

    /** Starts counting failures again. */
    Retries anew() {
        return new Retries(conflicts, 0, 0, at);
    }

    /** Returns the state after a grant: the failures belong to earlier records. */
    Retries granted() {
        return new Retries(0, 0, 0, at);
    }

    /** Returns the state after the record has changed since writes had an unknown outcome. */
    Retries recordChanged() {
        return new Retries(conflicts, failures, 0, at);
    }

    /** Returns the state after a conflict: the record had changed before the write. */
    Retries conflict() {
        return new Retries(conflicts + 1, failures, unknownWrites, at);
    }

    /** Whether there were more consecutive conflicts than a busy record causes. */
    boolean tooManyConflicts() {
        return conflicts > CONFLICTS_AT_ONCE;
    }

    /** Returns the state after a write was stored: starts counting conflicts again. */
    Retries stored() {
        return new Retries(0, failures, unknownWrites, at);
    }

    /**
     * Returns the state after a failed read.
     *
     * @param result the failure
     */
    Retries readFailed(ApiResult<?> result, Timings timings, Moment now) {
        return failed(result, timings.retryPeriod(), timings, now);
    }

    /**
     * Returns the state after a failed write. During an outage the back-off stays within the retry period, so that a process leads
     * soon after the outage. A write that is refused, or that fails while reads succeed, will probably fail again, so a process that
     * doesn't hold the lease retries it less often.
     *
     * @param result the failure
     * @param holds whether this process holds the lease
     */
    Retries writeFailed(ApiResult<?> result, boolean holds, Timings timings, Moment now) {
        boolean unknown = result instanceof ApiResult.OutcomeUnknown<?>;
        Retries next = new Retries(conflicts, failures, unknown ? unknownWrites + 1 : unknownWrites, at);
        boolean away = unknown && next.unknownWrites <= failures + 1;
        return next.failed(result, holds || away ? timings.retryPeriod() : timings.leaseDuration(), timings, now);
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

    /** Postpones the next request to an instant, unless it is due even later. */
    Retries notBefore(long instant) {
        return new Retries(conflicts, failures, unknownWrites, Math.max(at, instant));
    }

    /** Limits the back-off, so that a leader makes one more attempt while its term can still be saved. */
    Retries notAfter(long instant, Moment now) {
        return at - instant > 0 && !now.reached(instant)
                ? new Retries(conflicts, failures, unknownWrites, instant)
                : this;
    }

    /**
     * Returns the number of failed attempts. If every write fails and every read between them succeeds, as with an
     * admission webhook, the failed writes are counted.
     */
    int inARow() {
        return Math.max(Math.max(failures, unknownWrites), conflicts - CONFLICTS_AT_ONCE);
    }
}

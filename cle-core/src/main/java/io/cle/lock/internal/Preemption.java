package io.cle.lock.internal;

import java.time.Duration;
import java.util.Objects;

import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Prioritized election on a direct lock (KEP-2835): a candidate of higher precedence first asks the holder to yield; the holder drains and hands
 * over. If the holder doesn't within the takeover timeout, it is preempted, and the new term begins after the holder's last renewal has expired.
 * Immutable; instants are monotonic nanoseconds.
 *
 * @param asking whether this process has asked the holder and the holder hasn't yielded yet
 * @param askedAt when this process asked
 * @param yields the number of consecutive times that this process yielded soon after it began to lead
 * @param holdOffUntil until then this process asks no holder
 * @param request the request on the record; {@code null} when there is none
 */
record Preemption(
        boolean asking,
        long askedAt,
        int yields,
        long holdOffUntil,
        @Nullable Request request) {

    /** The longest hold-off is 2^8 lease durations: an hour at the default of 15 s. */
    private static final int LONGEST_HOLD_OFF = 8;

    /** The initial state. */
    static final Preemption NONE = new Preemption(false, LockState.LONG_AGO, 0, LockState.LONG_AGO, null);

    /**
     * A request to yield in the record.
     *
     * @param holder the holder that is asked
     * @param preferred the candidate that asks
     * @param since when it was first observed
     */
    record Request(@Nullable String holder, @Nullable String preferred, long since) {}

    /** A move against a holder. */
    enum Move {
        /** Do nothing until the instant given with the move. */
        WAIT,
        /** Ask it to yield. */
        ASK,
        /** Preempt it. */
        PREEMPT
    }

    /**
     * A move, and when to decide again.
     *
     * @param at in monotonic nanoseconds; {@link LockState#NEVER} as long as nothing changes
     */
    record Decision(Move move, long at) {
        private static final Decision LEAVE = new Decision(Move.WAIT, LockState.NEVER);
    }

    /** Decides what to do about the holder that was observed. */
    Decision decide(LockConfig config, LeaseObservation observation, Moment now) {
        LockConfig.Takeover takeover = config.takeover();
        Lease lease = observation.lease();
        if (takeover == null || lease == null || !lease.held() || lease.heldBy(config.identity())) {
            return Decision.LEAVE;
        }
        if (lease.granted()) {
            // The grantee is asked once its term has begun: the write that begins the term removes
            // requests.
            return Decision.LEAVE;
        }
        if (!precedes(takeover, holderKey(lease))) {
            return Decision.LEAVE;
        }
        // While an earlier term may run, this process can't lead, and asking would only end the current term early.
        long soonest = Math.max(holdOffUntil, observation.earlierClaim());
        boolean askedByAnother = lease.endOfTerm() && !config.identity().equals(lease.preferredHolder());
        if (askedByAnother && (asking || !precedes(takeover, text(lease.preferredKey())))) {
            return askAt(Math.max(requestEnd(takeover, lease), soonest), now);
        }
        if (asking) {
            long preemptAt = askedAt + takeover.timeout().toNanos();
            return now.reached(preemptAt)
                    ? new Decision(Move.PREEMPT, now.nanos())
                    : new Decision(Move.WAIT, preemptAt);
        }
        return askAt(soonest, now);
    }

    private static Decision askAt(long at, Moment now) {
        return now.reached(at) ? new Decision(Move.ASK, now.nanos()) : new Decision(Move.WAIT, at);
    }

    /**
     * Returns when another candidate's request expires: by then that candidate has preempted the holder or is gone. A holder that doesn't know
     * requests never removes them.
     */
    private long requestEnd(LockConfig.Takeover takeover, Lease lease) {
        Request seen = Objects.requireNonNull(request, "a request on the record has been seen");
        return seen.since() + takeover.timeout().plus(lease.leaseDuration()).toNanos();
    }

    /** Returns the state after the lease was observed. */
    Preemption observed(@Nullable Lease lease, Moment now) {
        if (lease == null || !lease.endOfTerm()) {
            return withRequest(null);
        }
        boolean known = request != null
                && Objects.equals(request.holder(), lease.holder())
                && Objects.equals(request.preferred(), lease.preferredHolder());
        return known ? this : withRequest(new Request(lease.holder(), lease.preferredHolder(), now.nanos()));
    }

    private Preemption withRequest(@Nullable Request next) {
        return new Preemption(asking, askedAt, yields, holdOffUntil, next);
    }

    /** Returns the state after this process has asked the holder to yield. */
    Preemption asked(long now) {
        return new Preemption(true, now, yields, holdOffUntil, request);
    }

    /** Returns the state after the asked holder has ceased to hold the lease. */
    Preemption settled() {
        return new Preemption(false, askedAt, yields, holdOffUntil, request);
    }

    /**
     * Returns the state after this process has yielded. If it yields soon after it began to lead, it asks no holder for a time that doubles: if the
     * candidates' comparisons contradict each other, the lease would otherwise move continuously.
     *
     * @param led how long the term lasted
     */
    Preemption yielded(LockConfig config, Duration led, Moment now) {
        boolean soon = led.compareTo(holdOff(config, yields).multipliedBy(4)) <= 0;
        int inARow = soon ? yields + 1 : 1;
        return new Preemption(false, askedAt, inARow, now.plus(holdOff(config, inARow)), request);
    }

    /** Whether a request has a key that doesn't take precedence by this process's comparison. An administrator's request has no key. */
    static boolean comparisonsDiffer(LockConfig.Takeover takeover, Lease request) {
        String asking = request.preferredKey();
        return asking != null && !takeover.comparison().takesPrecedence(asking, takeover.key());
    }

    static Duration holdOff(LockConfig config, int yields) {
        return config.timings().leaseDuration().multipliedBy(1L << Math.min(yields, LONGEST_HOLD_OFF));
    }

    private static boolean precedes(LockConfig.Takeover takeover, String otherKey) {
        return takeover.comparison().takesPrecedence(takeover.key(), otherKey);
    }

    /** Returns the holder's key; ignores the previous holder's, which an elector without keys leaves on the Lease. */
    private static String holderKey(Lease lease) {
        return lease.confirmed() ? text(lease.holderKey()) : "";
    }

    private static String text(@Nullable String key) {
        return key == null ? "" : key;
    }
}

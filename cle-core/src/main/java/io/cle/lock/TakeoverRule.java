package io.cle.lock;

import java.time.Duration;
import java.util.Objects;

import io.cle.model.Lease;
import io.cle.model.LeaseObservation;
import io.cle.model.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Prioritized election on a direct lock (KEP-2835), but by asking first: the holder is told, drains and hands over. Only one that
 * doesn't within the takeover timeout is overruled, and then its last renewal is waited out before a term begins.
 */
final class TakeoverRule {

    /** The longest hold-off is 2^8 lease durations: an hour at the default of 15 s. */
    private static final int LONGEST_HOLD_OFF = 8;

    private TakeoverRule() {}

    /** What to do about a holder. */
    enum Move {
        /** Leave it, until the instant given with it. */
        WAIT,
        /** Ask it to yield. */
        ASK,
        /** Overrule it. */
        SEIZE
    }

    /**
     * A move, and when to think again.
     *
     * @param at in monotonic nanoseconds; {@link LockState#NEVER} as long as nothing changes
     */
    record Plan(Move move, long at) {
        private static final Plan LEAVE = new Plan(Move.WAIT, LockState.NEVER);
    }

    /** What to do about the holder that was observed. */
    static Plan plan(LockConfig config, LeaseObservation observation, TakeoverState state, Moment now) {
        LockConfig.Takeover takeover = config.takeover();
        Lease lease = observation.lease();
        if (takeover == null || lease == null || !lease.held() || lease.heldBy(config.identity())) {
            return Plan.LEAVE;
        }
        if (lease.granted()) {
            // Whoever it is granted to is asked when they have begun: the write that begins a term takes a request off.
            return Plan.LEAVE;
        }
        if (!precedes(takeover, holderKey(lease))) {
            return Plan.LEAVE;
        }
        boolean askedByAnother = lease.endOfTerm() && !config.identity().equals(lease.preferredHolder());
        if (askedByAnother && (state.asking() || !precedes(takeover, text(lease.preferredKey())))) {
            return askAt(Math.max(givenUpAt(takeover, lease, state), state.holdOffUntil()), now);
        }
        if (state.asking()) {
            long overruleAt = state.askedAt() + takeover.timeout().toNanos();
            return now.reached(overruleAt) ? new Plan(Move.SEIZE, now.nanos()) : new Plan(Move.WAIT, overruleAt);
        }
        return askAt(state.holdOffUntil(), now);
    }

    private static Plan askAt(long at, Moment now) {
        return now.reached(at) ? new Plan(Move.ASK, now.nanos()) : new Plan(Move.WAIT, at);
    }

    /**
     * From when on a request by somebody of higher precedence counts for nothing: by then the holder has been overruled, unless the
     * one who has asked is gone. A holder that knows no requests would leave it on the record for ever.
     */
    private static long givenUpAt(LockConfig.Takeover takeover, Lease lease, TakeoverState state) {
        TakeoverState.Mark mark = Objects.requireNonNull(state.mark(), "a request that was seen is known");
        return mark.since() + takeover.timeout().plus(lease.leaseDuration()).toNanos();
    }

    /**
     * What is known after this process has yielded to one that takes precedence. Where the comparisons of candidates contradict each
     * other, the lease would change hands for ever; so whoever yields soon after it began to lead asks nobody for a while that doubles.
     *
     * @param led how long the term has lasted
     */
    static TakeoverState yielded(LockConfig config, TakeoverState state, Duration led, Moment now) {
        Duration holdOff = holdOff(config, state.yields());
        int inARow = led.compareTo(holdOff.multipliedBy(4)) > 0 ? 1 : state.yields() + 1;
        return state.yielded(inARow, now.plus(holdOff(config, inARow)));
    }

    static Duration holdOff(LockConfig config, int yields) {
        return config.timings().leaseDuration().multipliedBy(1L << Math.min(yields, LONGEST_HOLD_OFF));
    }

    private static boolean precedes(LockConfig.Takeover takeover, String otherKey) {
        return takeover.comparison().takesPrecedence(takeover.key(), otherKey);
    }

    /** The holder's key; a holder that knows no keys leaves the one before's on the record, which says nothing about it. */
    private static String holderKey(Lease lease) {
        return lease.confirmed() ? text(lease.holderKey()) : "";
    }

    private static String text(@Nullable String key) {
        return key == null ? "" : key;
    }
}

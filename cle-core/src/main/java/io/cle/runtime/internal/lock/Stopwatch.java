package io.cle.runtime.internal.lock;

import java.time.Duration;

import io.cle.lock.internal.LockAction;
import io.cle.model.ApiResult;
import io.cle.model.Moment;
import io.cle.runtime.LockSnapshot.Measurements;
import io.cle.runtime.LockSnapshot.Timed;
import io.cle.runtime.internal.loop.Clock;
import org.jspecify.annotations.Nullable;

/** Times the renewals, drains and hand-overs of a lock. Written by the loop's thread, read by any. */
final class Stopwatch {

    private final String identity;
    private final Clock clock;
    private volatile Timed renewals = Timed.NONE;
    private volatile long failedRenewals;
    private volatile Timed drains = Timed.NONE;
    private volatile Timed handOvers = Timed.NONE;

    /** When the last term ended whose lease has not been handed over yet; {@code null} for none. */
    private @Nullable Moment revokedAt;

    /** Of the write that is under way: a lock sends one at a time. */
    private long sentAt;

    private boolean own;
    private boolean holding;

    Stopwatch(String identity, Clock clock) {
        this.identity = identity;
        this.clock = clock;
    }

    Measurements measured() {
        return new Measurements(renewals, failedRenewals, drains, handOvers);
    }

    /**
     * A write is about to be sent.
     *
     * @param holding whether this process holds the lease, so that another record of its own is a renewal, and one
     *     that isn't its own a hand-over
     */
    void sends(LockAction.WriteLease write, boolean holding) {
        this.sentAt = clock.nanos();
        this.own = identity.equals(write.desired().holder());
        this.holding = holding;
    }

    /** The result of the write is known. */
    void wrote(ApiResult<?> result) {
        boolean ok = result instanceof ApiResult.Ok<?>;
        if (own && holding && ok) {
            renewals = renewals.and(since(sentAt));
        } else if (own && holding) {
            long before = failedRenewals;
            failedRenewals = before + 1;
        } else if (holding && ok && revokedAt != null) {
            handOvers = handOvers.and(since(revokedAt.nanos()));
            revokedAt = null;
        }
    }

    /** A term has ended. */
    void revoked(Moment at) {
        revokedAt = at;
    }

    /** The work of a term has ended, which itself ended at an instant. */
    void drained(Moment revokedAt) {
        drains = drains.and(since(revokedAt.nanos()));
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(clock.nanos() - nanos);
    }

    /** A term has begun: the lease of the one before was lost, and can't be handed over any more. */
    void granted() {
        revokedAt = null;
    }
}

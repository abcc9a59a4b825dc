package io.cle.runtime.internal.lock;

import java.time.Duration;

import io.cle.LockSnapshot.Measurements;
import io.cle.LockSnapshot.Timed;
import io.cle.lock.internal.LockMachine.Action;
import io.cle.model.internal.ApiResult;
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
    private @Nullable Long revokedAt;

    Stopwatch(String identity, Clock clock) {
        this.identity = identity;
        this.clock = clock;
    }

    Measurements measured() {
        return new Measurements(renewals, failedRenewals, drains, handOvers);
    }

    /** A write that is about to be sent. */
    interface Write {

        /** The write's result is known. */
        void done(ApiResult<?> result);
    }

    /**
     * A write is about to be sent.
     *
     * @param holding whether this process holds the lease, so that another record of its own is a renewal, and one
     *     that isn't its own a hand-over
     */
    Write begin(Action.WriteLease write, boolean holding) {
        long sentAt = clock.nanos();
        boolean own = identity.equals(write.desired().holder());
        return result -> {
            boolean ok = result instanceof ApiResult.Ok<?>;
            if (own && holding && ok) {
                renewals = renewals.and(since(sentAt));
            } else if (own && holding) {
                long before = failedRenewals;
                failedRenewals = before + 1;
            } else if (holding && ok && revokedAt != null) {
                handOvers = handOvers.and(since(revokedAt));
                revokedAt = null;
            }
        };
    }

    /**
     * A term has ended.
     *
     * @return to be run when its work has ended
     */
    Runnable revoked() {
        long endedAt = clock.nanos();
        revokedAt = endedAt;
        return () -> drains = drains.and(since(endedAt));
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(clock.nanos() - nanos);
    }

    /** A term has begun: the lease of the one before was lost, and can't be handed over any more. */
    void granted() {
        revokedAt = null;
    }
}

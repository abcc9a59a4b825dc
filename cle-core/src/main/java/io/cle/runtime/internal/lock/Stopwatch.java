package io.cle.runtime.internal.lock;

import java.time.Duration;

import io.cle.lock.internal.LockAction;
import io.cle.model.ApiResult;
import io.cle.runtime.LockSnapshot.Measurements;
import io.cle.runtime.internal.loop.Clock;
import org.jspecify.annotations.Nullable;

/** Times the renewals, drains and hand-overs of a lock. Written by the loop's thread, read by any. */
final class Stopwatch {

    private final String identity;
    private final Clock clock;
    private volatile Measurements measured = Measurements.NONE;
    /** When the last term ended whose lease has not been handed over yet; {@code null} for none. */
    private @Nullable Long revokedAt;

    Stopwatch(String identity, Clock clock) {
        this.identity = identity;
        this.clock = clock;
    }

    Measurements measured() {
        return measured;
    }

    /** A write that is about to be sent. */
    interface Write {

        /** The write's result is known. */
        void done(ApiResult<?> result);
    }

    /**
     * A write is about to be sent.
     *
     * @param holding whether this process holds the lease, so that another record of its own is a renewal
     */
    Write begin(LockAction.WriteLease write, boolean holding) {
        long sentAt = clock.nanos();
        boolean own = identity.equals(write.desired().holder());
        return result -> {
            boolean ok = result instanceof ApiResult.Ok<?>;
            if (own && holding) {
                renewed(ok, Duration.ofNanos(clock.nanos() - sentAt));
            } else if (!own && ok) {
                handedOver();
            }
        };
    }

    private void renewed(boolean ok, Duration took) {
        Measurements before = measured;
        measured = ok
                ? new Measurements(
                        before.renewals().and(took), before.failedRenewals(), before.drains(), before.handOvers())
                : new Measurements(before.renewals(), before.failedRenewals() + 1, before.drains(), before.handOvers());
    }

    private void handedOver() {
        Long since = revokedAt;
        revokedAt = null;
        if (since != null) {
            Measurements before = measured;
            measured = new Measurements(
                    before.renewals(),
                    before.failedRenewals(),
                    before.drains(),
                    before.handOvers().and(Duration.ofNanos(clock.nanos() - since)));
        }
    }

    /**
     * A term has ended.
     *
     * @return to be run when its work has ended
     */
    Runnable revoked() {
        long since = clock.nanos();
        revokedAt = since;
        return () -> {
            Measurements before = measured;
            measured = new Measurements(
                    before.renewals(),
                    before.failedRenewals(),
                    before.drains().and(Duration.ofNanos(clock.nanos() - since)),
                    before.handOvers());
        };
    }

    /** A term has begun: the lease of the one before was lost, and can't be handed over any more. */
    void granted() {
        revokedAt = null;
    }
}

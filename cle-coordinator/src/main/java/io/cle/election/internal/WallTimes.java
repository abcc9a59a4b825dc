package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;

import io.cle.model.internal.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Gives monotonic instants as wall times, for people. The same instant always has the same wall time, unless the wall clock has been set:
 * with a fresh pair of clock readings for each conversion, two views of an unchanged lease would differ by microseconds, and would look
 * like a change. Confined to the event loop.
 */
final class WallTimes {

    /** The wall clock has been set when the two clocks have drifted apart by more than this. */
    private static final Duration SET = Duration.ofMillis(500);

    private @Nullable Moment anchor;

    /** Returns the wall time of a monotonic instant. */
    Instant of(long nanos, Moment now) {
        Moment known = anchor;
        if (known == null
                || Duration.between(at(known, now.nanos()), now.wall()).abs().compareTo(SET) > 0) {
            known = now;
            anchor = now;
        }
        return at(known, nanos);
    }

    private static Instant at(Moment anchor, long nanos) {
        return anchor.wall().plusNanos(nanos - anchor.nanos());
    }
}

package io.cle.runtime.internal.loop;

import java.time.Instant;

import io.cle.model.internal.Moment;

/** The two clocks of a process. Thread-safe. */
public interface Clock {

    /** Monotonic nanoseconds with an arbitrary origin; never goes backwards, also while the wall clock is set. */
    long nanos();

    /** The wall clock, in microseconds at the finest, as Kubernetes writes it. */
    Instant wall();

    /** Both at once. */
    default Moment now() {
        return new Moment(nanos(), wall());
    }

    /** The clocks of this machine. Its monotonic one begins near zero: no instant is near {@link Long#MAX_VALUE}, which stands for never. */
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}

package io.cle.loop.internal;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

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

    /**
     * Returns the clocks of this machine, which are one object for the whole process, because instants are compared. The monotonic one begins
     * near zero: no instant is near {@link Long#MAX_VALUE}, which means never.
     */
    static Clock system() {
        return OfMachine.CLOCK;
    }

    /** The clocks of this machine. */
    final class OfMachine implements Clock {

        private static final Clock CLOCK = new OfMachine();

        /** {@link System#nanoTime()} may begin anywhere, also just before it overflows. */
        private final long origin = System.nanoTime();

        private OfMachine() {}

        @Override
        public long nanos() {
            return System.nanoTime() - origin;
        }

        @Override
        public Instant wall() {
            return Instant.now().truncatedTo(ChronoUnit.MICROS);
        }
    }
}

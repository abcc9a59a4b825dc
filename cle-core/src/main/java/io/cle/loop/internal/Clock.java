package io.cle.loop.internal;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.cle.model.internal.Moment;

/** The two clocks of a process. Thread-safe. */
public interface Clock {

    /** Returns monotonic nanoseconds with an arbitrary origin, which never go backwards, even if the wall clock is set. */
    long nanos();

    /** Returns the time of the wall clock, with at most microsecond precision, as in Kubernetes. */
    Instant wall();

    /** Returns the time of both clocks. */
    default Moment now() {
        return new Moment(nanos(), wall());
    }

    /**
     * Returns the clocks of this machine: one object for the whole process, because instants are compared. The monotonic clock starts near
     * zero, so no instant is near {@link Long#MAX_VALUE}, which means never.
     */
    static Clock system() {
        return OfMachine.CLOCK;
    }

    /** The clocks of this machine. */
    final class OfMachine implements Clock {

        private static final Clock CLOCK = new OfMachine();

        /** {@link System#nanoTime()} may start anywhere, even just before an overflow. */
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

package io.cle.test.simulation.internal.process;

import java.time.Instant;

import io.cle.loop.internal.Clock;

/** The clocks of one process: the monotonic one runs at a rate of its own, the wall clock is skewed and can be set. */
public final class DriftingClock implements Clock {

    /** When the simulation begins, by a correct wall clock. */
    private static final long EPOCH_SECOND =
            Instant.parse("2026-01-01T00:00:00Z").getEpochSecond();

    private final VirtualTime time;
    private double rate;
    private long trueBase;
    private long localBase;
    private long wallOffset;
    private boolean suspended;
    private int suspensions;

    /**
     * A clock that begins now.
     *
     * @param rate how fast it runs in relation to true time
     * @param origin what its monotonic nanoseconds begin at
     * @param wallOffset the skew of its wall clock in nanoseconds
     */
    public DriftingClock(VirtualTime time, double rate, long origin, long wallOffset) {
        this.time = time;
        this.rate = rate;
        this.trueBase = time.now();
        this.localBase = origin;
        this.wallOffset = wallOffset + trueBase - origin;
    }

    @Override
    public long nanos() {
        return suspended ? localBase : localBase + (long) ((time.now() - trueBase) * rate);
    }

    @Override
    public Instant wall() {
        long stoodStill = suspended ? time.now() - trueBase : 0;
        long wall = nanos() + stoodStill + wallOffset;
        return Instant.ofEpochSecond(EPOCH_SECOND, wall - Math.floorMod(wall, 1000));
    }

    /** Sets the wall clock ahead, or back if it is negative; the monotonic one is not affected. */
    public void jump(long nanos) {
        wallOffset += nanos;
    }

    /** Suspends the machine: the monotonic clock stops, the wall clock runs on. */
    void suspend() {
        localBase = nanos();
        trueBase = time.now();
        suspended = true;
    }

    /** Resumes. */
    void resume() {
        if (suspended) {
            wallOffset += time.now() - trueBase;
            trueBase = time.now();
            suspended = false;
            suspensions++;
        }
    }

    /** Whether the machine is suspended at the moment. */
    public boolean suspended() {
        return suspended;
    }

    /** How often the monotonic clock has stopped, which makes timers late. */
    int suspensions() {
        return suspensions;
    }

    /** Runs at another rate from now on. */
    public void drift(double newRate) {
        if (!suspended) {
            localBase = nanos();
            trueBase = time.now();
        }
        rate = newRate;
    }

    /** How much true time passes in this many nanoseconds of this clock; rounded up, so that no timer is early. */
    public long trueNanos(long localNanos) {
        return (long) Math.ceil(localNanos / rate) + 1;
    }
}

package io.cle.runtime.internal.loop;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/** Wakes a state machine when it wants to be woken next. Confined to the event loop. */
public final class MachineTimer {

    /** No instant: the timer isn't set. */
    public static final long NEVER = Long.MAX_VALUE;

    private final EventLoop loop;
    private final Runnable task;
    private EventLoop.@Nullable Timer timer;

    /** When it is due; {@link #NEVER} if it isn't set. */
    private long dueAt = NEVER;

    /**
     * A timer that is not set.
     *
     * @param tick runs on the loop at the instant
     */
    public MachineTimer(EventLoop loop, Runnable tick) {
        this.loop = loop;
        this.task = () -> {
            dueAt = NEVER;
            tick.run();
        };
    }

    /**
     * Sets the next instant, in place of the one before.
     *
     * @param instant nanoseconds of the loop's clock; {@link #NEVER} for none
     */
    public void wakeAt(long instant) {
        // Most events of a machine leave the instant as it is.
        if (instant == dueAt) {
            return;
        }
        dueAt = instant;
        if (timer != null) {
            timer.cancel();
        }
        timer = instant == NEVER
                ? null
                : loop.schedule(Duration.ofNanos(instant - loop.clock().nanos()), task);
    }
}

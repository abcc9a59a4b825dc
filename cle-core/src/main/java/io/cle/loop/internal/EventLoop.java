package io.cle.loop.internal;

import java.time.Duration;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Does one thing after the other: the state machines run on it, and nothing that blocks does. What one task has written the next one
 * sees, whichever threads they run on. Thread-safe.
 */
public interface EventLoop extends Executor {

    /** The clocks that this loop's timers go by. */
    Clock clock();

    /**
     * Runs a task on the loop. If the loop is idle, the caller's thread runs it, because waking another thread takes longer than most
     * tasks; if it is busy, the task runs after those before it, and the caller doesn't wait. For threads that bring answers and events;
     * not for threads of the application or of listeners (safety.md#callbacks-off-the-renewal-path).
     */
    default void deliver(Runnable task) {
        execute(task);
    }

    /**
     * Runs a task on the loop after a while; at once where the delay isn't above zero.
     *
     * @return cancels the task, where it hasn't begun
     */
    Timer schedule(Duration delay, Runnable task);

    /**
     * Runs a part of the present task. An exception is logged, and the present task continues ({@code
     * safety.md#callbacks-off-the-renewal-path}): a brief lack of memory for a thread mustn't stop the renewals.
     *
     * @param about what the task is about, the beginning of a log message
     * @param what the part
     */
    static void attempt(String about, Object what, Runnable part) {
        try {
            part.run();
        } catch (RuntimeException | Error e) {
            LoggerFactory.getLogger(EventLoop.class)
                    .error("{}: {} has failed; this is a bug, please report it", about, what, e);
        }
    }

    /** Something that is due later. */
    interface Timer {

        /** Cancels the timer. Idempotent. */
        void cancel();
    }

    /** A task that is due at one instant, which may be changed. Confined to the loop. */
    final class Alarm {

        private final EventLoop loop;
        private final Runnable task;
        private @Nullable Timer timer;

        /** When the task is due, in monotonic nanoseconds; {@link Long#MAX_VALUE} for never. */
        private long due = Long.MAX_VALUE;

        /** Creates an alarm that isn't set. */
        public Alarm(EventLoop loop, Runnable task) {
            this.loop = loop;
            this.task = () -> {
                due = Long.MAX_VALUE;
                task.run();
            };
        }

        /**
         * Sets the instant at which the task is due, and replaces the previous one.
         *
         * @param instant nanoseconds of the loop's clock; {@link Long#MAX_VALUE} for never
         */
        public void set(long instant) {
            // Most events of a state machine leave the instant as it is.
            if (instant == due) {
                return;
            }
            due = instant;
            if (timer != null) {
                timer.cancel();
            }
            timer = instant == Long.MAX_VALUE
                    ? null
                    : loop.schedule(Duration.ofNanos(instant - loop.clock().nanos()), task);
        }
    }
}

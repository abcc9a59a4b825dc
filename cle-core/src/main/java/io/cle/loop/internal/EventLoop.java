package io.cle.loop.internal;

import java.time.Duration;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time. The state machines run on it; tasks must not block. Each task sees what the tasks before it have written,
 * whichever threads they run on. Thread-safe.
 */
public interface EventLoop extends Executor {

    /** Returns the clocks of this loop's timers. */
    Clock clock();

    /**
     * Runs a task on the loop. If the loop is idle, the caller's thread runs it, because waking another thread takes longer than most
     * tasks; if it is busy, the task runs after those before it, and the caller doesn't wait. For threads that deliver responses and events;
     * not for threads of the application or of listeners (safety.md#callbacks-off-the-renewal-path).
     */
    default void deliver(Runnable task) {
        execute(task);
    }

    /**
     * Runs a task on the loop after a delay, or at once if the delay isn't above zero.
     *
     * @return cancels the task if it hasn't begun
     */
    Timer schedule(Duration delay, Runnable task);

    /**
     * Runs a part of the current task. If the part throws, logs the exception and returns ({@code
     * safety.md#callbacks-off-the-renewal-path}): a temporary lack of memory for a thread must not stop renewals.
     *
     * @param about the subject of the task, with which the log message begins
     * @param what the part, for the log message
     */
    static void attempt(String about, Object what, Runnable part) {
        try {
            part.run();
        } catch (RuntimeException | Error e) {
            LoggerFactory.getLogger(EventLoop.class)
                    .error("{}: {} has failed; this is a bug, please report it", about, what, e);
        }
    }

    /** A scheduled task. */
    interface Timer {

        /** Cancels the timer. Idempotent. */
        void cancel();
    }

    /** A task with one due instant, which can be changed. Confined to the loop. */
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
            // Most events of a state machine don't change the instant.
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

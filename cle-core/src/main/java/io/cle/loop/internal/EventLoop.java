package io.cle.loop.internal;

import java.time.Duration;
import java.util.concurrent.Executor;

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

    /** Something that is due later. */
    interface Timer {

        /** Cancels the timer. Idempotent. */
        void cancel();
    }
}

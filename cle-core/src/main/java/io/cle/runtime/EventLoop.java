package io.cle.runtime;

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
     * Runs a task on the loop and, where that is idle, on the caller's thread: for threads that bring answers and events, as to wake
     * another thread takes longer than most tasks. Not for threads of the application, nor for those that call listeners back (lock's
     * rule 5). Where the loop is busy the task is done after what came before it, and the caller doesn't wait.
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

        /** It shall not happen any more. Idempotent. */
        void cancel();
    }
}

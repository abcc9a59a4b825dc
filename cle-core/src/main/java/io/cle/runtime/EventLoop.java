package io.cle.runtime;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * One thread that does one thing after the other: the state machines run on it, and nothing that blocks does. Thread-safe.
 */
public interface EventLoop extends Executor {

    /** The clocks that this loop's timers go by. */
    Clock clock();

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

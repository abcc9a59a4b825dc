package io.cle.runtime;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The event loop of a real process: one daemon thread. */
final class ThreadEventLoop implements EventLoop, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ThreadEventLoop.class);

    private final ScheduledThreadPoolExecutor executor;
    private final Clock clock;

    ThreadEventLoop(String threadName, Clock clock) {
        this.clock = clock;
        this.executor = new ScheduledThreadPoolExecutor(1, task -> daemon(task, threadName));
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public Clock clock() {
        return clock;
    }

    /** Runs a task; one that comes after {@link #close()} is dropped, as there is nothing left that it could be for. */
    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(guarded(task));
        } catch (RejectedExecutionException closed) {
            log.debug("the loop is closed; a late task was dropped", closed);
        }
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        try {
            ScheduledFuture<?> future =
                    executor.schedule(guarded(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException closed) {
            log.debug("the loop is closed; a late timer was dropped", closed);
            return () -> {};
        }
    }

    /** A task that fails must not end the loop, nor pass unseen: a ScheduledThreadPoolExecutor would keep its exception to itself. */
    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                log.error("a task of the election loop has failed; this is a bug, please report it", e);
            }
        };
    }

    @Override
    public void close() {
        executor.shutdown();
    }
}

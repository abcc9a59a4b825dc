package io.cle.loop.internal;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loop of a real process: a queue and a daemon thread that runs its tasks, unless a thread that {@linkplain #deliver delivers}
 * one can run it sooner. One task at a time.
 */
public final class ThreadEventLoop implements EventLoop, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ThreadEventLoop.class);

    /** After this time a thread stops running tasks: a delivering thread has a connection to read, and the loop's own thread has timers to queue. */
    private static final Duration TURN = Duration.ofMillis(5);

    private final ScheduledThreadPoolExecutor executor;
    private final Clock clock;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** The number of unfinished tasks. The thread that adds the first one runs all of them, or has the loop's own thread run them. */
    private final AtomicInteger undone = new AtomicInteger();

    /** Creates a loop with a daemon thread of this name, which starts with the first task. */
    public ThreadEventLoop(String threadName, Clock clock) {
        this(new ScheduledThreadPoolExecutor(1, task -> daemon(task, threadName)), clock);
    }

    /** Creates a loop on an executor, which it owns from now on. */
    ThreadEventLoop(ScheduledThreadPoolExecutor executor, Clock clock) {
        this.executor = executor;
        this.clock = clock;
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Creates a daemon thread, which never keeps the process alive. */
    public static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public Clock clock() {
        return clock;
    }

    /** Runs a task. After {@link #close()} it is dropped, because nothing needs it any more. */
    @Override
    public void execute(Runnable task) {
        if (addFirst(task)) {
            runAllOnOwnThread();
        }
    }

    @Override
    public void deliver(Runnable task) {
        if (!executor.isShutdown() && addFirst(task)) {
            runAll();
        }
    }

    /** Adds a task, and returns whether no thread runs tasks yet. */
    private boolean addFirst(Runnable task) {
        tasks.add(task);
        return undone.getAndIncrement() == 0;
    }

    /**
     * Runs tasks until none is left, for {@link #TURN} at most. Then the loop's own thread continues, after it has queued the timers that are due.
     */
    private void runAll() {
        long begun = clock.nanos();
        do {
            run(tasks.remove());
            if (undone.decrementAndGet() == 0) {
                return;
            }
        } while (clock.nanos() - begun < TURN.toNanos() || executor.isShutdown());
        runAllOnOwnThread();
    }

    /** Hands the tasks over to the loop's own thread. */
    private void runAllOnOwnThread() {
        try {
            executor.execute(this::runAll);
        } catch (RejectedExecutionException closed) {
            log.debug("The loop is closed; late tasks were dropped", closed);
        }
    }

    /** Runs a task and logs its failure. An Error, such as a missing class, is treated as a failure of the task as well. */
    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            report(e);
        }
    }

    /**
     * Logs a failure, and ignores exceptions of logging itself: if memory has run out, there may be none for a log line. If such an exception
     * ended the loop, the lock would stop renewing and never report the end of its term, although memory may be back a second later.
     */
    private void report(Throwable failure) {
        try {
            log.error("A task of the election loop has failed; this is a bug, please report it", failure);
        } catch (RuntimeException | Error unreported) {
            // Logging itself has failed: nothing more can be done.
        }
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        AtomicBoolean cancelled = new AtomicBoolean();
        Runnable unlessCancelled = () -> {
            if (!cancelled.get()) {
                task.run();
            }
        };
        try {
            ScheduledFuture<?> future = executor.schedule(
                    () -> deliver(unlessCancelled), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
            return () -> {
                // The task may be due and in the queue already.
                cancelled.set(true);
                future.cancel(false);
            };
        } catch (RejectedExecutionException closed) {
            log.debug("The loop is closed; a late timer was dropped", closed);
            return () -> {};
        }
    }

    @Override
    public void close() {
        executor.shutdown();
    }
}

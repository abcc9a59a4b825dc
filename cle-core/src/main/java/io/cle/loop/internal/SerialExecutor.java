package io.cle.loop.internal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time and in order, on any free thread of a shared executor. Occupies at most one thread, and none while idle. Thread-safe.
 *
 * <p>Rule: {@code safety.md#callbacks-off-the-renewal-path}.
 */
public final class SerialExecutor implements Executor {

    private static final Logger log = LoggerFactory.getLogger(SerialExecutor.class);

    private final Executor threads;
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    /** Whether a thread runs the tasks, or was requested. */
    private boolean running;
    /** The thread that runs the tasks; {@code null} if none does. */
    private @Nullable Thread runner;
    /** The task that it runs. */
    private @Nullable Runnable current;

    /** Creates a queue on the threads of an executor. */
    public SerialExecutor(Executor threads) {
        this.threads = threads;
    }

    /**
     * Runs a task after those before it.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the threads have ended
     */
    @Override
    public void execute(Runnable task) {
        synchronized (tasks) {
            tasks.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        start();
    }

    private void start() {
        try {
            threads.execute(this::runAll);
        } catch (RuntimeException | Error noThread) {
            // The task runs together with the next one, if a thread is available then.
            synchronized (tasks) {
                running = false;
            }
            throw noThread;
        }
    }

    /** Returns whether the calling thread runs a task of this executor that it hasn't handed over. */
    public boolean runsHere() {
        synchronized (tasks) {
            return runner == Thread.currentThread();
        }
    }

    /**
     * Moves the calling thread's task, and the tasks after it, to another thread, which runs that task again from its beginning. For a task
     * that is about to wait for later ones. The task must remember its progress, and must do nothing more on the calling thread, where
     * {@link #runsHere} returns false from now on. Does nothing on a thread that runs no task of this executor.
     */
    public void continueElsewhere() {
        synchronized (tasks) {
            if (runner != Thread.currentThread() || current == null) {
                return;
            }
            tasks.addFirst(current);
            runner = null;
        }
        start();
    }

    private void runAll() {
        synchronized (tasks) {
            runner = Thread.currentThread();
        }
        for (Runnable task = next(); task != null; task = next()) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                report(e);
            }
        }
    }

    /** Logs a failure. An application's exception may itself throw when it is logged. */
    private static void report(Throwable failure) {
        try {
            log.error("A callback has failed; continuing with the next one", failure);
        } catch (RuntimeException | Error unreported) {
            // The next callbacks matter more than this log line.
        }
    }

    /** Returns the next task for the calling thread; {@code null} if there is none, or if another thread runs the tasks now. */
    private @Nullable Runnable next() {
        synchronized (tasks) {
            if (runner != Thread.currentThread()) {
                return null;
            }
            current = tasks.poll();
            running = current != null;
            if (!running) {
                runner = null;
            }
            return current;
        }
    }
}

package io.cle.runtime.internal.loop;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time and in order, on whichever thread of a shared executor is free. It has at most one of them at a time, and none
 * while it has no task. Thread-safe.
 */
public final class SerialExecutor implements Executor {

    private static final Logger log = LoggerFactory.getLogger(SerialExecutor.class);

    private final Executor threads;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    /** Whether a thread runs the tasks, or was asked for. */
    private boolean running;

    /** An order of its own on the threads of an executor. */
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
        try {
            threads.execute(this::runAll);
        } catch (RuntimeException | Error noThread) {
            // The task is run together with the next one, if there is a thread for that.
            synchronized (tasks) {
                running = false;
            }
            throw noThread;
        }
    }

    private void runAll() {
        for (Runnable task = next(); task != null; task = next()) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                report(e);
            }
        }
    }

    /** An exception of an application may throw in its turn when it is written into a log. */
    private static void report(Throwable failure) {
        try {
            log.error("a callback has failed; the next ones are run all the same", failure);
        } catch (RuntimeException | Error unreported) {
            // The next callbacks matter more than this line.
        }
    }

    private @Nullable Runnable next() {
        synchronized (tasks) {
            Runnable task = tasks.poll();
            running = task != null;
            return task;
        }
    }
}

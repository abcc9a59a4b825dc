package io.cle.lock.internal;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.cle.loop.internal.Clock;
import io.cle.loop.internal.EventLoop;
import io.cle.loop.internal.ThreadEventLoop;

/**
 * The threads that a process's locks have of their own ({@code safety.md#callbacks-off-the-renewal-path}): one that renews, however many
 * leases it is a candidate for, and those that call listeners. Of the latter there are as many as leases that have callbacks to run at the
 * same time (and another one for each while work is interrupted): fewer would let the listeners of some leases that block keep those of the
 * others waiting. They end when they have been idle for some seconds. All are daemons. Thread-safe.
 */
public final class LockThreads implements AutoCloseable {

    /** For how long a thread that calls listeners waits for something to do. */
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final ThreadEventLoop loop;
    private final ExecutorService callbacks;
    private final LeaseLines lines;

    private LockThreads(ThreadEventLoop loop, ExecutorService callbacks) {
        this.loop = loop;
        this.callbacks = callbacks;
        this.lines = new LeaseLines(loop);
    }

    /**
     * Starts them on demand.
     *
     * @param namePrefix begins their names: {@code <prefix>-election} and {@code <prefix>-callbacks-<number>}
     */
    public static LockThreads create(String namePrefix) {
        return create(namePrefix, failure -> {});
    }

    /**
     * The same.
     *
     * @param failures is given what a task of the event loop throws, after it was logged; the loop goes on
     */
    public static LockThreads create(String namePrefix, Consumer<Throwable> failures) {
        return new LockThreads(
                new ThreadEventLoop(namePrefix + "-election", Clock.system(), failures),
                callbackThreads(namePrefix + "-callbacks"));
    }

    private static ExecutorService callbackThreads(String name) {
        AtomicInteger started = new AtomicInteger();
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE.toSeconds(),
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> ThreadEventLoop.daemon(task, name + "-" + started.incrementAndGet()));
    }

    /** The thread that runs the state machines; nothing that blocks may run on it. */
    public EventLoop loop() {
        return loop;
    }

    /** Threads that call listeners: a task never waits for another one, so that each lock has to keep its own order. */
    public Executor callbacks() {
        return callbacks;
    }

    /** Which lines of the log the leases of the process have. */
    public LeaseLines lines() {
        return lines;
    }

    /** Ends all threads once they have done what they were given. Locks must have been stopped before. */
    @Override
    public void close() {
        callbacks.shutdown();
        lines.close();
        loop.close();
    }
}

package io.cle.lock.internal;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.cle.loop.internal.Clock;
import io.cle.loop.internal.EventLoop;
import io.cle.loop.internal.LeaseLines;
import io.cle.loop.internal.ThreadEventLoop;
import org.slf4j.LoggerFactory;

/**
 * The threads of a process's locks ({@code safety.md#callbacks-off-the-renewal-path}): one thread renews all leases, the others call listeners. There
 * is one of these per lease whose callbacks run at the same time, and one more per lease while its work is interrupted: with fewer, blocking
 * listeners of some leases would delay those of others. They end after some idle seconds. All are daemon threads. Thread-safe.
 */
public final class LockThreads implements AutoCloseable {

    /** How long a thread that calls listeners stays idle before it ends. */
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final EventLoop loop;
    private final Executor callbacks;
    private final LeaseLines lines;
    private final Runnable close;

    private LockThreads(EventLoop loop, Executor callbacks, Runnable close) {
        this.loop = loop;
        this.callbacks = callbacks;
        this.lines = new LeaseLines(LoggerFactory.getLogger(LeaseLock.class), loop);
        this.close = close;
    }

    /**
     * Returns threads that the caller ends.
     *
     * @param callbacks runs the listeners, at most two tasks of a lock at a time; the lock keeps their order; must not be the loop
     */
    public static LockThreads of(EventLoop loop, Executor callbacks) {
        return new LockThreads(loop, callbacks, () -> {});
    }

    /**
     * Returns threads that are started on demand.
     *
     * @param namePrefix the prefix of their names: {@code <prefix>-election} and {@code <prefix>-callbacks-<number>}
     */
    public static LockThreads create(String namePrefix) {
        ThreadEventLoop loop = new ThreadEventLoop(namePrefix + "-election", Clock.system());
        ExecutorService callbacks = callbackThreads(namePrefix + "-callbacks");
        return new LockThreads(loop, callbacks, () -> {
            callbacks.shutdown();
            loop.close();
        });
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

    /** Returns the loop that runs the state machines; nothing that blocks may run on it. */
    public EventLoop loop() {
        return loop;
    }

    /** Returns the threads that call listeners. Tasks never wait for each other; each lock keeps its own order. */
    public Executor callbacks() {
        return callbacks;
    }

    /** Returns the log lines of the process's leases. */
    public LeaseLines lines() {
        return lines;
    }

    /** Ends all threads once their tasks are done. The locks must have been stopped before. */
    @Override
    public void close() {
        lines.close();
        close.run();
    }
}

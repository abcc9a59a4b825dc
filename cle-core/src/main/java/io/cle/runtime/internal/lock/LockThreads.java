package io.cle.runtime.internal.lock;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.cle.runtime.internal.loop.Clock;
import io.cle.runtime.internal.loop.EventLoop;
import io.cle.runtime.internal.loop.ThreadEventLoop;

/**
 * The two threads that a process's locks have of their own, however many leases it is a candidate for: one that renews, and one that calls
 * listeners back ({@code safety.md#callbacks-off-the-renewal-path}). Both are daemons. Thread-safe.
 */
public final class LockThreads implements AutoCloseable {

    private final ThreadEventLoop loop;
    private final ExecutorService callbacks;

    private LockThreads(ThreadEventLoop loop, ExecutorService callbacks) {
        this.loop = loop;
        this.callbacks = callbacks;
    }

    /**
     * Starts them on demand.
     *
     * @param namePrefix begins their names: {@code <prefix>-election} and {@code <prefix>-callbacks}
     */
    public static LockThreads create(String namePrefix) {
        return new LockThreads(
                new ThreadEventLoop(namePrefix + "-election", Clock.system()),
                Executors.newSingleThreadExecutor(task -> ThreadEventLoop.daemon(task, namePrefix + "-callbacks")));
    }

    /** The thread that runs the state machines; nothing that blocks may run on it. */
    public EventLoop loop() {
        return loop;
    }

    /** The thread that calls listeners. */
    public Executor callbacks() {
        return callbacks;
    }

    /** Ends both threads once they have done what they were given. Locks must have been stopped before. */
    @Override
    public void close() {
        callbacks.shutdown();
        loop.close();
    }
}

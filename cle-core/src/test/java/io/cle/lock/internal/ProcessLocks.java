package io.cle.lock.internal;

import java.time.Duration;
import java.util.concurrent.Executor;

import io.cle.Timings;
import io.cle.loop.internal.EventLoop;
import io.cle.model.ObjectKey;

/** Locks without rivals, each on an in-process lease. */
public final class ProcessLocks {

    /** The longest time until such a lock has acted: candidates that may have rivals spread their attempts. */
    public static final Duration ATTEMPT = Duration.ofMillis(200);

    private ProcessLocks() {}

    /** Creates a lock with the identity {@code me} and the default timings. */
    public static LeaseLock lock(String name, Duration drainTimeout, EventLoop loop, Executor callbacks) {
        LockConfig config = new LockConfig(
                new ObjectKey("shop", name),
                "me",
                Timings.DEFAULT,
                drainTimeout,
                new LockConfig.Fallback(false, Duration.ZERO),
                null,
                null,
                Duration.ofNanos(1_000));
        return new LeaseLock(
                config,
                new LockStores(new ProcessLeases(loop), null).always(),
                Entropy.system(),
                LockThreads.of(loop, callbacks));
    }
}

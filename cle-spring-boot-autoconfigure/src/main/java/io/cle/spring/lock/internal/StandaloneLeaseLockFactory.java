package io.cle.spring.lock.internal;

import java.time.Duration;

import io.cle.OwnedLock;
import io.cle.lock.internal.LockConfig;
import io.cle.runtime.internal.lock.Entropy;
import io.cle.runtime.internal.lock.LeaseLock;
import io.cle.runtime.internal.lock.LockStores;
import io.cle.runtime.internal.lock.LockThreads;
import io.cle.runtime.internal.lock.ProcessLeaseStore;
import io.cle.spring.properties.internal.LeaseSettings;

/**
 * Makes locks of a process that joins no cluster's election ({@code cle.mode=standalone}): it leads by itself, by a lease within the process.
 *
 * @param threads are shared by all its locks
 */
public record StandaloneLeaseLockFactory(LockThreads threads) implements LeaseLockFactory {

    private static final Duration TIME_STEP = Duration.ofNanos(1_000);

    @Override
    public OwnedLock create(LeaseSettings settings) {
        LockConfig config = new LockConfig(
                settings.lease(),
                settings.identity(),
                settings.timings(),
                settings.drainTimeout(),
                new LockConfig.Fallback(false, Duration.ZERO),
                null,
                null,
                TIME_STEP);
        LockStores.Source store = new LockStores(new ProcessLeaseStore(threads.loop()), null).always();
        return enabled(settings, new LeaseLock(config, store, Entropy.system(), threads));
    }

    /** Keeps a lock from being a candidate if it is configured to follow only. */
    public static LeaseLock enabled(LeaseSettings settings, LeaseLock lock) {
        if (!settings.candidate().enabled()) {
            lock.setProblem("cle.candidate.enabled is false");
        }
        return lock;
    }
}

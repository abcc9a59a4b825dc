package io.cle.spring.lock.internal;

import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.internal.lock.LockThreads;
import io.cle.runtime.internal.lock.StandaloneLock;
import io.cle.spring.lock.LeaseLockFactory;
import io.cle.spring.properties.LeaseSettings;

/** Makes locks that lead at once ({@code cle.mode: standalone}). */
public final class StandaloneLeaseLockFactory implements LeaseLockFactory {

    private final LockThreads threads;

    /** All its locks share two threads. */
    public StandaloneLeaseLockFactory(LockThreads threads) {
        this.threads = threads;
    }

    @Override
    public CoordinatedLeaseLock create(LeaseSettings settings) {
        return new StandaloneLock(
                settings.lease(),
                settings.identity(),
                settings.timings(),
                settings.drainTimeout(),
                threads.loop(),
                threads.callbacks());
    }
}

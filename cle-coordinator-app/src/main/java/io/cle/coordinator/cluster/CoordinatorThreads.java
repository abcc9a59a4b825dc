package io.cle.coordinator.cluster;

import io.cle.runtime.internal.lock.LockThreads;
import io.cle.runtime.internal.loop.EventLoop;

/**
 * The event loops of a coordinator. The election among replicas has one of its own, so that no amount of leases to coordinate
 * can delay its renewals.
 */
public final class CoordinatorThreads implements AutoCloseable {

    private final LockThreads coordination = LockThreads.create("cle-coordination", MemoryExhaustion::endProcessOn);
    private final LockThreads replica = LockThreads.create("cle-replica", MemoryExhaustion::endProcessOn);

    /** The loop that coordinates. */
    public EventLoop coordination() {
        return coordination.loop();
    }

    /** The threads of the election among replicas. */
    public LockThreads replica() {
        return replica;
    }

    @Override
    public void close() {
        replica.close();
        coordination.close();
    }
}

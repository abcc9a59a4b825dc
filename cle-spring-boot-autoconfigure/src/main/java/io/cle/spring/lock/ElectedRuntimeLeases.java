package io.cle.spring.lock;

import java.util.concurrent.CompletionStage;

import io.cle.CoordinatedLeaseLock;
import io.cle.OwnedLock;
import io.cle.spring.lock.internal.ConfiguredLeases;
import io.cle.spring.lock.internal.ElectionLifecycle;
import io.cle.spring.lock.internal.Lease;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.properties.internal.LeaseSettings;
import org.springframework.beans.factory.ObjectProvider;

/** Leases that join elections at run time. */
final class ElectedRuntimeLeases implements RuntimeLeases {

    private final ConfiguredLeases configured;
    private final ObjectProvider<LeaseLockFactory> factory;
    private final Leases leases;
    private final ElectionLifecycle lifecycle;

    ElectedRuntimeLeases(
            ConfiguredLeases configured,
            ObjectProvider<LeaseLockFactory> factory,
            Leases leases,
            ElectionLifecycle lifecycle) {
        this.configured = configured;
        this.factory = factory;
        this.leases = leases;
        this.lifecycle = lifecycle;
    }

    @Override
    public synchronized CoordinatedLeaseLock create(NewLease lease) {
        LeaseSettings settings = configured.add(lease.name(), lease.properties());
        try {
            OwnedLock lock = factory.getObject().create(settings);
            Lease created = Lease.created(lock, settings);
            leases.add(created);
            lifecycle.join(lease, created);
            return lock;
        } catch (RuntimeException e) {
            remove(lease.name());
            throw e;
        }
    }

    @Override
    public CompletionStage<Void> drop(String name) {
        Lease dropped = created(name);
        lifecycle.leave(dropped, () -> remove(name));
        return dropped.gone();
    }

    /** Waits for a creation in progress to succeed or fail. */
    private synchronized Lease created(String name) {
        return leases.getCreated(name);
    }

    private synchronized void remove(String name) {
        leases.remove(name);
        configured.remove(name);
    }
}

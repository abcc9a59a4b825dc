package io.cle.spring.lock;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.CoordinatedLeaseLock;
import io.cle.OwnedLock;
import io.cle.spring.lock.internal.ElectionLifecycle;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.properties.internal.LeaseSettings;
import org.springframework.beans.factory.ObjectProvider;

/** Leases that join elections at run time. */
final class ElectedRuntimeLeases implements RuntimeLeases {

    private final Leases leases;
    private final ObjectProvider<LeaseLockFactory> factory;
    private final LeaseLocks locks;
    private final ElectionLifecycle lifecycle;
    private final Map<String, Created> created = new LinkedHashMap<>();

    /**
     * A lease that was created at run time.
     *
     * @param settings what it was created with
     * @param gone completes when it has been dropped
     * @param leaving whether it is being dropped
     */
    private record Created(LeaseSettings settings, OwnedLock lock, CompletableFuture<Void> gone, boolean leaving) {}

    ElectedRuntimeLeases(
            Leases leases, ObjectProvider<LeaseLockFactory> factory, LeaseLocks locks, ElectionLifecycle lifecycle) {
        this.leases = leases;
        this.factory = factory;
        this.locks = locks;
        this.lifecycle = lifecycle;
    }

    @Override
    public synchronized CoordinatedLeaseLock create(NewLease lease) {
        LeaseSettings settings = leases.add(lease.name(), lease.properties());
        try {
            OwnedLock lock = factory.getObject().create(settings);
            locks.add(lease.name(), lock);
            lifecycle.join(lease, lock);
            created.put(lease.name(), new Created(settings, lock, new CompletableFuture<>(), false));
            return lock;
        } catch (RuntimeException e) {
            remove(lease.name());
            throw e;
        }
    }

    private Created known(String name) {
        Created known = created.get(name);
        if (known == null) {
            throw new IllegalArgumentException(
                    "no lease '" + name + "' was created at run time; those are " + created.keySet());
        }
        return known;
    }

    @Override
    public CompletionStage<Boolean> dropAndDelete(String name) {
        LeaseSettings dropped;
        synchronized (this) {
            dropped = known(name).settings();
        }
        return drop(name).thenCompose(unused -> factory.getObject().delete(dropped));
    }

    @Override
    public CompletionStage<Void> drop(String name) {
        Created dropping;
        synchronized (this) {
            Created known = known(name);
            if (known.leaving()) {
                return known.gone();
            }
            dropping = new Created(known.settings(), known.lock(), known.gone(), true);
            created.put(name, dropping);
        }
        lifecycle.leave(name, dropping.lock()).whenComplete((unused, failure) -> {
            remove(name);
            dropping.gone().complete(null);
        });
        return dropping.gone();
    }

    private synchronized void remove(String name) {
        created.remove(name);
        locks.remove(name);
        leases.remove(name);
    }
}

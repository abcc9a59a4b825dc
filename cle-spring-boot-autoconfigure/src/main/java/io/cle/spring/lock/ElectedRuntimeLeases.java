package io.cle.spring.lock;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.cle.CoordinatedLeaseLock;
import io.cle.InvalidConfigurationException;
import io.cle.OwnedLock;
import io.cle.spring.lock.internal.ElectionLifecycle;
import io.cle.spring.lock.internal.ElectionSettings;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.properties.internal.CheckedProperties;
import io.cle.spring.properties.internal.LeaseSettings;

/** Leases that join elections at run time. */
final class ElectedRuntimeLeases implements RuntimeLeases {

    private final CheckedProperties properties;
    private final Supplier<LeaseLockFactory> factory;
    private final ElectionSettings settings;
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
            CheckedProperties properties,
            Supplier<LeaseLockFactory> factory,
            ElectionSettings settings,
            LeaseLocks locks,
            ElectionLifecycle lifecycle) {
        this.properties = properties;
        this.factory = factory;
        this.settings = settings;
        this.locks = locks;
        this.lifecycle = lifecycle;
    }

    @Override
    public synchronized CoordinatedLeaseLock create(NewLease lease) {
        LeaseSettings resolved = properties.lease(lease.name(), lease.properties());
        refuseTwin(resolved);
        OwnedLock lock = factory.get().create(resolved);
        settings.add(resolved);
        locks.add(lease.name(), lock);
        try {
            lifecycle.join(lease, lock);
        } catch (RuntimeException e) {
            remove(lease.name());
            throw e;
        }
        created.put(lease.name(), new Created(resolved, lock, new CompletableFuture<>(), false));
        return lock;
    }

    private void refuseTwin(LeaseSettings lease) {
        settings.all()
                .filter(other ->
                        other.name().equals(lease.name()) || other.lease().equals(lease.lease()))
                .findFirst()
                .ifPresent(other -> {
                    throw new InvalidConfigurationException(
                            "cle.leases." + lease.name(),
                            lease.name(),
                            "the lease '" + other.name() + "' (" + other.lease()
                                    + ") has the same name or the same Lease",
                            "Give it another name or another namespace, or drop the other lease first.");
                });
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
        return drop(name).thenCompose(unused -> factory.get().delete(dropped));
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
        settings.remove(name);
    }
}

package io.cle.spring.lock;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.cle.CoordinatedLeaseLock;

/** Leases of an application that has switched leader election off. */
final class NeverLeadingRuntimeLeases implements RuntimeLeases {

    private final LeaseLocks locks;
    private final Function<String, CoordinatedLeaseLock> neverLeading;
    private final Set<String> created = new LinkedHashSet<>();

    NeverLeadingRuntimeLeases(LeaseLocks locks, Function<String, CoordinatedLeaseLock> neverLeading) {
        this.locks = locks;
        this.neverLeading = neverLeading;
    }

    @Override
    public synchronized CoordinatedLeaseLock create(NewLease lease) {
        CoordinatedLeaseLock lock = neverLeading.apply(lease.name());
        locks.add(lease.name(), lock);
        created.add(lease.name());
        return lock;
    }

    @Override
    public synchronized CompletionStage<Void> drop(String name) {
        if (!created.remove(name)) {
            throw new IllegalArgumentException("no lease '" + name + "' was created at run time; those are " + created);
        }
        locks.remove(name);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Boolean> dropAndDelete(String name) {
        return drop(name).thenApply(unused -> true);
    }
}

package io.cle.spring.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import io.cle.CoordinatedLeaseLock;
import io.cle.Shard;
import io.cle.Timings;
import io.cle.lock.internal.LockThreads;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.spring.lock.internal.Lease;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.lock.internal.MockedLock;
import io.cle.spring.lock.internal.StandaloneLeaseLockFactory;
import io.cle.spring.properties.internal.LeaseBinder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Leases of an application that has switched leader election off: those that are configured, and those that are created at run time. */
final class NeverLeadingRuntimeLeases implements RuntimeLeases {

    private final Leases leases;
    private final LockThreads threads;

    NeverLeadingRuntimeLeases(Leases leases, LockThreads threads) {
        this.leases = leases;
        this.threads = threads;
    }

    /** Returns the lock of the default lease. */
    static CoordinatedLeaseLock main(Environment environment, LockThreads threads) {
        return neverStarted(
                Stream.of("cle.lease-name", "spring.application.name")
                        .map(environment::getProperty)
                        .filter(StringUtils::hasText)
                        .findFirst()
                        .orElse("application"),
                threads);
    }

    /**
     * Returns the locks of the leases that are configured.
     *
     * @param main the lock of the default lease, which a test may have replaced
     */
    static LeaseLocks locks(CoordinatedLeaseLock main, Environment environment, LockThreads threads) {
        LeaseBinder binder = new LeaseBinder(environment);
        Set<String> sharded = binder.sharded();
        CoordinatedLeaseLock lockOfDefault = MockedLock.withAnswers(main, () -> main(environment, threads));
        List<Lease> all = new ArrayList<>();
        all.add(Lease.configured(lockOfDefault.name(), lockOfDefault, null));
        for (String name : binder.names()) {
            if (sharded.contains(name)) {
                LeaseGroup group = new LeaseGroup("default", name, binder.shards(name));
                for (int index = 0; index < group.shards(); index++) {
                    Shard shard = new Shard(index, group.shards());
                    all.add(Lease.shard(
                            name, shard, neverStarted(group.lease(index).name(), threads)));
                }
            } else {
                all.add(Lease.configured(name, neverStarted(name, threads), null));
            }
        }
        return new LeaseLocks(new Leases(all));
    }

    /** Returns a lock that is never started: it is no candidate, never leads and calls no listener. */
    private static CoordinatedLeaseLock neverStarted(String name, LockThreads threads) {
        return StandaloneLeaseLockFactory.lock(
                new ObjectKey("default", name), name, Timings.DEFAULT, Duration.ZERO, threads);
    }

    @Override
    public synchronized CoordinatedLeaseLock create(NewLease lease) {
        CoordinatedLeaseLock lock = neverStarted(lease.name(), threads);
        leases.add(Lease.created(lease.name(), lock, null));
        return lock;
    }

    @Override
    public synchronized CompletionStage<Void> drop(String name) {
        leases.remove(leases.getCreated(name).name());
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Boolean> dropAndDelete(String name) {
        return drop(name).thenApply(unused -> true);
    }
}

package io.cle.samples.recipes;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.Term;
import io.cle.spring.lock.LeaseLockCustomizer;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.springframework.beans.factory.ObjectProvider;

/**
 * ShedLock on leases: {@code @SchedulerLock} methods run on the leader only, without a table of locks. A lock that is
 * named like a lease needs leadership of that lease, any other lock leadership of the default lease.
 *
 * <p>{@code lockAtMostFor} and {@code lockAtLeastFor} hold within the leader; between processes the lease decides. A lease is released
 * after the tasks that hold locks under it have ended, or after the drain timeout. Thread-safe.
 */
public final class LeaseLockProvider implements LockProvider, LeaseLockCustomizer {

    private final ObjectProvider<CoordinatedLeaseLock> main;
    private final Map<String, CoordinatedLeaseLock> leases = new ConcurrentHashMap<>();
    private final Map<String, Held> held = new ConcurrentHashMap<>();

    /**
     * A lock that a task holds or held.
     *
     * @param lease the lease under which the lock is held
     * @param until when the lock is free again, whether the task has ended or not
     * @param end completes when the task has ended
     */
    private record Held(String lease, Instant until, CompletableFuture<Void> end) {}

    /**
     * Provides locks on the leases of an application.
     *
     * @param main the lock of the default lease
     */
    public LeaseLockProvider(ObjectProvider<CoordinatedLeaseLock> main) {
        this.main = main;
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lease) {
        leases.put(name, lease);
        lease.addListener(new LeadershipListener() {
            @Override
            public CompletionStage<Void> drained(Term term) {
                return CompletableFuture.allOf(held.values().stream()
                        .filter(task -> task.lease().equals(name))
                        .map(Held::end)
                        .toArray(CompletableFuture[]::new));
            }
        });
    }

    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        String name = configuration.getName();
        CoordinatedLeaseLock lease = leases.getOrDefault(name, main.getObject());
        String leaseName = leases.containsKey(name) ? name : lease.name();
        Held mine = new Held(leaseName, configuration.getLockAtMostUntil(), new CompletableFuture<>());
        Instant now = ClockProvider.now();
        Held holder =
                held.compute(name, (key, last) -> last == null || !last.until().isAfter(now) ? mine : last);
        if (!mine.equals(holder)) {
            return Optional.empty();
        }
        // Checked after the lock is taken: if the term ends in between, either the drain waits for the task, or the
        // task doesn't begin.
        if (!lease.isLeader()) {
            held.remove(name, mine);
            mine.end().complete(null);
            return Optional.empty();
        }
        return Optional.of(new Lock(configuration, mine));
    }

    private final class Lock extends AbstractSimpleLock {
        private final Held mine;

        Lock(LockConfiguration configuration, Held mine) {
            super(configuration);
            this.mine = mine;
        }

        @Override
        protected void doUnlock() {
            Held ended = new Held(mine.lease(), lockConfiguration.getUnlockTime(), mine.end());
            held.replace(lockConfiguration.getName(), mine, ended);
            mine.end().complete(null);
        }

        @Override
        protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
            Held longer = new Held(mine.lease(), extended.getLockAtMostUntil(), mine.end());
            return held.replace(extended.getName(), mine, longer)
                    ? Optional.of(new Lock(extended, longer))
                    : Optional.empty();
        }
    }
}

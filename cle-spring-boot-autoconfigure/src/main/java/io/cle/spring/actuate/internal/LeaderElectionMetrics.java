package io.cle.spring.actuate.internal;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.LockSnapshot;
import io.cle.LockSnapshot.Measurements;
import io.cle.LockSnapshot.Timed;
import io.cle.RevokeReason;
import io.cle.Role;
import io.cle.Term;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.NewLease;
import io.cle.spring.lock.internal.Lease;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.lock.internal.WorkLog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * Registers the meters of {@link CleMeter} for every lease, also for leases that are created at run time, and removes the meters of a lease
 * that is dropped. All are registered from the start, at zero, so that rates can be computed.
 */
public final class LeaderElectionMetrics implements MeterBinder, LeaseLockCustomizer {

    private static final String LEASE = "lease";

    private final Leases leases;
    private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();

    /** Measures the leases of an application. */
    public LeaderElectionMetrics(Leases leases) {
        this.leases = leases;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        registries.add(registry);
        leases.all().forEach(lease -> bind(registry, lease));
    }

    private static void bind(MeterRegistry registry, Lease lease) {
        gauges(registry, lease.name(), lease.lock());
        measurements(registry, lease.name(), lease.lock());
        FunctionCounter.builder(CleMeter.LISTENER_FAILURES.id(), lease, Lease::listenerFailures)
                .description(CleMeter.LISTENER_FAILURES.description())
                .tag(LEASE, lease.name())
                .register(registry);
        lease.observeWork(work -> {
            countWork(
                    registry,
                    CleMeter.WORK_FAILURES,
                    lease,
                    work,
                    it -> it.status().failures());
            countWork(
                    registry,
                    CleMeter.WORK_OVERLAPS,
                    lease,
                    work,
                    it -> it.status().overlaps());
        });
        lease.lock().addListener(new Counters(registry, lease.name()));
    }

    private static void countWork(
            MeterRegistry registry, CleMeter meter, Lease lease, WorkLog work, ToDoubleFunction<WorkLog> value) {
        FunctionCounter.builder(meter.id(), work, value)
                .description(meter.description())
                .tag(LEASE, lease.name())
                .tag("work", work.work())
                .register(registry);
    }

    /** Does nothing: the meters of configured leases are registered in {@link #bindTo}. */
    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {}

    @Override
    public void customize(NewLease lease, CoordinatedLeaseLock lock) {
        registries.forEach(registry -> bind(registry, leases.get(lease.name())));
    }

    @Override
    public void dropped(String name) {
        for (MeterRegistry registry : registries) {
            registry.getMeters().stream()
                    .filter(meter -> isOf(name, meter.getId()))
                    .forEach(registry::remove);
        }
    }

    /** Returns whether a meter belongs to a lease, including the meters of its observations and of its led work. */
    private static boolean isOf(String lease, Meter.Id meter) {
        return meter.getName().equals(CleMeter.MASTER_STATUS.id())
                ? lease.equals(meter.getTag("name"))
                : meter.getName().startsWith("cle.") && lease.equals(meter.getTag(LEASE));
    }

    private static void gauges(MeterRegistry registry, String name, CoordinatedLeaseLock lock) {
        Gauge.builder(CleMeter.MASTER_STATUS.id(), lock, it -> it.isLeader() ? 1 : 0)
                .description(CleMeter.MASTER_STATUS.description())
                .tag("name", name)
                .register(registry);
        Gauge.builder(
                        CleMeter.TRANSITIONS.id(),
                        lock,
                        it -> it.snapshot().observed().transitions())
                .description(CleMeter.TRANSITIONS.description())
                .tag(LEASE, name)
                .register(registry);
        Gauge.builder(CleMeter.CONTACT.id(), lock, it -> isAway(it.snapshot()) ? 0 : 1)
                .description(CleMeter.CONTACT.description())
                .tag(LEASE, name)
                .register(registry);
        Gauge.builder(CleMeter.UNCOORDINATED.id(), lock, it -> it.snapshot().raced() ? 1 : 0)
                .description(CleMeter.UNCOORDINATED.description())
                .tag(LEASE, name)
                .register(registry);
        TimeGauge.builder(CleMeter.VALIDITY.id(), lock, TimeUnit.MILLISECONDS, LeaderElectionMetrics::validMillis)
                .description(CleMeter.VALIDITY.description())
                .tag(LEASE, name)
                .register(registry);
    }

    /** Registers meters that read the lock's measurements, so that they add no cost to a renewal. */
    private static void measurements(MeterRegistry registry, String name, CoordinatedLeaseLock lock) {
        timer(registry, CleMeter.RENEWALS, name, lock, Measurements::renewals);
        timer(registry, CleMeter.DRAINS, name, lock, Measurements::drains);
        timer(registry, CleMeter.HAND_OVERS, name, lock, Measurements::handOvers);
        FunctionCounter.builder(
                        CleMeter.RENEWAL_FAILURES.id(),
                        lock,
                        it -> it.snapshot().measurements().failedRenewals())
                .description(CleMeter.RENEWAL_FAILURES.description())
                .tag(LEASE, name)
                .register(registry);
    }

    private static void timer(
            MeterRegistry registry,
            CleMeter meter,
            String name,
            CoordinatedLeaseLock lock,
            Function<Measurements, Timed> which) {
        FunctionTimer.builder(
                        meter.id(),
                        lock,
                        it -> which.apply(it.snapshot().measurements()).count(),
                        it -> which.apply(it.snapshot().measurements()).total().toNanos(),
                        TimeUnit.NANOSECONDS)
                .description(meter.description())
                .tag(LEASE, name)
                .register(registry);
    }

    /** Returns whether the API server doesn't answer. A lock that isn't a candidate sends no requests, so that no answer is missing. */
    private static boolean isAway(LockSnapshot lock) {
        return !lock.contacts().apiServer().ok() && lock.role() != Role.STOPPED;
    }

    private static double validMillis(CoordinatedLeaseLock lock) {
        LockSnapshot.Leading leading = lock.snapshot().leading();
        return leading == null ? 0 : leading.validFor().toMillis();
    }

    /** Counts the events of one lease. */
    private static final class Counters implements LeadershipListener {
        private final MeterRegistry registry;
        private final String lease;
        private final Counter terms;
        private final Counter leaderChanges;

        Counters(MeterRegistry registry, String lease) {
            this.registry = registry;
            this.lease = lease;
            terms = counter(CleMeter.TERMS).register(registry);
            leaderChanges = counter(CleMeter.LEADER_CHANGES).register(registry);
            for (RevokeReason reason : RevokeReason.values()) {
                revocations(reason);
            }
        }

        private Counter.Builder counter(CleMeter meter) {
            return Counter.builder(meter.id()).description(meter.description()).tag(LEASE, lease);
        }

        private Counter revocations(RevokeReason reason) {
            return counter(CleMeter.REVOCATIONS)
                    .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }

        @Override
        public void onGranted(Term term) {
            terms.increment();
        }

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            revocations(reason).increment();
        }

        @Override
        public void onLeaderChanged(@Nullable String holder) {
            leaderChanges.increment();
        }
    }
}

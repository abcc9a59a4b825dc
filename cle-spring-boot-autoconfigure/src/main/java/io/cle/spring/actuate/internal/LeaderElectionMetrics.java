package io.cle.spring.actuate.internal;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
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
import io.cle.spring.lock.internal.Lease;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.lock.internal.WorkLog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * Registers the meters of {@link CleMeter} for every lease before the process joins it, at zero, so that rates can be computed. The shards of a
 * lease have one set of meters in common: counters, timers and transitions are sums over them, and states are those of the shard that is worst off.
 */
public final class LeaderElectionMetrics implements MeterBinder, LeaseLockCustomizer {

    private final Leases leases;
    private final List<MeterRegistry> registries = new ArrayList<>();
    /** The common names of the leases that are measured. */
    private final Set<String> measured = new LinkedHashSet<>();

    /** Measures the leases of an application. */
    public LeaderElectionMetrics(Leases leases) {
        this.leases = leases;
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        registries.add(registry);
        measured.forEach(name -> bind(registry, name));
    }

    private void bind(MeterRegistry registry, String commonName) {
        new Measured(commonName, leases.of(commonName)).bindTo(registry);
    }

    @Override
    public synchronized void customize(String name, CoordinatedLeaseLock lock) {
        String commonName = leases.get(name).commonName();
        if (measured.add(commonName)) {
            registries.forEach(registry -> bind(registry, commonName));
        }
    }

    /** Returns whether the API server doesn't answer. A lock that isn't a candidate sends no requests, so that no answer is missing. */
    private static boolean isAway(LockSnapshot lock) {
        return !lock.contacts().apiServer().ok() && lock.role() != Role.STOPPED;
    }

    /** A lease without shards, or all shards of a lease. The registry refers to it weakly, and the listeners of the locks strongly. */
    private static final class Measured {
        private final String name;
        private final List<Lease> parts;
        private final Tags process;
        private final Tags tags;

        Measured(String name, List<Lease> parts) {
            this.name = name;
            this.parts = parts;
            LockSnapshot lock = parts.get(0).lock().snapshot();
            this.process = Tags.of("lease_namespace", lock.lease().namespace(), "identity", lock.identity());
            this.tags = process.and("lease", name);
        }

        void bindTo(MeterRegistry registry) {
            if (parts.stream().anyMatch(part -> part.shard().isPresent())) {
                gauge(registry, CleMeter.SHARDS, it -> it.parts.size());
                gauge(registry, CleMeter.SHARDS_HELD, Measured::held);
            } else {
                Gauge.builder(CleMeter.MASTER_STATUS.id(), this, Measured::held)
                        .description(CleMeter.MASTER_STATUS.description())
                        .tags(process.and("name", name))
                        .register(registry);
            }
            gauge(
                    registry,
                    CleMeter.TRANSITIONS,
                    it -> it.sum(lock -> lock.observed().transitions()));
            gauge(registry, CleMeter.CONTACT, it -> it.any(LeaderElectionMetrics::isAway) ? 0 : 1);
            gauge(registry, CleMeter.UNCOORDINATED, it -> it.any(LockSnapshot::raced) ? 1 : 0);
            TimeGauge.builder(CleMeter.VALIDITY.id(), this, TimeUnit.MILLISECONDS, Measured::validMillis)
                    .description(CleMeter.VALIDITY.description())
                    .tags(tags)
                    .register(registry);
            timer(registry, CleMeter.RENEWALS, Measurements::renewals);
            timer(registry, CleMeter.DRAINS, Measurements::drains);
            timer(registry, CleMeter.HAND_OVERS, Measurements::handOvers);
            counter(
                    registry,
                    CleMeter.RENEWAL_FAILURES,
                    it -> it.sum(lock -> lock.measurements().failedRenewals()));
            counter(
                    registry,
                    CleMeter.LISTENER_FAILURES,
                    it -> it.parts.stream().mapToLong(Lease::listenerFailures).sum());
            parts.stream()
                    .flatMap(part -> part.work().stream())
                    .map(WorkLog.Status::work)
                    .distinct()
                    .forEach(work -> {
                        countWork(registry, CleMeter.WORK_FAILURES, work, WorkLog.Status::failures);
                        countWork(registry, CleMeter.WORK_OVERLAPS, work, WorkLog.Status::overlaps);
                    });
            for (Lease part : parts) {
                part.lock().addListener(new Counters(this, registry).registered());
            }
        }

        private void gauge(MeterRegistry registry, CleMeter meter, ToDoubleFunction<Measured> value) {
            Gauge.builder(meter.id(), this, value)
                    .description(meter.description())
                    .tags(tags)
                    .register(registry);
        }

        private void counter(MeterRegistry registry, CleMeter meter, ToDoubleFunction<Measured> value) {
            FunctionCounter.builder(meter.id(), this, value)
                    .description(meter.description())
                    .tags(tags)
                    .register(registry);
        }

        /** Registers a timer that reads the locks' measurements, so that it adds no cost to a renewal. */
        private void timer(MeterRegistry registry, CleMeter meter, Function<Measurements, Timed> which) {
            FunctionTimer.builder(
                            meter.id(),
                            this,
                            it -> (long) it.sum(
                                    lock -> which.apply(lock.measurements()).count()),
                            it -> it.sum(lock ->
                                    which.apply(lock.measurements()).total().toNanos()),
                            TimeUnit.NANOSECONDS)
                    .description(meter.description())
                    .tags(tags)
                    .register(registry);
        }

        private void countWork(
                MeterRegistry registry, CleMeter meter, String work, ToDoubleFunction<WorkLog.Status> value) {
            FunctionCounter.builder(
                            meter.id(),
                            this,
                            it -> it.parts.stream()
                                    .flatMap(part -> part.work().stream())
                                    .filter(status -> status.work().equals(work))
                                    .mapToDouble(value)
                                    .sum())
                    .description(meter.description())
                    .tags(tags.and("work", work))
                    .register(registry);
        }

        private double held() {
            return parts.stream().filter(part -> part.lock().isLeader()).count();
        }

        private double sum(ToDoubleFunction<LockSnapshot> value) {
            return parts.stream()
                    .map(part -> part.lock().snapshot())
                    .mapToDouble(value)
                    .sum();
        }

        private boolean any(Predicate<LockSnapshot> what) {
            return parts.stream().map(part -> part.lock().snapshot()).anyMatch(what);
        }

        /** Returns how long this process may lead the part whose term ends first without a renewal; 0 if it leads none. */
        private double validMillis() {
            return parts.stream()
                    .map(part -> part.lock().snapshot().leading())
                    .filter(Objects::nonNull)
                    .mapToDouble(leading -> leading.validFor().toMillis())
                    .min()
                    .orElse(0);
        }
    }

    /** Counts the events of one lease. */
    private record Counters(Measured measured, MeterRegistry registry) implements LeadershipListener {

        /** Registers the counters at zero. */
        Counters registered() {
            counter(CleMeter.TERMS);
            counter(CleMeter.LEADER_CHANGES);
            for (RevokeReason reason : RevokeReason.values()) {
                revocations(reason);
            }
            return this;
        }

        private Counter counter(CleMeter meter, String... furtherTags) {
            return Counter.builder(meter.id())
                    .description(meter.description())
                    .tags(measured.tags.and(furtherTags))
                    .register(registry);
        }

        private Counter revocations(RevokeReason reason) {
            return counter(CleMeter.REVOCATIONS, "reason", reason.name().toLowerCase(Locale.ROOT));
        }

        @Override
        public void onGranted(Term term) {
            counter(CleMeter.TERMS).increment();
        }

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            revocations(reason).increment();
        }

        @Override
        public void onLeaderChanged(@Nullable String holder) {
            counter(CleMeter.LEADER_CHANGES).increment();
        }
    }
}

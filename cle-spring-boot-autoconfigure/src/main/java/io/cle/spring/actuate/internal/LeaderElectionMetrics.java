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
import io.cle.spring.lock.internal.ApplicationLease;
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
 * Registers the meters of every lease at zero before the process joins it, so that rates can be computed. All have the
 * tags {@code lease_namespace}, the namespace of the Lease, and {@code identity}, this process's identity as a candidate.
 * None has a tag that Prometheus' service discovery sets, such as {@code namespace}. The shards of a lease share one set
 * of meters: counters, timers and transitions are sums over the shards, and states are those of the worst shard.
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

    /** Returns whether the API server doesn't answer. A lock that isn't a candidate sends no requests, so no answer is missing. */
    private static boolean isAway(LockSnapshot lock) {
        return !lock.contacts().apiServer().ok() && lock.role() != Role.STOPPED;
    }

    /** A lease without shards, or all shards of a lease. The registry refers to it weakly, and the listeners of the locks strongly. */
    private static final class Measured {
        private final String name;
        private final List<ApplicationLease> parts;
        private final Tags process;
        private final Tags tags;

        Measured(String name, List<ApplicationLease> parts) {
            this.name = name;
            this.parts = parts;
            LockSnapshot lock = parts.get(0).lock().snapshot();
            this.process = Tags.of("lease_namespace", lock.lease().namespace(), "identity", lock.identity());
            this.tags = process.and("lease", name);
        }

        void bindTo(MeterRegistry registry) {
            if (parts.stream().anyMatch(part -> part.shard().isPresent())) {
                gauge(registry, "cle.shards", "How many shards the lease has", it -> it.parts.size());
                gauge(registry, "cle.shards.held", "How many shards of the lease this process leads", Measured::held);
            } else {
                // client-go's gauge.
                Gauge.builder("leader.election.master.status", this, Measured::held)
                        .description("Whether this process leads the lease (1) or not (0)")
                        .tags(process.and("name", name))
                        .register(registry);
            }
            gauge(
                    registry,
                    "cle.transitions",
                    "Changes of the holder, as counted on the lease",
                    it -> it.sum(lock -> lock.observed().transitions()));
            gauge(
                    registry,
                    "cle.api.contact",
                    "Whether the API server answers, as far as it is asked (1), or not (0)",
                    it -> it.any(LeaderElectionMetrics::isAway) ? 0 : 1);
            gauge(
                    registry,
                    "cle.uncoordinated",
                    "Whether this process leads a lease that no coordinator has elected it for (1) or not (0)",
                    it -> it.any(LockSnapshot::raced) ? 1 : 0);
            TimeGauge.builder("cle.validity", this, TimeUnit.MILLISECONDS, Measured::validMillis)
                    .description("Time for which this process may still lead without another renewal")
                    .tags(tags)
                    .register(registry);
            timer(
                    registry,
                    "cle.renewals",
                    "Renewals of the lease that have succeeded, from sending to answer",
                    Measurements::renewals);
            timer(
                    registry,
                    "cle.handovers",
                    "From the end of a term until the lease was handed over or released",
                    Measurements::handOvers);
            counter(
                    registry,
                    "cle.renewal.failures",
                    "Renewals of the lease that have failed, or whose outcome is unknown",
                    tags,
                    it -> it.sum(lock -> lock.measurements().failedRenewals()));
            parts.stream()
                    .flatMap(part -> part.work().stream())
                    .map(WorkLog.Status::work)
                    .distinct()
                    .forEach(work -> {
                        countWork(
                                registry,
                                "cle.work.failures",
                                "Failures of led work while its term lasted",
                                work,
                                WorkLog.Status::failures);
                        countWork(
                                registry,
                                "cle.work.overlaps",
                                "Runs of led work that went on when another process may have led",
                                work,
                                WorkLog.Status::overlaps);
                    });
            for (ApplicationLease part : parts) {
                part.lock().addListener(new Counters(this, registry).registered());
            }
        }

        private void gauge(MeterRegistry registry, String meter, String what, ToDoubleFunction<Measured> value) {
            Gauge.builder(meter, this, value).description(what).tags(tags).register(registry);
        }

        private void counter(
                MeterRegistry registry, String meter, String what, Tags tags, ToDoubleFunction<Measured> value) {
            FunctionCounter.builder(meter, this, value)
                    .description(what)
                    .tags(tags)
                    .register(registry);
        }

        /** Registers a timer that reads the locks' measurements, so that it adds no cost to a renewal. */
        private void timer(MeterRegistry registry, String meter, String what, Function<Measurements, Timed> which) {
            FunctionTimer.builder(
                            meter,
                            this,
                            it -> (long) it.sum(
                                    lock -> which.apply(lock.measurements()).count()),
                            it -> it.sum(lock ->
                                    which.apply(lock.measurements()).total().toNanos()),
                            TimeUnit.NANOSECONDS)
                    .description(what)
                    .tags(tags)
                    .register(registry);
        }

        private void countWork(
                MeterRegistry registry,
                String meter,
                String what,
                String work,
                ToDoubleFunction<WorkLog.Status> value) {
            counter(
                    registry,
                    meter,
                    what,
                    tags.and("work", work),
                    it -> it.parts.stream()
                            .flatMap(part -> part.work().stream())
                            .filter(status -> status.work().equals(work))
                            .mapToDouble(value)
                            .sum());
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

        /** Returns the shortest time for which this process may still lead one of the parts without a renewal; 0 if it leads none. */
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
            terms();
            leaderChanges();
            for (RevokeReason reason : RevokeReason.values()) {
                revocations(reason);
            }
            return this;
        }

        private Counter terms() {
            return counter("cle.terms", "Terms that have begun in this process");
        }

        private Counter leaderChanges() {
            return counter("cle.leader.changes", "Changes of the holder that this process has seen");
        }

        private Counter revocations(RevokeReason reason) {
            String tag = reason.name().toLowerCase(Locale.ROOT);
            return counter("cle.revocations", "Terms that have ended in this process", "reason", tag);
        }

        private Counter counter(String meter, String what, String... furtherTags) {
            return Counter.builder(meter)
                    .description(what)
                    .tags(measured.tags.and(furtherTags))
                    .register(registry);
        }

        @Override
        public void onGranted(Term term) {
            terms().increment();
        }

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            revocations(reason).increment();
        }

        @Override
        public void onLeaderChanged(@Nullable String holder) {
            leaderChanges().increment();
        }
    }
}

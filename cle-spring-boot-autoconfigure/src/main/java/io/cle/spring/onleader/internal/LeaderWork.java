package io.cle.spring.onleader.internal;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import io.cle.CoordinatedLeaseLock;
import io.cle.InvalidConfigurationException;
import io.cle.loop.internal.Clock;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.internal.ElectionLifecycle;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.migration.internal.LeaderMigration;
import io.cle.spring.onleader.OnLeaderUsageException;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * All led work of an application context, by its leases. Found after all singletons are created; work for a lease that doesn't exist, or in a
 * context whose locks are its parent's, fails the start. Thread-safe.
 */
public final class LeaderWork implements SmartInitializingSingleton, LeaseLockCustomizer, SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(LeaderWork.class);

    private final OnLeaderBeans beans;
    private final OnLeaderPostProcessor processor;
    private final OnLeaderProperties properties;
    private final Executor threads;
    private final ObjectProvider<Leases> leases;
    private final ObjectProvider<LeaderMigration> migration;
    private final ObjectProvider<ObservationRegistry> observations;
    private final boolean enabled;
    /** {@code cle.keep-alive}; {@code null} if it isn't set. */
    private final @Nullable Boolean keptAlive;

    private final KeepAlive keepAlive = new KeepAlive();
    /** The name of the lease of each target that was looked up. */
    private final Map<OnLeaderBean.Target, Optional<String>> names = new ConcurrentHashMap<>();

    private volatile @Nullable Map<String, LeaseWork> byLease;
    /** The same by the common names of the leases; those of the shards of one lease are in their order. */
    private volatile Map<String, List<LeaseWork>> byCommonName = Map.of();
    /** Whether the context is started. */
    private final AtomicBoolean running = new AtomicBoolean();

    /**
     * Creates the work of a context. Beans may be missing: without leases no process leads, and nothing runs.
     *
     * @param environment has {@code cle.enabled} and {@code cle.keep-alive}
     * @param processor finds and guards the beans with led work
     * @param threads makes the threads of the work as Boot makes its own: virtual if those are enabled, and with the application's task
     *     decorators, which pass contexts on
     * @param observations observes each run
     */
    public LeaderWork(
            Environment environment,
            OnLeaderPostProcessor processor,
            OnLeaderProperties properties,
            ObjectProvider<SimpleAsyncTaskExecutorBuilder> threads,
            ObjectProvider<Leases> leases,
            ObjectProvider<LeaderMigration> migration,
            ObjectProvider<ObservationRegistry> observations) {
        this.enabled = environment.getProperty("cle.enabled", Boolean.class, true);
        this.keptAlive = environment.getProperty("cle.keep-alive", Boolean.class);
        this.beans = processor.beans();
        this.processor = processor;
        this.properties = properties;
        this.threads = threads(threads.getIfAvailable(SimpleAsyncTaskExecutorBuilder::new));
        this.leases = leases;
        this.migration = migration;
        this.observations = observations;
    }

    private static Executor threads(SimpleAsyncTaskExecutorBuilder builder) {
        SimpleAsyncTaskExecutor threads = builder.build();
        threads.setDaemon(true);
        // A limit would make the thread that calls listeners wait for work that only ends when its term does.
        threads.setConcurrencyLimit(SimpleAsyncTaskExecutor.UNBOUNDED_CONCURRENCY);
        return threads;
    }

    @Override
    public void afterSingletonsInstantiated() {
        byLease();
    }

    /** Finds the work on the first call, which may come before this bean's own callback. */
    private synchronized Map<String, LeaseWork> byLease() {
        Map<String, LeaseWork> known = byLease;
        if (known == null) {
            known = findAll();
            byCommonName = known.values().stream()
                    .collect(Collectors.groupingBy(work -> work.lease().commonName()));
            byLease = known;
        }
        return known;
    }

    private Map<String, LeaseWork> findAll() {
        List<OnLeaderBean> found = beans.findAll();
        processor.checkGuarded(found);
        if (enabled) {
            checkDelay();
        } else if (!found.isEmpty()) {
            log.info(
                    "Leader election is switched off (cle.enabled=false): no process leads, and nothing that is annotated"
                            + " with @OnLeader runs: {}; set cle.mode=standalone instead to lead without a cluster",
                    found.stream().map(OnLeaderBean::name).toList());
        }
        if (beans.locksAreInherited() && !found.isEmpty()) {
            throw OnLeaderRules.inChildContext(found.get(0));
        }
        if (beans.locksAreInherited() || leases.getIfAvailable() == null) {
            return Map.of();
        }
        migration
                .getObject()
                .check(found.stream()
                        .flatMap(bean -> bean.controllers().stream())
                        .collect(Collectors.toCollection(TreeSet::new)));
        Map<String, LeaseWork> work = new LinkedHashMap<>();
        addLeases(work);
        found.forEach(bean -> add(bean, work));
        work.values().forEach(LeaseWork::show);
        return work;
    }

    /** Adds the work of a bean to that of its leases. */
    private void add(OnLeaderBean bean, Map<String, LeaseWork> work) {
        bean.work().forEach((method, target) -> {
            String place = OnLeaderBean.place(bean.name(), method);
            String name = OnLeaderBean.workName(bean.name(), method);
            LeaderMethod body = new LeaderMethod(beans.factory(), bean.name(), method);
            List<LeaseWork> led = find(target, place, work);
            for (LeaseWork lease : led) {
                OnLeaderRules.checkWorkOf(lease.lease(), place, method);
                lease.addTask(name, target.interrupt(), body);
            }
            if (enabled && !led.isEmpty()) {
                // Otherwise somebody who meant it as a guard for its callers would notice only in the first term.
                log.info(
                        "Lease {}: {} has no trigger such as @Scheduled, so it runs each time this process begins to lead, and other"
                                + " beans can't call it",
                        led.get(0).lease().commonName(),
                        name);
            }
        });
        bean.guards().forEach((method, guard) -> {
            String place = OnLeaderBean.place(bean.name(), method);
            for (LeaseWork lease : find(guard.target(), place, work)) {
                OnLeaderRules.checkGuardOf(lease.lease(), place, method);
                lease.addGuard(OnLeaderBean.workName(bean.name(), method));
            }
        });
        bean.lifecycle().ifPresent(target -> {
            LeaderLifecycle lifecycle = new LeaderLifecycle(beans.factory(), bean.name());
            String place = "bean '" + bean.name() + "'";
            for (LeaseWork lease : find(target, place, work)) {
                OnLeaderRules.checkLifecycleOf(lease.lease(), place);
                lease.addTask(bean.name(), target.interrupt(), lifecycle);
            }
        });
    }

    /** Returns the work of the target's lease, or of each of its shards; empty if another application leads it. */
    private List<LeaseWork> find(OnLeaderBean.Target target, String place, Map<String, LeaseWork> work) {
        Optional<String> name = leaseOf(target, place);
        // The default lease is joined by its work.
        addLeases(work);
        log.debug("{} is led by the lease {}", place, name.orElse("of another application"));
        return work.values().stream()
                .filter(lease -> name.filter(lease.lease().commonName()::equals).isPresent())
                .toList();
    }

    private void addLeases(Map<String, LeaseWork> work) {
        leases.getObject()
                .all()
                .forEach(lease -> work.computeIfAbsent(lease.name(), unused -> new LeaseWork(lease, shared())));
    }

    private LeaseWork.Shared shared() {
        return new LeaseWork.Shared(
                properties, Clock.system(), threads, observations.getIfUnique(() -> ObservationRegistry.NOOP));
    }

    private void checkDelay() {
        Duration delay = properties.retryDelay();
        if (delay.toMillis() <= 0) {
            throw new InvalidConfigurationException(
                    "cle.on-leader.retry-delay",
                    delay.toMillis() + "ms",
                    "it must be above zero: work that fails at once would be run again without any pause",
                    "Set cle.on-leader.retry-delay to 1ms or above; the default is 1s.");
        }
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        LeaseWork work = byLease().get(name);
        if (work != null) {
            work.attach();
        }
    }

    /**
     * Treats led work that closes the context, as {@code SpringApplication.exit} does, as ended: it can't end before the close, which waits
     * for all led work. Runs before the end of the terms, which would interrupt its thread, and with it the close.
     */
    @EventListener
    @Order(ElectionLifecycle.CLOSE_ORDER - 1)
    void onClose(ContextClosedEvent event) {
        // Spring publishes the close of a child context to its parent, too.
        if (event.getApplicationContext().getAutowireCapableBeanFactory() == beans.factory()) {
            byLease().values().forEach(LeaseWork::endRunsOfThisThread);
        }
    }

    @Override
    public void start() {
        if (!running.compareAndSet(false, true)) {
            return;
        }
        boolean hasTasks = byLease().values().stream().anyMatch(LeaseWork::isStarted);
        keepAlive.set(enabled && Objects.requireNonNullElse(keptAlive, hasTasks));
    }

    @Override
    public void stop() {
        running.set(false);
        keepAlive.set(false);
    }

    @Override
    public boolean isRunning() {
        return running.get();
    }

    /** Returns the highest phase: stopped before everything else in its context, and started last. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }

    /**
     * Returns the work of the lease that an annotation names, or of each of its shards; empty if no process leads, or another application
     * leads it.
     */
    List<LeaseWork> under(OnLeaderBean.Target target, String place) {
        // No process leads yet while beans are created: candidacies begin when the application is ready.
        Map<String, List<LeaseWork>> all = byCommonName;
        return all.isEmpty()
                ? List.of()
                : leaseOf(target, place)
                        .map(name -> all.getOrDefault(name, List.of()))
                        .orElse(List.of());
    }

    /** Returns the common name of a target's lease; empty if it is a controller that doesn't run here. Looks it up once. */
    private Optional<String> leaseOf(OnLeaderBean.Target target, String place) {
        Optional<String> known = names.get(target);
        if (known == null) {
            known = findLease(target, place);
            names.put(target, known);
        }
        return known;
    }

    private Optional<String> findLease(OnLeaderBean.Target target, String place) {
        Leases all = leases.getObject();
        String controller = target.controller();
        if (!controller.isEmpty() && !migration.getObject().runsHere(controller)) {
            return Optional.empty();
        }
        String named = controller.isEmpty()
                ? target.lease()
                : migration.getObject().leaseOf(controller).orElse("");
        return Optional.of(named.isEmpty() ? all.main().name() : known(named, all, place));
    }

    private static String known(String lease, Leases all, String place) {
        if (!all.has(lease)) {
            Set<String> leases = new LinkedHashSet<>(Set.of(all.mainName()));
            leases.addAll(all.commonNames());
            throw new OnLeaderUsageException(
                    place,
                    "names the lease '" + lease + "', which does not exist; the leases are " + leases,
                    "Configure it by cle.leases." + lease + ".*, or name one of " + leases + ".");
        }
        return lease;
    }
}

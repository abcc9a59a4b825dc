package io.cle.spring.onleader.internal;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

import io.cle.CoordinatedLeaseLock;
import io.cle.loop.internal.Clock;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.internal.ApplicationLease;
import io.cle.spring.lock.internal.ElectionLifecycle;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.migration.internal.LeaderMigration;
import io.cle.spring.onleader.OnLeaderUsageException;
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
 * All led work of an application context, by lease. The work is found after all singletons are created. Work for a
 * lease that doesn't exist, or in a context whose locks are its parent's, fails the start. Thread-safe.
 */
public final class LeaderWork implements SmartInitializingSingleton, LeaseLockCustomizer, SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(LeaderWork.class);

    private final OnLeaderBeans beans;
    private final OnLeaderPostProcessor processor;
    private final ObjectProvider<Leases> leases;
    private final ObjectProvider<LeaderMigration> migration;
    private final LeaseWork.Shared shared;
    private final boolean enabled;
    /** {@code cle.keep-alive}; {@code null} if it isn't set. */
    private final @Nullable Boolean keptAlive;

    /** The work of each lease, by the name of the lease. */
    private final Map<String, LeaseWork> byLease = new ConcurrentHashMap<>();
    /** The work of the leases of each target that was looked up. */
    private final Map<OnLeaderBean.Target, List<LeaseWork>> byTarget = new ConcurrentHashMap<>();
    /** Whether all work is found. No process leads while beans are created: candidacies begin when the application is ready. */
    private volatile boolean found;
    /** Keeps the process alive while led work waits for its term; all other threads of an election are daemons. */
    private volatile @Nullable Thread keepAlive;
    /** Whether the context is started. */
    private volatile boolean running;

    /**
     * Creates the work of a context. Beans may be missing: without leases no process leads, and nothing runs.
     *
     * @param environment has {@code cle.enabled} and {@code cle.keep-alive}
     * @param processor finds and guards the beans with led work
     * @param threads creates the threads of the work like Boot's own: virtual if those are enabled, and with the
     *     application's task decorators, which propagate contexts
     */
    public LeaderWork(
            Environment environment,
            OnLeaderPostProcessor processor,
            OnLeaderProperties properties,
            ObjectProvider<SimpleAsyncTaskExecutorBuilder> threads,
            ObjectProvider<Leases> leases,
            ObjectProvider<LeaderMigration> migration) {
        this.enabled = environment.getProperty("cle.enabled", Boolean.class, true);
        this.keptAlive = environment.getProperty("cle.keep-alive", Boolean.class);
        this.beans = processor.beans();
        this.processor = processor;
        this.leases = leases;
        this.migration = migration;
        this.shared = new LeaseWork.Shared(
                properties, Clock.system(), threads(threads.getIfAvailable(SimpleAsyncTaskExecutorBuilder::new)));
    }

    private static Executor threads(SimpleAsyncTaskExecutorBuilder builder) {
        SimpleAsyncTaskExecutor threads = builder.build();
        threads.setDaemon(true);
        // With a limit, the thread that calls listeners would wait for work that only ends with its term.
        threads.setConcurrencyLimit(SimpleAsyncTaskExecutor.UNBOUNDED_CONCURRENCY);
        return threads;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<OnLeaderBean> all = beans.findAll();
        processor.checkGuarded(all);
        if (!enabled && !all.isEmpty()) {
            log.info(
                    "Leader election is switched off (cle.enabled=false): no process leads, and nothing that is annotated"
                            + " with @OnLeader runs: {}; set cle.mode=standalone instead to lead without a cluster",
                    all.stream().map(OnLeaderBean::name).toList());
        }
        if (beans.locksAreInherited() && !all.isEmpty()) {
            throw OnLeaderRules.inChildContext(all.get(0));
        }
        if (!beans.locksAreInherited() && leases.getIfAvailable() != null) {
            migration
                    .getObject()
                    .check(all.stream()
                            .flatMap(bean -> bean.controllers().stream())
                            .collect(Collectors.toCollection(TreeSet::new)));
            all.forEach(this::add);
            found = true;
        }
    }

    /** Adds the work of a bean to that of its leases. */
    private void add(OnLeaderBean bean) {
        bean.work().forEach((method, target) -> {
            String place = OnLeaderBean.place(bean.name(), method);
            String name = OnLeaderBean.workName(bean.name(), method);
            LeaderMethod body = new LeaderMethod(beans.factory(), bean.name(), method);
            List<LeaseWork> led = find(target, place);
            for (LeaseWork lease : led) {
                OnLeaderRules.checkWorkOf(lease.lease(), place, method);
                lease.addTask(name, target.interrupt(), body);
            }
            if (enabled && !led.isEmpty()) {
                // Otherwise a developer who meant @OnLeader as a guard for callers would notice only in the first term.
                log.info(
                        "Lease {}: {} has no trigger such as @Scheduled, so it runs each time this process begins to lead, and other"
                                + " beans can't call it",
                        led.get(0).lease().commonName(),
                        name);
            }
        });
        bean.guards().forEach((method, guard) -> {
            String place = OnLeaderBean.place(bean.name(), method);
            for (LeaseWork lease : find(guard.target(), place)) {
                OnLeaderRules.checkGuardOf(lease.lease(), place, method);
                lease.addGuard(OnLeaderBean.workName(bean.name(), method));
            }
        });
        bean.lifecycle().ifPresent(target -> {
            String place = "bean '" + bean.name() + "'";
            for (LeaseWork lease : find(target, place)) {
                OnLeaderRules.checkLifecycleOf(lease.lease(), place);
                lease.addTask(bean.name(), target.interrupt(), new LeaderLifecycle(beans.factory(), bean.name()));
            }
        });
    }

    /**
     * Returns the work of the lease that an annotation names, or of each of its shards; empty if the annotation names a
     * controller that doesn't run here. Joins the lease if it is the default one. Looks each target up once.
     */
    private List<LeaseWork> find(OnLeaderBean.Target target, String place) {
        List<LeaseWork> known = byTarget.get(target);
        if (known == null) {
            known = leaseOf(target, place)
                    .map(name ->
                            leases.getObject().of(name).stream().map(this::of).toList())
                    .orElse(List.of());
            byTarget.put(target, known);
        }
        return known;
    }

    private LeaseWork of(ApplicationLease lease) {
        return byLease.computeIfAbsent(lease.name(), unused -> new LeaseWork(lease, shared));
    }

    /** Like {@link #find}, but also empty if no process leads. */
    List<LeaseWork> under(OnLeaderBean.Target target, String place) {
        return found ? find(target, place) : List.of();
    }

    /** Returns the common name of a target's lease; empty if it is a controller that doesn't run here. */
    private Optional<String> leaseOf(OnLeaderBean.Target target, String place) {
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
            Set<String> names = new LinkedHashSet<>(Set.of(all.mainName()));
            names.addAll(all.commonNames());
            throw new OnLeaderUsageException(
                    place,
                    "names the lease '" + lease + "', which does not exist; the leases are " + names,
                    "Configure it by cle.leases." + lease + ".*, or name one of " + names + ".");
        }
        return lease;
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        if (found) {
            of(leases.getObject().get(name)).attach();
        }
    }

    /**
     * Treats led work that closes the context, as {@code SpringApplication.exit} does, as ended: the close waits for
     * all led work, and this work can't end before the close. Runs before the terms end, because their end would
     * interrupt the work's thread, and with it the close.
     */
    @EventListener
    @Order(ElectionLifecycle.CLOSE_ORDER - 1)
    void onClose(ContextClosedEvent event) {
        // Spring publishes the close of a child context to its parent, too.
        if (event.getApplicationContext().getAutowireCapableBeanFactory() == beans.factory()) {
            byLease.values().forEach(LeaseWork::endRunsOfThisThread);
        }
    }

    @Override
    public void start() {
        running = true;
        boolean hasTasks = byLease.values().stream().anyMatch(LeaseWork::isStarted);
        if (enabled && Objects.requireNonNullElse(keptAlive, hasTasks)) {
            Thread thread = new Thread(LeaderWork::awaitInterrupt, "cle-keep-alive");
            thread.setDaemon(false);
            thread.start();
            keepAlive = thread;
        }
    }

    private static void awaitInterrupt() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException notNeededAnyMore) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop() {
        running = false;
        Thread thread = keepAlive;
        if (thread != null) {
            thread.interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Returns the highest phase: stopped before everything else in its context, and started last. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}

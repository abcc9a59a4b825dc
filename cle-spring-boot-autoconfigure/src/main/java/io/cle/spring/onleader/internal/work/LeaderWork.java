package io.cle.spring.onleader.internal.work;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.cle.CoordinatedLeaseLock;
import io.cle.InvalidConfigurationException;
import io.cle.runtime.internal.loop.Clock;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.NewLease;
import io.cle.spring.lock.internal.ElectionLifecycle;
import io.cle.spring.lock.internal.ElectionSettings;
import io.cle.spring.migration.internal.ControllerAssignments;
import io.cle.spring.onleader.LeaderWorkObservationConvention;
import io.cle.spring.onleader.OnLeaderUsageException;
import io.cle.spring.onleader.internal.bean.OnLeaderBean;
import io.cle.spring.onleader.internal.bean.OnLeaderBeans;
import io.cle.spring.onleader.internal.bean.OnLeaderTarget;
import io.cle.spring.properties.internal.LeaseSettings;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;

/**
 * All led work of an application context, by its leases. Found when all singletons are there; work for a lease that doesn't exist fails
 * the start. If the context's locks are its parent's, its work begins when the context is started, also in a term that is running, and
 * ends before its beans are stopped, while the parent may go on leading. The work of a context with locks of its own follows their
 * lifecycle. Thread-safe.
 */
public final class LeaderWork implements SmartInitializingSingleton, LeaseLockCustomizer, SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(LeaderWork.class);

    private final ObjectProvider<LeaseLocks> locks;
    private final ObjectProvider<ElectionSettings> settings;
    private final ObjectProvider<ControllerAssignments> assignments;
    private final ApplicationEventPublisher events;
    private final OnLeaderBeans beans;
    private final OnLeaderProperties properties;
    private final Executor threads;
    private final List<BiConsumer<String, Collection<WorkLog>>> observers = new CopyOnWriteArrayList<>();
    private final Supplier<ObservationRegistry> observations;
    private final Supplier<@Nullable LeaderWorkObservationConvention> convention;
    private final ObjectProvider<TermObservations> terms;
    /** The work of contexts whose parent this one's is. */
    private final List<LeaderWork> children = new CopyOnWriteArrayList<>();

    private volatile List<LeaderLifecycle> lifecycles = List.of();
    private volatile @Nullable Map<String, LeaseWork> byLease;
    /** Whether the context is started. */
    private final AtomicBoolean running = new AtomicBoolean();

    /**
     * Made of beans that may be missing: without locks no process leads, and nothing runs.
     *
     * @param beans finds the beans with led work
     * @param events where failures are published
     * @param threads must start a thread for each task, and never run one on its caller's
     * @param observations observes each run
     * @param convention the application's own convention of these observations, if it has one
     * @param terms the observations that those of the runs are children of
     */
    public LeaderWork(
            ObjectProvider<LeaseLocks> locks,
            ObjectProvider<ElectionSettings> settings,
            ObjectProvider<ControllerAssignments> assignments,
            ApplicationEventPublisher events,
            OnLeaderBeans beans,
            OnLeaderProperties properties,
            Executor threads,
            Supplier<ObservationRegistry> observations,
            Supplier<@Nullable LeaderWorkObservationConvention> convention,
            ObjectProvider<TermObservations> terms) {
        this.locks = locks;
        this.settings = settings;
        this.assignments = assignments;
        this.events = events;
        this.beans = beans;
        this.properties = properties;
        this.threads = threads;
        this.observations = observations;
        this.convention = convention;
        this.terms = terms;
    }

    @Override
    public void afterSingletonsInstantiated() {
        byLease();
    }

    /** Finds the work if this is the first who asks: meters may be bound before this bean's own callback. */
    private synchronized Map<String, LeaseWork> byLease() {
        Map<String, LeaseWork> known = byLease;
        if (known == null) {
            known = findAll();
            byLease = known;
        }
        return known;
    }

    private Map<String, LeaseWork> findAll() {
        List<OnLeaderBean> found = beans.findAll();
        if (settings.getIfAvailable() != null) {
            checkDelay();
        } else if (!found.isEmpty()) {
            log.info(
                    "leader election is switched off (cle.enabled=false): no process leads, and nothing that is annotated"
                            + " with @OnLeader runs: {}; set cle.mode=standalone instead to lead without a cluster",
                    found.stream().map(OnLeaderBean::name).toList());
        }
        LeaseLocks known = locks.getIfAvailable();
        if (known == null) {
            return Map.of();
        }
        ControllerAssignments assigned = assignments.getIfAvailable();
        if (assigned != null && !beans.locksAreInherited()) {
            assigned.check(found.stream()
                    .flatMap(bean -> bean.controllers().stream())
                    .collect(Collectors.toCollection(TreeSet::new)));
        }
        LeaderTasks all = new LeaderTasks(beans.factory(), this::leaseOf);
        Map<String, LeaderTasks.OfLease> tasks = all.of(found);
        lifecycles = all.lifecycles();
        if (settings.getIfAvailable() != null) {
            tasks.forEach(LeaderWork::logMethods);
        }
        Map<String, LeaseWork> work = new LinkedHashMap<>();
        known.asMap()
                .forEach((name, lock) ->
                        work.put(name, work(name, lock, tasks.getOrDefault(name, LeaderTasks.OfLease.NONE))));
        return Collections.unmodifiableMap(work);
    }

    /** Names these methods at the start. Otherwise somebody who meant one as a guard for its callers would notice only in the first term. */
    private static void logMethods(String lease, LeaderTasks.OfLease work) {
        List<String> methods = work.tasks().stream()
                .filter(task -> task.body() instanceof LeaderMethod)
                .map(LeaderTask::name)
                .toList();
        if (!methods.isEmpty()) {
            log.info(
                    "lease {}: these @OnLeader methods have no trigger such as @Scheduled, so they run each time this process begins to"
                            + " lead, and other beans can't call them: {}",
                    lease,
                    methods);
        }
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

    private LeaseWork work(String name, CoordinatedLeaseLock lock, LeaderTasks.OfLease work) {
        ElectionSettings all = settings.getIfAvailable();
        Duration drainTimeout = all == null
                ? Duration.ofSeconds(30)
                : all.find(name).orElseGet(all::main).drainTimeout();
        return new LeaseWork(
                name,
                lock,
                drainTimeout,
                events,
                properties,
                Clock.system(),
                threads,
                work.tasks().stream().map(task -> observed(name, task)).toList(),
                work.guards());
    }

    private LeaderTask observed(String lease, LeaderTask task) {
        return new LeaderTask(
                task.name(),
                task.target(),
                new ObservedRuns(
                        lease, task.name(), task.body(), observations.get(), convention.get(), terms.getIfAvailable()));
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        LeaseWork work = byLease().get(name);
        if (work != null) {
            work.attach();
        }
    }

    @Override
    public void customize(NewLease lease, CoordinatedLeaseLock lock) {
        List<LeaderTask> tasks = new ArrayList<>();
        new TreeMap<>(lease.work())
                .forEach((work, action) ->
                        tasks.add(new LeaderTask(work, OnLeaderTarget.DEFAULT, run -> action.run(run.term()))));
        LeaseWork work = work(lease.name(), lock, new LeaderTasks.OfLease(tasks, List.of()));
        put(lease.name(), work);
        work.attach();
        observers.forEach(observer -> observer.accept(lease.name(), work.logs()));
    }

    private synchronized void put(String lease, LeaseWork work) {
        Map<String, LeaseWork> all = new LinkedHashMap<>(byLease());
        all.put(lease, work);
        byLease = Collections.unmodifiableMap(all);
    }

    @Override
    public synchronized void dropped(String name) {
        Map<String, LeaseWork> all = new LinkedHashMap<>(byLease());
        all.remove(name);
        byLease = Collections.unmodifiableMap(all);
    }

    /**
     * Led work that closes the context, as {@code SpringApplication.exit} does, is taken to have ended: it can't end before the close, which
     * waits for all led work. Comes before the end of the terms, which would interrupt its thread, and with it the close.
     */
    @EventListener
    @Order(ElectionLifecycle.CLOSE_ORDER - 1)
    void onClose(ContextClosedEvent event) {
        // Spring publishes the close of a child context to its parent, too.
        if (event.getApplicationContext().getAutowireCapableBeanFactory() == beans.factory()) {
            byLease().values().forEach(LeaseWork::endRunsOfThisThread);
        }
    }

    /** Stops the beans that the context has started outside of a term. Work that is led by the locks of the parent begins. */
    @Override
    public void start() {
        if (!running.compareAndSet(false, true)) {
            return;
        }
        lifecycles.forEach(LeaderLifecycle::stopUnlessLed);
        LeaderWork parent = parent();
        if (parent != null) {
            parent.children.add(this);
            parent.observers.forEach(this::observe);
            byLease().values().forEach(LeaseWork::attach);
        }
    }

    /** The work by whose locks this context's is led; {@code null} if it has locks of its own. */
    private @Nullable LeaderWork parent() {
        BeanFactory parent = beans.factory().getParentBeanFactory();
        return parent != null && beans.locksAreInherited()
                ? parent.getBeanProvider(LeaderWork.class).getIfAvailable()
                : null;
    }

    /** Ends the work that is led by the locks of the parent, which go on, and waits for that as long as a drain may take. */
    @Override
    public void stop() {
        LeaderWork parent = parent();
        if (!running.compareAndSet(true, false) || parent == null) {
            return;
        }
        parent.children.remove(this);
        CompletableFuture<Void> ended = CompletableFuture.allOf(
                byLease().values().stream().map(LeaseWork::detach).toArray(CompletableFuture[]::new));
        Duration patience = longestDrain();
        try {
            ended.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.warn("interrupted while waiting for the end of the led work of a context that closes");
        } catch (TimeoutException e) {
            log.warn("the led work of a context that closes has not ended within {}; going on without it", patience);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the end of a run doesn't fail, whatever the work does", e.getCause());
        }
    }

    @Override
    public boolean isRunning() {
        return running.get();
    }

    /** The highest: stops before everything else in its context, and starts last. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }

    /** The longest drain timeout of a lease. */
    private Duration longestDrain() {
        ElectionSettings all = settings.getIfAvailable();
        return all == null
                ? Duration.ofSeconds(30)
                : all.all()
                        .map(LeaseSettings::drainTimeout)
                        .max(Comparator.naturalOrder())
                        .orElseThrow();
    }

    /**
     * Calls an observer with the work of each lease, now and when one is created at run time.
     *
     * @param observer gets the lease's name and what is counted of each piece of its work
     */
    public void observe(BiConsumer<String, Collection<WorkLog>> observer) {
        observers.add(observer);
        byLease().forEach((lease, work) -> observer.accept(lease, work.logs()));
    }

    /**
     * How the led work of a lease fares, by name.
     *
     * @return empty if there is no such lease, or no work is led by it
     */
    public Collection<WorkStatus> status(String lease) {
        LeaseWork work = byLease().get(lease);
        List<WorkStatus> status = new ArrayList<>(work == null ? List.of() : work.status());
        children.forEach(child -> status.addAll(child.status(lease)));
        return status;
    }

    /** The work of the lease that an annotation names; {@code null} if no process leads, or it is led by another application. */
    @Nullable
    public LeaseWork under(OnLeaderTarget target, String place) {
        // A call while beans are still made finds no process leading: candidacies begin when the application is ready.
        Map<String, LeaseWork> all = byLease;
        return all == null || all.isEmpty()
                ? null
                : leaseOf(target, place).map(all::get).orElse(null);
    }

    /** The lease of a target; empty if it is a controller that doesn't run here. */
    private Optional<String> leaseOf(OnLeaderTarget target, String place) {
        LeaseLocks all = locks.getObject();
        if (!target.controller().isEmpty()) {
            ControllerAssignments assigned = assignments.getIfAvailable();
            if (assigned != null && !assigned.runsHere(target.controller())) {
                return Optional.empty();
            }
            Optional<String> lease = assigned == null ? Optional.empty() : assigned.leaseOf(target.controller());
            return Optional.of(known(lease.orElseGet(all::mainName), all.names(), place));
        }
        return Optional.of(target.lease().isEmpty() ? all.mainName() : known(target.lease(), all.names(), place));
    }

    private static String known(String lease, Set<String> leases, String place) {
        if (!leases.contains(lease)) {
            throw new OnLeaderUsageException(
                    place,
                    "names the lease '" + lease + "', which does not exist; the leases are " + leases,
                    "Configure it by cle.leases." + lease + ".*, or name one of " + leases + ".");
        }
        return lease;
    }
}

package io.cle.spring.onleader;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.spring.lock.ElectionSettings;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.properties.LeaseSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationEventPublisher;

/**
 * The leaders' work of an application, by the leases it is done under. Finds it when all beans are there, and refuses work for
 * leases that aren't.
 */
public final class LeaderWork implements SmartInitializingSingleton, LeaseLockCustomizer {

    private static final Logger log = LoggerFactory.getLogger(LeaderWork.class);

    private final ObjectProvider<LeaseLocks> locks;
    private final ObjectProvider<ElectionSettings> settings;
    private final ObjectProvider<ControllerAssignments> assignments;
    private final ApplicationEventPublisher events;
    private final OnLeaderBeans beans;
    private volatile Map<String, LeaseWork> byLease = Map.of();

    /**
     * Made of beans that may be missing: without locks nobody leads, and nothing is done.
     *
     * @param beans finds the beans that work is done by
     * @param events hears of failures
     */
    public LeaderWork(
            ObjectProvider<LeaseLocks> locks,
            ObjectProvider<ElectionSettings> settings,
            ObjectProvider<ControllerAssignments> assignments,
            ApplicationEventPublisher events,
            OnLeaderBeans beans) {
        this.locks = locks;
        this.settings = settings;
        this.assignments = assignments;
        this.events = events;
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<OnLeaderBean> found = beans.findAll();
        LeaseLocks all = locks.getIfAvailable();
        if (all == null) {
            if (!found.isEmpty()) {
                log.info(
                        "leader election is switched off (cle.enabled=false): nobody leads, and nothing that is annotated"
                                + " with @OnLeader runs: {}; set cle.mode=standalone instead to lead without a cluster",
                        found.stream().map(OnLeaderBean::name).toList());
            }
            return;
        }
        ControllerAssignments assigned = assignments.getIfAvailable();
        if (assigned != null) {
            assigned.check(found.stream()
                    .flatMap(bean -> bean.controllers().stream())
                    .collect(Collectors.toCollection(TreeSet::new)));
        }
        Map<String, List<LeaderTask>> tasks = new LeaderTasks(beans.factory(), this::leaseOf).of(found);
        Map<String, LeaseWork> work = new LinkedHashMap<>();
        all.asMap().forEach((name, lock) -> work.put(name, work(name, lock, tasks.getOrDefault(name, List.of()))));
        byLease = Map.copyOf(work);
    }

    private LeaseWork work(String name, CoordinatedLeaseLock lock, List<LeaderTask> tasks) {
        ElectionSettings all = settings.getIfAvailable();
        Duration drainTimeout = all == null
                ? Duration.ofSeconds(30)
                : all.all()
                        .filter(lease -> lease.name().equals(name))
                        .map(LeaseSettings::drainTimeout)
                        .findFirst()
                        .orElseGet(() -> all.main().drainTimeout());
        return new LeaseWork(name, lock, drainTimeout, events, tasks);
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        LeaseWork work = byLease.get(name);
        if (work != null) {
            lock.addListener(work);
        }
    }

    /** The work under the lease that an annotation names; {@code null} when nobody leads here, or what is led isn't for here. */
    @Nullable
    LeaseWork under(OnLeaderTarget target, String place) {
        Map<String, LeaseWork> all = byLease;
        return all.isEmpty() ? null : leaseOf(target, place).map(all::get).orElse(null);
    }

    /** The lease of a target; empty where it is a controller that doesn't run here. */
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
                    "names the lease '" + lease + "', which there isn't; there are " + leases,
                    "Configure it by cle.leases." + lease + ".*, or name one of " + leases + ".");
        }
        return lease;
    }
}

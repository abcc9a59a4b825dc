package io.cle.spring.onleader.internal.work;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

import io.cle.spring.onleader.internal.bean.OnLeaderBean;
import io.cle.spring.onleader.internal.bean.OnLeaderTarget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Makes tasks of what beans want done while this process leads, and finds the lease of each. */
final class LeaderTasks {

    private static final Logger log = LoggerFactory.getLogger(LeaderTasks.class);

    /**
     * The led work of one lease.
     *
     * @param tasks what runs in each term
     * @param guards the names of the guarded methods
     */
    record OfLease(List<LeaderTask> tasks, List<String> guards) {

        static final OfLease NONE = new OfLease(List.of(), List.of());
    }

    private final ConfigurableListableBeanFactory factory;
    private final BiFunction<OnLeaderTarget, String, Optional<String>> leases;
    private final Map<String, OfLease> byLease = new LinkedHashMap<>();
    private final List<LeaderLifecycle> lifecycles = new ArrayList<>();

    /**
     * Makes a maker of tasks.
     *
     * @param leases finds the lease that is named at a place, which is for messages, or refuses it; empty if what is named doesn't run in this
     *     application
     */
    LeaderTasks(ConfigurableListableBeanFactory factory, BiFunction<OnLeaderTarget, String, Optional<String>> leases) {
        this.factory = factory;
        this.leases = leases;
    }

    /** The work by the name of its lease. */
    Map<String, OfLease> of(List<OnLeaderBean> beans) {
        beans.forEach(this::add);
        return byLease;
    }

    /** The beans that are started and stopped, also those whose lease is another application's. */
    List<LeaderLifecycle> lifecycles() {
        return List.copyOf(lifecycles);
    }

    private void add(OnLeaderBean bean) {
        bean.work()
                .forEach((method, target) -> find(target, OnLeaderBean.place(bean.name(), method))
                        .ifPresent(work -> work.tasks()
                                .add(new LeaderTask(
                                        OnLeaderBean.workName(bean.name(), method),
                                        target,
                                        new LeaderMethod(factory, bean.name(), method)))));
        bean.guards()
                .forEach((method, guard) -> find(guard.target(), OnLeaderBean.place(bean.name(), method))
                        .ifPresent(work -> work.guards().add(OnLeaderBean.workName(bean.name(), method))));
        bean.lifecycle().ifPresent(target -> {
            LeaderLifecycle lifecycle = new LeaderLifecycle(factory, bean.name());
            lifecycles.add(lifecycle);
            find(target, "bean '" + bean.name() + "'")
                    .ifPresent(work -> work.tasks().add(new LeaderTask(bean.name(), target, lifecycle)));
        });
    }

    private Optional<OfLease> find(OnLeaderTarget target, String place) {
        Optional<String> lease = leases.apply(target, place);
        log.debug("{} is led by the lease {}", place, lease.orElse("of another application"));
        return lease.map(
                name -> byLease.computeIfAbsent(name, unused -> new OfLease(new ArrayList<>(), new ArrayList<>())));
    }
}

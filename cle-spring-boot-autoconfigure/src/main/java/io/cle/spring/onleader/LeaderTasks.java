package io.cle.spring.onleader;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;

/** Makes tasks of what beans want done while this process leads, and finds the lease of everything. */
final class LeaderTasks {

    private static final Logger log = LoggerFactory.getLogger(LeaderTasks.class);

    /** Finds leases. */
    @FunctionalInterface
    interface Leases {

        /**
         * The name of the lease that is named at a place; empty where what is named doesn't run here.
         *
         * @throws OnLeaderUsageException when there is none of that name
         */
        Optional<String> find(OnLeaderTarget target, String place);
    }

    private final BeanFactory factory;
    private final Leases leases;

    /**
     * Makes a maker of tasks.
     *
     * @param leases finds the lease that is named at a place, or refuses it
     */
    LeaderTasks(BeanFactory factory, Leases leases) {
        this.factory = factory;
        this.leases = leases;
    }

    /** The tasks by lease. */
    Map<String, List<LeaderTask>> of(List<OnLeaderBean> beans) {
        Map<String, List<LeaderTask>> tasks = new LinkedHashMap<>();
        for (OnLeaderBean bean : beans) {
            bean.work()
                    .forEach((method, target) -> leases.find(target, OnLeaderBean.place(bean.name(), method))
                            .ifPresent(lease -> tasks.computeIfAbsent(lease, unused -> new ArrayList<>())
                                    .add(new LeaderMethod(factory, bean.name(), method))));
            bean.guards().forEach((method, target) -> {
                Optional<String> lease = leases.find(target, OnLeaderBean.place(bean.name(), method));
                log.debug("lease {}: guards {}.{}", lease.orElse("elsewhere"), bean.name(), method.getName());
            });
            bean.lifecycle()
                    .flatMap(target -> leases.find(target, "bean '" + bean.name() + "'"))
                    .ifPresent(lease -> tasks.computeIfAbsent(lease, unused -> new ArrayList<>())
                            .add(new LeaderLifecycle(factory, bean.name())));
        }
        return tasks;
    }
}

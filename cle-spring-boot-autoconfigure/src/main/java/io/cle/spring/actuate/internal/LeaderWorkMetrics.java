package io.cle.spring.actuate.internal;

import java.util.function.ToDoubleFunction;

import io.cle.spring.onleader.internal.LeaderWork;
import io.cle.spring.onleader.internal.WorkLog;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ObjectProvider;

/** Registers the meters of led work, each from the start, at zero, so that a rate can be made of it. */
public record LeaderWorkMetrics(ObjectProvider<LeaderWork> work) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        work.ifAvailable(known -> known.observe((lease, logs) -> logs.forEach(log -> {
            count(
                    registry,
                    CleMeter.WORK_FAILURES,
                    lease,
                    log,
                    it -> it.status().failures());
            count(
                    registry,
                    CleMeter.WORK_OVERLAPS,
                    lease,
                    log,
                    it -> it.status().overlaps());
        })));
    }

    private static void count(
            MeterRegistry registry, CleMeter meter, String lease, WorkLog log, ToDoubleFunction<WorkLog> value) {
        FunctionCounter.builder(meter.id(), log, value)
                .description(meter.description())
                .tag("lease", lease)
                .tag("work", log.work())
                .register(registry);
    }
}

package io.cle.spring.onleader.internal.work;

import io.cle.spring.onleader.internal.bean.OnLeaderTarget;
import io.cle.spring.onleader.internal.term.LeaderRun;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * Led work with an observation {@code cle.work} around each run: a span where the application has a tracer, and a timer where it has meters. A
 * run that its term's end has interrupted is no error.
 */
record ObservedTask(LeaderTask task, ObservationRegistry observations) implements LeaderTask {

    static final String OBSERVATION = "cle.work";

    @Override
    public String name() {
        return task.name();
    }

    @Override
    public OnLeaderTarget target() {
        return task.target();
    }

    @Override
    public void run(LeaderRun run) throws Exception {
        Observation observation = Observation.createNotStarted(OBSERVATION, observations)
                .lowCardinalityKeyValue("lease", run.term().lease())
                .lowCardinalityKeyValue("work", name())
                .highCardinalityKeyValue(
                        "fencing.token", Long.toString(run.term().fencingToken()))
                .start();
        Observation.Scope scope = observation.openScope();
        try {
            task.run(run);
        } catch (Throwable failure) {
            if (run.term().isValid()) {
                observation.error(failure);
            }
            throw failure;
        } finally {
            scope.close();
            observation.stop();
        }
    }
}

package io.cle.spring.onleader.internal.work;

import io.cle.spring.onleader.internal.term.LeaderRun;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Puts an observation {@code cle.work} around each run of led work: a span where the application has a tracer, and a timer where it has
 * meters. A child of the observation of its term. A run that its term's end has interrupted is no error.
 *
 * @param lease what its lease is called in this application
 * @param name the name of the work
 * @param terms the observations of terms; {@code null} if terms aren't observed
 */
record ObservedRuns(
        String lease,
        String name,
        LeaderTask.Body work,
        ObservationRegistry observations,
        @Nullable TermObservations terms)
        implements LeaderTask.Body {

    @Override
    public void run(LeaderRun run) throws Exception {
        long token = run.term().fencingToken();
        Observation observation = Observation.createNotStarted(TermObservations.OBSERVATION_OF_WORK, observations)
                .parentObservation(terms == null ? null : terms.of(lease, token))
                .lowCardinalityKeyValue("lease", lease)
                .lowCardinalityKeyValue("work", name)
                .highCardinalityKeyValue("fencing.token", Long.toString(token))
                .start();
        Observation.Scope scope = observation.openScope();
        try {
            work.run(run);
        } catch (Throwable failure) {
            if (!run.isStopping()) {
                observation.error(failure);
            }
            throw failure;
        } finally {
            scope.close();
            observation.stop();
        }
    }
}

package io.cle.spring.onleader.internal.work;

import io.cle.spring.onleader.DefaultLeaderWorkObservationConvention;
import io.cle.spring.onleader.LeaderWorkObservationContext;
import io.cle.spring.onleader.LeaderWorkObservationConvention;
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
 * @param convention the application's own convention; {@code null} for the default
 * @param terms the observations of terms; {@code null} if terms aren't observed
 */
record ObservedRuns(
        String lease,
        String name,
        LeaderTask.Body work,
        ObservationRegistry observations,
        @Nullable LeaderWorkObservationConvention convention,
        @Nullable TermObservations terms)
        implements LeaderTask.Body {

    private static final LeaderWorkObservationConvention DEFAULT = new DefaultLeaderWorkObservationConvention();

    @Override
    public void run(LeaderRun run) throws Exception {
        Observation observation = Observation.createNotStarted(
                        convention,
                        DEFAULT,
                        () -> new LeaderWorkObservationContext(lease, name, run.term()),
                        observations)
                .parentObservation(
                        terms == null ? null : terms.of(lease, run.term().fencingToken()))
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

package io.cle.spring.onleader.internal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.onleader.DefaultTermObservationConvention;
import io.cle.spring.onleader.TermObservationContext;
import io.cle.spring.onleader.TermObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;

/**
 * An observation {@code cle.term} from the beginning of each term to its end: a span where the application has a tracer, and where it has meters a
 * timer that knows how long terms last and a gauge of the term that runs. No thread is in its scope, because a term has none; runs of led work ask for
 * it, to be its children. Comes before the other customizers, so that a term's observation has begun when its work does.
 */
public final class TermObservations implements LeaseLockCustomizer, Ordered {

    private static final TermObservationConvention DEFAULT = new DefaultTermObservationConvention();

    private final ObjectProvider<ObservationRegistry> observations;
    private final ObjectProvider<TermObservationConvention> convention;
    private final Map<String, Running> running = new ConcurrentHashMap<>();

    /** The observation of a term that has not ended. */
    private record Running(TermObservationContext context, Observation observation) {}

    /**
     * Observes the terms of an application.
     *
     * @param convention the application's own convention, if it has one
     */
    public TermObservations(
            ObjectProvider<ObservationRegistry> observations, ObjectProvider<TermObservationConvention> convention) {
        this.observations = observations;
        this.convention = convention;
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        lock.addListener(new Observer(
                name, observations.getIfUnique(() -> ObservationRegistry.NOOP), convention.getIfAvailable()));
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    /** The observation of a term; {@code null} if the term isn't observed, or has ended. */
    public @Nullable Observation of(String lease, long fencingToken) {
        Running term = running.get(lease);
        return term != null && term.context().term().fencingToken() == fencingToken ? term.observation() : null;
    }

    /** Called on the callback thread only, which begins and ends terms in pairs. */
    private final class Observer implements LeadershipListener {
        private final String lease;
        private final ObservationRegistry registry;
        private final @Nullable TermObservationConvention convention;

        Observer(String lease, ObservationRegistry registry, @Nullable TermObservationConvention convention) {
            this.lease = lease;
            this.registry = registry;
            this.convention = convention;
        }

        @Override
        public void onGranted(Term granted) {
            TermObservationContext context = new TermObservationContext(lease, granted);
            Observation observation = Observation.start(convention, DEFAULT, () -> context, registry);
            running.put(lease, new Running(context, observation));
        }

        @Override
        public void onRevoked(Term revoked, RevokeReason reason) {
            Running ended = running.remove(lease);
            if (ended != null) {
                ended.context().end(reason);
                ended.observation().stop();
            }
        }
    }
}

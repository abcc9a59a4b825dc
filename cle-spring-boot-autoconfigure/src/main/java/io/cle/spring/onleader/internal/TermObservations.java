package io.cle.spring.onleader.internal;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.internal.Lease;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.onleader.DefaultTermObservationConvention;
import io.cle.spring.onleader.TermObservationContext;
import io.cle.spring.onleader.TermObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;

/**
 * Observes each term from its beginning to its end as {@code cle.term}: a span if the application has a tracer; and if it has meters, a
 * timer of terms and a gauge of the running term. No thread is in the scope of the observation, because a term has no thread; runs of led
 * work are its children. Comes before the other customizers, so that the observation of a term begins before its work.
 */
public final class TermObservations implements LeaseLockCustomizer, Ordered {

    private static final TermObservationConvention DEFAULT = new DefaultTermObservationConvention();

    private final ObjectProvider<ObservationRegistry> observations;
    private final ObjectProvider<TermObservationConvention> convention;
    private final Leases leases;

    /**
     * Observes the terms of an application.
     *
     * @param convention the application's own convention, if it has one
     */
    public TermObservations(
            Leases leases,
            ObjectProvider<ObservationRegistry> observations,
            ObjectProvider<TermObservationConvention> convention) {
        this.leases = leases;
        this.observations = observations;
        this.convention = convention;
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        lock.addListener(new Observer(
                leases.get(name),
                observations.getIfUnique(() -> ObservationRegistry.NOOP),
                convention.getIfAvailable()));
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    /** Observes the terms of one lease; called one term after the other. */
    private static final class Observer implements LeadershipListener {

        private final Lease lease;
        private final ObservationRegistry registry;
        private final @Nullable TermObservationConvention convention;
        private @Nullable TermObservationContext context;
        private @Nullable Observation observation;

        Observer(Lease lease, ObservationRegistry registry, @Nullable TermObservationConvention convention) {
            this.lease = lease;
            this.registry = registry;
            this.convention = convention;
        }

        @Override
        public void onGranted(Term granted) {
            TermObservationContext begun = new TermObservationContext(lease.commonName(), granted);
            context = begun;
            observation = Observation.start(convention, DEFAULT, () -> begun, registry);
            lease.termObserved(granted.fencingToken(), observation);
        }

        @Override
        public void onRevoked(Term revoked, RevokeReason reason) {
            lease.termNoLongerObserved();
            if (context != null && observation != null) {
                context.end(reason);
                observation.stop();
            }
        }
    }
}

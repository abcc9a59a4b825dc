package io.cle.spring.actuate.internal;

import java.util.Locale;
import java.util.function.Supplier;

import io.cle.lock.RevokeReason;
import io.cle.lock.Term;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.LeadershipListener;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * An observation {@code cle.term} from the beginning of each term to its end: a span where the application has a tracer, and where it has meters a
 * timer that knows how long terms last and a gauge of the term that runs. No thread is in its scope, because a term has none.
 */
public final class TermObservations implements LeaseLockCustomizer {

    /** The name of the observation. */
    public static final String OBSERVATION = "cle.term";

    private final Supplier<ObservationRegistry> observations;

    /** Observes the terms of an application. */
    public TermObservations(Supplier<ObservationRegistry> observations) {
        this.observations = observations;
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        lock.addListener(new Observer(name, observations.get()));
    }

    /** Called on the callback thread only, which begins and ends terms in pairs. */
    private static final class Observer implements LeadershipListener {
        private final String lease;
        private final ObservationRegistry registry;
        private @Nullable Observation term;

        Observer(String lease, ObservationRegistry registry) {
            this.lease = lease;
            this.registry = registry;
        }

        @Override
        public void onGranted(Term granted) {
            term = Observation.createNotStarted(OBSERVATION, registry)
                    .lowCardinalityKeyValue("lease", lease)
                    .highCardinalityKeyValue("fencing.token", Long.toString(granted.fencingToken()))
                    .start();
        }

        @Override
        public void onRevoked(Term revoked, RevokeReason reason) {
            Observation ended = term;
            term = null;
            if (ended != null) {
                ended.lowCardinalityKeyValue("reason", reason.name().toLowerCase(Locale.ROOT))
                        .stop();
            }
        }
    }
}

package io.cle.spring.onleader;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** The name and the tags of the observations of runs of led work. A bean of this type replaces {@link DefaultLeaderWorkObservationConvention}. */
public interface LeaderWorkObservationConvention extends ObservationConvention<LeaderWorkObservationContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof LeaderWorkObservationContext;
    }
}

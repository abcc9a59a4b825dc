package io.cle.spring.onleader;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** The name and the tags of the observations of terms. A bean of this type replaces {@link DefaultTermObservationConvention}. */
public interface TermObservationConvention extends ObservationConvention<TermObservationContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof TermObservationContext;
    }
}

package io.cle.spring.onleader;

import java.util.Locale;

import io.cle.RevokeReason;
import io.micrometer.common.KeyValues;

/**
 * The observation {@code cle.term}, with the tag {@code lease} and, from the end of the term, {@code reason}. Spans also have
 * {@code fencing.token}.
 */
public class DefaultTermObservationConvention implements TermObservationConvention {

    @Override
    public String getName() {
        return "cle.term";
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(TermObservationContext context) {
        KeyValues tags = KeyValues.of("lease", context.lease());
        RevokeReason reason = context.reason();
        return reason == null ? tags : tags.and("reason", reason.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(TermObservationContext context) {
        return KeyValues.of("fencing.token", Long.toString(context.term().fencingToken()));
    }
}

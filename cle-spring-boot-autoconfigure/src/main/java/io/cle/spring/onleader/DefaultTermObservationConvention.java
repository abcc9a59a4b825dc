package io.cle.spring.onleader;

import java.util.Locale;

import io.cle.RevokeReason;
import io.cle.Term;
import io.micrometer.common.KeyValues;

/**
 * The observation {@code cle.term}, with the tags {@code lease}, {@code lease_namespace}, {@code identity} and, from the end of the term,
 * {@code reason}. Spans also have {@code fencing.token} and, for a shard, {@code shard}.
 */
public class DefaultTermObservationConvention implements TermObservationConvention {

    @Override
    public String getName() {
        return "cle.term";
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(TermObservationContext context) {
        KeyValues tags = tags(context.lease(), context.term());
        RevokeReason reason = context.reason();
        return reason == null ? tags : tags.and("reason", reason.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(TermObservationContext context) {
        return of(context.term());
    }

    /** Returns the tags that all meters of an application have. */
    static KeyValues tags(String lease, Term term) {
        return KeyValues.of("lease", lease, "lease_namespace", term.lease().namespace(), "identity", term.identity());
    }

    /** Returns what names a term. */
    static KeyValues of(Term term) {
        KeyValues values = KeyValues.of("fencing.token", Long.toString(term.fencingToken()));
        return term.shard().map(shard -> values.and("shard", shard.toString())).orElse(values);
    }
}

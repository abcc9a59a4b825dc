package io.cle.spring.onleader;

import io.micrometer.common.KeyValues;

/** The observation {@code cle.work}, with the tags {@code lease} and {@code work}. Spans also have {@code fencing.token} and, for a shard, {@code shard}. */
public class DefaultLeaderWorkObservationConvention implements LeaderWorkObservationConvention {

    @Override
    public String getName() {
        return "cle.work";
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LeaderWorkObservationContext context) {
        return KeyValues.of("lease", context.lease(), "work", context.work());
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(LeaderWorkObservationContext context) {
        KeyValues values =
                KeyValues.of("fencing.token", Long.toString(context.term().fencingToken()));
        return context.term()
                .shard()
                .map(shard -> values.and("shard", shard.toString()))
                .orElse(values);
    }
}

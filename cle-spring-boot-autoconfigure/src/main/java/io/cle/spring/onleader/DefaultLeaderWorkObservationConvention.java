package io.cle.spring.onleader;

import io.micrometer.common.KeyValues;

/**
 * The observation {@code cle.work}, with the tags {@code lease}, {@code lease_namespace}, {@code identity} and {@code work}. Spans also have
 * {@code fencing.token} and, for a shard, {@code shard}.
 */
public class DefaultLeaderWorkObservationConvention implements LeaderWorkObservationConvention {

    @Override
    public String getName() {
        return "cle.work";
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LeaderWorkObservationContext context) {
        return DefaultTermObservationConvention.tags(context.lease(), context.term())
                .and("work", context.work());
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(LeaderWorkObservationContext context) {
        return DefaultTermObservationConvention.of(context.term());
    }
}

package io.cle.runtime.internal.coordinator;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import io.cle.model.internal.Moment;

/**
 * Which reports of objects that don't count are made. A tenant may patch one object a thousand times, differently malformed each time, or make a
 * thousand of them; log and Events are those of all tenants. What isn't reported is still among the problems of its lease. Confined to the event
 * loop.
 */
final class ReportLimit {

    /** An object is reported once in this time, and a namespace so many times. */
    static final Duration PERIOD = Duration.ofMinutes(1);

    static final int PER_NAMESPACE = 20;

    /** When each was reported last, longest ago first. */
    private final Map<IgnoredObject, Long> reported = new LinkedHashMap<>();

    private final Map<String, Period> namespaces = new HashMap<>();

    /** What was reported of a namespace since an instant. */
    private static final class Period {
        private final long began;
        private int reported;
        private int leftOut;

        private Period(long began) {
            this.began = began;
        }
    }

    /**
     * Whether an object may be reported now.
     *
     * @return what the report has to say of those that are left out, or nothing; empty if this one is
     */
    Optional<String> admit(IgnoredObject object, Moment now) {
        while (!reported.isEmpty() && isOver(reported.values().iterator().next(), now)) {
            reported.remove(reported.keySet().iterator().next());
        }
        Period period = namespaces.computeIfAbsent(object.key().namespace(), unused -> new Period(now.nanos()));
        if (isOver(period.began, now)) {
            Period next = new Period(now.nanos());
            next.leftOut = period.leftOut;
            namespaces.put(object.key().namespace(), next);
            period = next;
        }
        if (reported.containsKey(object) || period.reported == PER_NAMESPACE) {
            period.leftOut++;
            return Optional.empty();
        }
        reported.put(object, now.nanos());
        period.reported++;
        String before = period.leftOut == 0
                ? ""
                : "; " + period.leftOut + " reports of the namespace "
                        + object.key().namespace() + " were left out before this one";
        period.leftOut = 0;
        return Optional.of(
                period.reported < PER_NAMESPACE
                        ? before
                        : before + "; further ones of the namespace "
                                + object.key().namespace() + " are left out for up to a minute");
    }

    private static boolean isOver(long since, Moment now) {
        return now.nanos() - since >= PERIOD.toNanos();
    }
}

package io.cle.election.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

import io.cle.model.internal.Lease;
import io.cle.model.internal.Moment;
import org.jspecify.annotations.Nullable;

/**
 * The candidates of one lease that are held off, because they were granted the lease and didn't begin their term (protocol.md#the-holder-goes-away).
 * Immutable.
 *
 * @param ends until when each candidate is held off, by its identity, in monotonic nanoseconds
 */
public record HoldOffs(Map<String, Long> ends) {

    /** No candidate is held off. */
    public static final HoldOffs NONE = new HoldOffs(Map.of());

    /** How long a candidate is held off. With a shorter time, the terms of other leaders would be ended in vain more often. */
    static final Duration LENGTH = Duration.ofMinutes(2);

    /** Copies the map. */
    public HoldOffs {
        ends = Map.copyOf(ends);
    }

    /** Returns the hold-offs after the lease was seen again. */
    public HoldOffs seen(@Nullable Lease before, @Nullable Lease next, Moment now) {
        Map<String, Long> remaining = new HashMap<>(ends);
        remaining.values().removeIf(now::reached);
        if (next != null && next.holder() != null) {
            if (before != null && unbegun(before, next)) {
                remaining.put(holder(before), now.plus(LENGTH));
            }
            if (next.confirmed()) {
                remaining.remove(next.holder());
            }
        }
        return remaining.equals(ends) ? this : new HoldOffs(remaining);
    }

    /**
     * Whether the candidate to which the lease was granted didn't begin its term: the lease has been given to another candidate or granted to the
     * same one again, or the candidate's own write was stored without its term (safety.md#write-that-stays).
     */
    private static boolean unbegun(Lease before, Lease next) {
        if (!before.granted()) {
            return false;
        }
        boolean another = !next.heldBy(holder(before));
        boolean changed = !another && !next.granted() && !next.confirmed();
        boolean anew = next.granted() && next.transitions() != before.transitions();
        return another || changed || anew;
    }

    private static String holder(Lease granted) {
        return Objects.requireNonNull(granted.holder(), "a lease is granted to a holder");
    }

    /** Whether a candidate is held off: it is elected only if there is no other candidate, and no leader yields to it. */
    public boolean held(String identity, Moment now) {
        return until(identity, now).isPresent();
    }

    /** Returns until when a candidate is held off, in monotonic nanoseconds; empty if it isn't. */
    public OptionalLong until(String identity, Moment now) {
        Long end = ends.get(identity);
        return end == null || now.reached(end) ? OptionalLong.empty() : OptionalLong.of(end);
    }
}

package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
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
 * @param failures by identity, for those that haven't begun a term since
 */
public record HoldOffs(Map<String, Failure> failures) {

    /** No candidate is held off. */
    public static final HoldOffs NONE = new HoldOffs(Map.of());

    /** How long a candidate is held off after the first failure; doubles with each further one. */
    static final Duration FIRST = Duration.ofSeconds(10);

    /** For how long a candidate is held off at most. */
    static final Duration LONGEST = Duration.ofMinutes(5);

    /** The maximum number of remembered candidates; those whose hold-off ends first are dropped. */
    static final int MOST = 64;

    /** Copies the map. */
    public HoldOffs {
        failures = Map.copyOf(failures);
    }

    /**
     * How a candidate has failed.
     *
     * @param times how many times in a row it was granted the lease and didn't begin its term
     * @param until until when it is held off, in monotonic nanoseconds
     */
    public record Failure(int times, long until) {}

    /** Returns the hold-offs after the lease was seen again. */
    public HoldOffs seen(@Nullable Lease before, @Nullable Lease next, Moment now) {
        HoldOffs remembered = withoutThoseLongOver(now);
        if (next == null || next.holder() == null) {
            return remembered;
        }
        HoldOffs known = before != null && unbegun(before, next) ? remembered.failed(holder(before), now) : remembered;
        return next.confirmed() ? known.begun(next.holder()) : known;
    }

    /** Forgets old failures: one failure per day must not add up. */
    private HoldOffs withoutThoseLongOver(Moment now) {
        Map<String, Failure> remaining = new HashMap<>(failures);
        return remaining.values().removeIf(failure -> now.reached(failure.until() + LONGEST.toNanos()))
                ? new HoldOffs(remaining)
                : this;
    }

    /**
     * Whether the lease was granted to a candidate that hasn't begun its term, and has been given to another one, or to the same one anew; or
     * the candidate's own write was stored without its term (safety.md#write-that-stays).
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

    private HoldOffs begun(String identity) {
        if (!failures.containsKey(identity)) {
            return this;
        }
        Map<String, Failure> remaining = new HashMap<>(failures);
        remaining.remove(identity);
        return new HoldOffs(remaining);
    }

    private HoldOffs failed(String identity, Moment now) {
        Failure last = failures.get(identity);
        int times = last == null ? 1 : last.times() + 1;
        Map<String, Failure> all = new HashMap<>(failures);
        all.put(identity, new Failure(times, now.plus(after(times))));
        if (all.size() > MOST) {
            all.entrySet().stream()
                    .min(Comparator.comparingLong(entry -> entry.getValue().until()))
                    .ifPresent(first -> all.remove(first.getKey()));
        }
        return new HoldOffs(all);
    }

    private static Duration after(int times) {
        Duration doubled = FIRST.multipliedBy(1L << Math.min(times - 1, 10));
        return doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    }

    /** Whether a candidate is held off: it is elected only if no other candidate is there, and no leader yields to it. */
    public boolean held(String identity, Moment now) {
        return until(identity, now).isPresent();
    }

    /** Returns until when a candidate is held off, in monotonic nanoseconds; empty if it isn't. */
    public OptionalLong until(String identity, Moment now) {
        Failure failure = failures.get(identity);
        return failure == null || now.reached(failure.until())
                ? OptionalLong.empty()
                : OptionalLong.of(failure.until());
    }

    /** Describes the candidates that are held off, in the order of their names. */
    public List<String> describe(Moment now) {
        return failures.keySet().stream()
                .filter(identity -> held(identity, now))
                .sorted()
                .map(identity -> identity + " is held off " + describe(identity, now)
                        + "; other candidates come before it. Is its process alive, and may it write the Lease?")
                .toList();
    }

    /** Describes until when, by the wall clock, a candidate is held off, and why. */
    String describe(String identity, Moment now) {
        Failure failure = Objects.requireNonNull(failures.get(identity), "a candidate that is held off has failed");
        Instant until = now.wall().plusNanos(failure.until() - now.nanos()).truncatedTo(ChronoUnit.SECONDS);
        return "until " + until + ", because it was elected " + failure.times()
                + (failure.times() == 1 ? " time" : " times in a row") + " and didn't begin its term";
    }
}

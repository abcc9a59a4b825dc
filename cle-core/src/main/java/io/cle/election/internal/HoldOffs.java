package io.cle.election.internal;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.cle.model.Lease;
import io.cle.model.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Which candidates of one lease are held off, because they were granted the lease and didn't begin their term
 * (safety.md#elected-and-not-begun). Immutable.
 *
 * @param failures by identity, for those that haven't begun a term since
 */
public record HoldOffs(Map<String, Failure> failures) {

    /** No candidate is held off. */
    public static final HoldOffs NONE = new HoldOffs(Map.of());

    /** How long a candidate is held off after the first failure; twice as long after each further one. */
    static final Duration FIRST = Duration.ofSeconds(10);

    /** For how long a candidate is held off at most. */
    static final Duration LONGEST = Duration.ofMinutes(5);

    /** How many candidates are remembered, at most; beyond that, those are forgotten whose hold-off ends first. */
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

    /** What is known after the lease was seen once more. */
    public HoldOffs seen(@Nullable Lease before, @Nullable Lease next, Moment now) {
        if (next == null || next.holder() == null) {
            return this;
        }
        if (next.confirmed()) {
            return (before != null && unbegun(before, next) ? failed(before.holder(), now) : this).begun(next.holder());
        }
        return before != null && unbegun(before, next) ? failed(before.holder(), now) : this;
    }

    /** Whether the lease was granted to a candidate that hasn't begun its term, and has been given to another one, or to the same one anew. */
    private static boolean unbegun(@Nullable Lease before, Lease next) {
        if (before == null || !before.granted()) {
            return false;
        }
        boolean another = !next.heldBy(String.valueOf(before.holder()));
        boolean anew = next.granted() && next.transitions() != before.transitions();
        return another || anew;
    }

    private HoldOffs begun(String identity) {
        if (!failures.containsKey(identity)) {
            return this;
        }
        Map<String, Failure> remaining = new HashMap<>(failures);
        remaining.remove(identity);
        return new HoldOffs(remaining);
    }

    private HoldOffs failed(@Nullable String identity, Moment now) {
        if (identity == null) {
            return this;
        }
        Failure last = failures.get(identity);
        int times = last == null ? 1 : last.times() + 1;
        Map<String, Failure> all = new HashMap<>(failures);
        // What is long over is forgotten, so that a failure a day doesn't add up.
        all.values().removeIf(failure -> now.reached(failure.until() + LONGEST.toNanos()));
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
        Failure failure = failures.get(identity);
        return failure != null && !now.reached(failure.until());
    }

    /** What is to be said of those that are held off, in the order of their names. */
    public List<String> describe(Moment now) {
        return failures.entrySet().stream()
                .filter(entry -> held(entry.getKey(), now))
                .sorted(Map.Entry.comparingByKey())
                .map(entry ->
                        entry.getKey() + " was elected " + entry.getValue().times()
                                + " times in a row and didn't begin its term; other candidates come before it for another "
                                + Duration.ofNanos(entry.getValue().until() - now.nanos())
                                        .toSeconds()
                                + " s. Is its process alive, and may it write the Lease?")
                .toList();
    }
}

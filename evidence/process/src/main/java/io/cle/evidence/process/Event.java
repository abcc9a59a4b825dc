package io.cle.evidence.process;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a contender's standard output: {@code <unix nanoseconds> <what>}, and for a shard {@code <unix nanoseconds> <what> <index>/<count>}.
 *
 * @param nanos when, in nanoseconds since 1970
 * @param what {@code boot}, {@code granted} or {@code revoked}
 * @param shard the index of the shard; empty for a lease without shards
 */
public record Event(long nanos, String what, OptionalInt shard) {

    private static final Pattern LINE = Pattern.compile("(\\d{15,19}) (boot|granted|revoked)(?: (\\d+)/\\d+)?");

    /** Creates an event of a lease without shards. */
    public Event(long nanos, String what) {
        this(nanos, what, OptionalInt.empty());
    }

    /** Parses a line; returns empty if it is something else. */
    public static Optional<Event> parse(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String shard = matcher.group(3);
        return Optional.of(new Event(
                Long.parseLong(matcher.group(1)),
                matcher.group(2),
                shard == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(shard))));
    }

    /** Returns the milliseconds from another event until this one. */
    public double millisSince(Event earlier) {
        return millisSince(earlier.nanos);
    }

    /** Returns the milliseconds from an instant until this event. */
    public double millisSince(long earlierNanos) {
        return (nanos - earlierNanos) / 1e6;
    }
}

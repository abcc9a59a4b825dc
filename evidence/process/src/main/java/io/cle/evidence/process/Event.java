package io.cle.evidence.process;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a contender's standard output: {@code <unix nanoseconds> <what>}.
 *
 * @param nanos when, in nanoseconds since 1970
 * @param what {@code boot}, {@code granted} or {@code revoked}
 */
public record Event(long nanos, String what) {

    private static final Pattern LINE = Pattern.compile("(\\d{15,19}) (boot|granted|revoked)");

    /** Reads a line; empty when it is something else. */
    public static Optional<Event> parse(String line) {
        Matcher matcher = LINE.matcher(line);
        return matcher.matches()
                ? Optional.of(new Event(Long.parseLong(matcher.group(1)), matcher.group(2)))
                : Optional.empty();
    }

    /** From another event until this one, in milliseconds. */
    public double millisSince(Event earlier) {
        return millisSince(earlier.nanos);
    }

    /** From an instant until this event, in milliseconds. */
    public double millisSince(long earlierNanos) {
        return (nanos - earlierNanos) / 1e6;
    }
}

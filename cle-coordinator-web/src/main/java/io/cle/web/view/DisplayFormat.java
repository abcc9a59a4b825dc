package io.cle.web.view;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

import io.cle.model.internal.PrintableText;

/** Formats texts, times and durations for the page. */
public final class DisplayFormat {

    /** The maximum length of untrusted text; the rest is cut off. Kubernetes names have at most 253 characters. */
    static final int LONGEST = 500;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY_AND_TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter DAY_AND_MINUTE =
            DateTimeFormatter.ofPattern("MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private DisplayFormat() {}

    /**
     * Returns untrusted text with invisible characters escaped: control characters and characters that change the direction of text are
     * written as {@code \u202e}. Otherwise a candidate could appear to have the name of another one, or hide the text after its name. HTML
     * is escaped by the template.
     */
    public static String text(String stranger) {
        int length = stranger.codePointCount(0, stranger.length());
        return length > LONGEST
                ? PrintableText.text(stranger.substring(0, stranger.offsetByCodePoints(0, LONGEST))) + "…"
                : PrintableText.text(stranger);
    }

    /**
     * Formats a duration with its two largest units: {@code 2 d 4 h}, {@code 3 m 12 s}, {@code 8.4 s}, {@code 21 ms}. A negative duration
     * is shown as zero.
     */
    public static String duration(Duration duration) {
        Duration shown = duration.isNegative() ? Duration.ZERO : duration;
        long seconds = shown.toSeconds();
        if (seconds >= 86_400) {
            return two(shown.toDays(), "d", shown.toHoursPart(), "h");
        }
        if (seconds >= 3_600) {
            return two(shown.toHours(), "h", shown.toMinutesPart(), "m");
        }
        if (seconds >= 60) {
            return two(shown.toMinutes(), "m", shown.toSecondsPart(), "s");
        }
        if (seconds >= 10 || (seconds >= 1 && shown.toMillisPart() == 0)) {
            return seconds + " s";
        }
        return seconds >= 1
                ? String.format(Locale.ROOT, "%.1f s", shown.toMillis() / 1000.0)
                : shown.toMillis() + " ms";
    }

    /** Formats an age without fractions of a second, because it is updated while it grows: {@code 0 s}, {@code 59 s}, {@code 3 m 12 s}. */
    public static String age(Instant since, Instant now) {
        long seconds = Duration.between(since, now).toSeconds();
        return seconds <= 0 ? "0 s" : duration(Duration.ofSeconds(seconds));
    }

    /** Formats a time of day in UTC with milliseconds; on a day other than today's, with the date and to the second. */
    public static String time(Instant time, Instant now) {
        boolean today = LocalDate.ofInstant(time, ZoneOffset.UTC).equals(LocalDate.ofInstant(now, ZoneOffset.UTC));
        return today ? TIME.format(time) : DAY_AND_TIME.format(time);
    }

    /** Formats a time on the scale of a time line, only as precisely as the line's length requires. */
    static String tick(Instant time, Duration length) {
        return (length.toHours() >= 20 ? DAY_AND_MINUTE : length.toMinutes() >= 50 ? MINUTE : SECOND).format(time);
    }

    private static String two(long first, String firstUnit, long second, String secondUnit) {
        return second == 0 ? first + " " + firstUnit : first + " " + firstUnit + " " + second + " " + secondUnit;
    }

    /**
     * Formats times for a template.
     *
     * @param now when the page is rendered
     */
    public record Times(Instant now) {

        /** Returns how long ago something was. */
        public String age(Instant since) {
            return DisplayFormat.age(since, now);
        }

        /** Returns a time of day, in UTC. */
        public String time(Instant time) {
            return DisplayFormat.time(time, now);
        }

        /** Now, in milliseconds since 1970. */
        public long millis() {
            return now.toEpochMilli();
        }

        /** Returns a time, in milliseconds since 1970. */
        public long millis(Instant time) {
            return time.toEpochMilli();
        }
    }
}

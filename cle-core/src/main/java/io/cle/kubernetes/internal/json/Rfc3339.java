package io.cle.kubernetes.internal.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/** Reads and writes the times in Kubernetes objects. */
public final class Rfc3339 {

    private static final int MICRO_LENGTH = "2026-01-01T00:00:00.000000Z".length();
    private static final int LAST_YEAR = 9999;
    private static final int SECONDS_LENGTH = "2026-01-01T00:00:00Z".length();

    private static final DateTimeFormatter MICRO_TIME =
            new DateTimeFormatterBuilder().appendInstant(6).toFormatter(Locale.ROOT);

    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder().appendInstant(0).toFormatter(Locale.ROOT);

    private Rfc3339() {}

    /** Formats a {@code metav1.MicroTime}, always with six fractional digits. */
    public static @Nullable String micro(@Nullable Instant time) {
        return time == null ? null : MICRO_TIME.format(time);
    }

    /** Formats a {@code metav1.Time}, in whole seconds. */
    public static @Nullable String seconds(@Nullable Instant time) {
        return time == null ? null : TIME.format(time);
    }

    /**
     * Parses a time of any precision and offset.
     *
     * @throws DateTimeException if the text isn't a time
     */
    public static Instant parse(String text) {
        return isUsual(text) ? parseUsual(text) : parseUnusual(text);
    }

    /** Parses any valid time. Rejects years of more than four digits, which Java accepts but which can't be counted in microseconds. */
    private static Instant parseUnusual(String text) {
        Instant time = OffsetDateTime.parse(text).toInstant();
        int year = time.atOffset(ZoneOffset.UTC).getYear();
        if (year < 0 || year > LAST_YEAR) {
            throw new DateTimeException("the year must have four digits: " + year);
        }
        return time;
    }

    /** Returns whether the text has the separators of one of the two forms that API servers use. */
    private static boolean isUsual(String text) {
        boolean micro = text.length() == MICRO_LENGTH && text.charAt(19) == '.';
        return (micro || text.length() == SECONDS_LENGTH)
                && text.charAt(4) == '-'
                && text.charAt(7) == '-'
                && text.charAt(10) == 'T'
                && text.charAt(13) == ':'
                && text.charAt(16) == ':'
                && text.endsWith("Z");
    }

    /**
     * Parses the usual forms without a formatter: every watch event has several times, and a formatter would take longer for them than all
     * other processing of the event.
     */
    private static Instant parseUsual(String text) {
        LocalDateTime time = LocalDateTime.of(
                digits(text, 0, 4),
                digits(text, 5, 7),
                digits(text, 8, 10),
                digits(text, 11, 13),
                digits(text, 14, 16),
                digits(text, 17, 19),
                text.length() == MICRO_LENGTH ? 1000 * digits(text, 20, 26) : 0);
        return time.toInstant(ZoneOffset.UTC);
    }

    private static int digits(String text, int from, int to) {
        int number = 0;
        for (int at = from; at < to; at++) {
            int digit = text.charAt(at) - '0';
            if (digit < 0 || digit > 9) {
                throw new DateTimeParseException("a digit is expected", text, at);
            }
            number = 10 * number + digit;
        }
        return number;
    }
}

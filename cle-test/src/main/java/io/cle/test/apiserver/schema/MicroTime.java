package io.cle.test.apiserver.schema;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;

/** Kubernetes' times: a {@code MicroTime} has six digits after the second, always, and is answered in UTC. */
public final class MicroTime {

    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'");
    private static final Pattern SIX_DIGITS = Pattern.compile("[^.]*\\.\\d{6}(Z|[+-]\\d\\d:\\d\\d)");
    private static final String CANONICAL = "2026-01-01T00:00:00.000000Z";

    private MicroTime() {}

    /** The instant as a {@code MicroTime}: UTC, cut to microseconds. */
    public static String format(Instant instant) {
        return FORMAT.format(instant.atOffset(ZoneOffset.UTC));
    }

    /**
     * The time as kube-apiserver would answer it.
     *
     * @throws DateTimeParseException when the text isn't a time with six digits after the second
     */
    public static String canonical(String text) {
        Instant time = parse(text);
        if (isCanonical(text)) {
            return text;
        }
        if (!SIX_DIGITS.matcher(text).matches()) {
            throw new DateTimeParseException("six digits must stand after the second", text, 0);
        }
        return format(time);
    }

    /**
     * The instant of an RFC 3339 time of any precision. What a server answers itself is read without a formatter: it's read so often
     * that simulations would spend a fifth of their time on it.
     *
     * @throws DateTimeException when the text isn't one
     */
    public static Instant parse(String text) {
        if (!isCanonical(text)) {
            return OffsetDateTime.parse(text).toInstant();
        }
        LocalDateTime time = LocalDateTime.of(
                digits(text, 0, 4),
                digits(text, 5, 7),
                digits(text, 8, 10),
                digits(text, 11, 13),
                digits(text, 14, 16),
                digits(text, 17, 19),
                1000 * digits(text, 20, 26));
        return time.toInstant(ZoneOffset.UTC);
    }

    /** Whether all but the digits is where it is in a time that the server has written. */
    private static boolean isCanonical(String text) {
        return text.length() == CANONICAL.length()
                && text.charAt(4) == '-'
                && text.charAt(7) == '-'
                && text.charAt(10) == 'T'
                && text.charAt(13) == ':'
                && text.charAt(16) == ':'
                && text.charAt(19) == '.'
                && text.charAt(26) == 'Z';
    }

    private static int digits(String text, int from, int to) {
        int number = 0;
        for (int at = from; at < to; at++) {
            int digit = text.charAt(at) - '0';
            if (digit < 0 || digit > 9) {
                throw new DateTimeParseException("a digit must stand there", text, at);
            }
            number = 10 * number + digit;
        }
        return number;
    }

    /** Whether the text is an RFC 3339 time, as {@code format: date-time} of a schema demands. */
    public static boolean isDateTime(String text) {
        try {
            OffsetDateTime.parse(text);
            // Java takes times without seconds, RFC 3339 doesn't.
            return text.length() >= "2026-01-01T00:00:00Z".length();
        } catch (DateTimeParseException e) {
            return false;
        }
    }
}

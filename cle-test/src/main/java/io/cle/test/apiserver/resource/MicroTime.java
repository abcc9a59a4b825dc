package io.cle.test.apiserver.resource;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Pattern;

import io.cle.kubernetes.internal.json.Rfc3339;

/** Kubernetes' timestamps: a {@code MicroTime} always has six fractional digits and is returned in UTC. */
public final class MicroTime {

    private static final DateTimeFormatter FORMAT =
            new DateTimeFormatterBuilder().appendInstant(6).toFormatter(Locale.ROOT);
    private static final Pattern SIX_DIGITS = Pattern.compile("[^.]*\\.\\d{6}(Z|[+-]\\d\\d:\\d\\d)");
    private static final int CANONICAL_LENGTH = "2026-01-01T00:00:00.000000Z".length();

    private MicroTime() {}

    /** Formats the instant in UTC, truncated to microseconds. */
    public static String format(Instant instant) {
        return FORMAT.format(instant);
    }

    /**
     * Returns the time as kube-apiserver would.
     *
     * @throws DateTimeException when the text isn't a time with six digits after the second
     */
    public static String canonical(String text) {
        Instant time = Rfc3339.parse(text);
        if (text.length() == CANONICAL_LENGTH && text.charAt(19) == '.' && text.endsWith("Z")) {
            return text;
        }
        if (!SIX_DIGITS.matcher(text).matches()) {
            throw new DateTimeParseException("six digits are expected after the second", text, 0);
        }
        return format(time);
    }

    /** Whether the text is an RFC 3339 time, as {@code format: date-time} of a schema requires. */
    public static boolean isDateTime(String text) {
        try {
            OffsetDateTime.parse(text);
            // Java accepts times without seconds, RFC 3339 doesn't.
            return text.length() >= "2026-01-01T00:00:00Z".length();
        } catch (DateTimeParseException e) {
            return false;
        }
    }
}

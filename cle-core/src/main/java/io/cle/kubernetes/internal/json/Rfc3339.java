package io.cle.kubernetes.internal.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/** Reads and writes the times in Kubernetes objects. */
public final class Rfc3339 {

    private static final int LAST_YEAR = 9999;

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
     * Parses a time of any precision and offset. Rejects years of more than four digits, which Java accepts but which can't be counted in
     * microseconds.
     *
     * @throws DateTimeException if the text isn't a time
     */
    public static Instant parse(String text) {
        Instant time = OffsetDateTime.parse(text).toInstant();
        int year = time.atOffset(ZoneOffset.UTC).getYear();
        if (year < 0 || year > LAST_YEAR) {
            throw new DateTimeException("the year must have four digits: " + year);
        }
        return time;
    }
}

package io.cle.kubernetes.internal.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.function.Supplier;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonPrimitive;
import org.jspecify.annotations.Nullable;

/** Times as Kubernetes writes them. */
public final class Times {

    private static final DateTimeFormatter MICRO_TIME =
            new DateTimeFormatterBuilder().appendInstant(6).toFormatter(Locale.ROOT);

    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder().appendInstant(0).toFormatter(Locale.ROOT);

    private Times() {}

    /** A {@code metav1.MicroTime}: six digits of a second, always. */
    public static String micro(Instant time) {
        return MICRO_TIME.format(time);
    }

    /** A {@code metav1.Time}: whole seconds. */
    public static String seconds(Instant time) {
        return TIME.format(time);
    }

    /** A {@code metav1.MicroTime}, or a JSON {@code null}. */
    public static JsonElement microOrNull(@Nullable Instant time) {
        return time == null ? JsonNull.INSTANCE : new JsonPrimitive(micro(time));
    }

    /** Reads RFC 3339 of any precision and offset. */
    public static Instant parse(Supplier<String> where, String text) throws MalformedObjectException {
        try {
            return Rfc3339.parse(text);
        } catch (DateTimeException e) {
            throw new MalformedObjectException(where.get()
                    + " must be a time such as 2026-01-01T00:00:00.000000Z and is '" + Json.excerpt(text) + "'");
        }
    }
}

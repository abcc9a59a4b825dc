package io.cle.spring.properties.internal;

import java.time.Duration;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/** Formats values as in a properties file, for messages. */
public final class Setting {

    private Setting() {}

    /** Returns a value of any type; {@code null} for none. */
    public static @Nullable String text(@Nullable Object value) {
        if (value instanceof Duration duration) {
            return text(duration);
        }
        return value instanceof Enum<?> constant
                ? constant.name().toLowerCase(Locale.ROOT)
                : value == null ? null : value.toString();
    }

    /** Returns a duration: {@code 15s}, {@code 1500ms}. */
    public static String text(Duration duration) {
        if (duration.toMillisPart() == 0 && duration.toNanosPart() % 1_000_000 == 0) {
            return duration.toSeconds() + "s";
        }
        return duration.toNanosPart() % 1_000_000 == 0 ? duration.toMillis() + "ms" : duration.toNanos() + "ns";
    }
}

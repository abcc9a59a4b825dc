package io.cle.spring.properties.internal;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

import io.cle.ConfigurationProblem;
import org.jspecify.annotations.Nullable;

/**
 * A value and the property that it comes from, which a problem names.
 *
 * @param property the full name of the property that has the value or the default
 * @param value the value
 * @param <T> its type
 */
public record Setting<T>(String property, T value) {

    /** Returns the value as it is written in a properties file; {@code null} if there is none. */
    @Nullable
    String text() {
        Object current = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        if (current == null) {
            return null;
        }
        if (current instanceof Duration duration) {
            return text(duration);
        }
        if (current instanceof Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT);
        }
        return current.toString();
    }

    /** Returns a problem with this value. */
    public ConfigurationProblem problem(String reason, String action) {
        return new ConfigurationProblem(property, text(), reason, action);
    }

    /** Returns a duration in the notation of properties files: {@code 15s}, {@code 1500ms}. */
    public static String text(Duration duration) {
        if (duration.toMillisPart() == 0 && duration.toNanosPart() % 1_000_000 == 0) {
            return duration.toSeconds() + "s";
        }
        return duration.toNanosPart() % 1_000_000 == 0 ? duration.toMillis() + "ms" : duration.toNanos() + "ns";
    }
}

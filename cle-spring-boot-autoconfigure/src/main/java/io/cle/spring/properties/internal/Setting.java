package io.cle.spring.properties.internal;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

import io.cle.ConfigurationProblem;
import org.jspecify.annotations.Nullable;

/**
 * A value together with the property that it comes from, so that a problem can name it.
 *
 * @param property the full path of the property that says it, or whose default it is
 * @param value the value
 * @param <T> its type
 */
public record Setting<T>(String property, T value) {

    /** The value as a person would write it into a properties file; {@code null} when there is none. */
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

    /** A problem with this value. */
    public ConfigurationProblem problem(String reason, String action) {
        return new ConfigurationProblem(property, text(), reason, action);
    }

    /** A duration in the notation of properties files: {@code 15s}, {@code 1500ms}. */
    public static String text(Duration duration) {
        if (duration.toMillisPart() == 0 && duration.toNanosPart() % 1_000_000 == 0) {
            return duration.toSeconds() + "s";
        }
        return duration.toNanosPart() % 1_000_000 == 0 ? duration.toMillis() + "ms" : duration.toNanos() + "ns";
    }
}

package io.cle.test.apiserver.resource;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * Formats ages as {@code kubectl} does: {@code 5s}, {@code 3m20s}, {@code 7h}, {@code 4d}.
 *
 * @param now the current time
 */
public record Ages(Instant now) {

    /** Returns a time's age; {@code <invalid>} if it's malformed or in the future. */
    public String since(String time) {
        Duration age;
        try {
            age = Duration.between(OffsetDateTime.parse(time).toInstant(), now);
        } catch (DateTimeException e) {
            return "<invalid>";
        }
        long seconds = age.toSeconds();
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 120) {
            return Math.max(seconds, 0) + "s";
        }
        long minutes = age.toMinutes();
        if (minutes < 10) {
            return withRest(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        long hours = age.toHours();
        if (hours < 8) {
            return withRest(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        long days = age.toDays();
        return days < 8 ? withRest(days, "d", hours % 24, "h") : days + "d";
    }

    private static String withRest(long whole, String unit, long rest, String restUnit) {
        return rest == 0 ? whole + unit : whole + unit + rest + restUnit;
    }
}

package io.cle.web.view;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * How much of the past a time line shows, until now.
 *
 * @param slug how it is asked for in a URL: {@code 15m}, {@code 6h}, {@code 1d}, {@code 4w}; empty for all that is known
 * @param length how much that is; {@code null} for all that is known
 */
public record Span(String slug, @Nullable Duration length) {

    private static final Pattern SLUG = Pattern.compile("([1-9]\\d{0,3})([mhdw])");

    /** All that is known. */
    public static final Span ALL = new Span("", null);

    /** Those that are a click away. */
    public static final List<Span> OFFERED = List.of(of("15m"), of("1h"), of("6h"), of("1d"), of("1w"), of("4w"), ALL);

    /** Reads a parameter of a URL; one that isn't understood counts as absent. */
    public static Span of(@Nullable String slug) {
        Matcher matcher = SLUG.matcher(slug == null ? "" : slug);
        if (!matcher.matches()) {
            return ALL;
        }
        int count = Integer.parseInt(matcher.group(1));
        return new Span(
                matcher.group(),
                switch (matcher.group(2)) {
                    case "m" -> Duration.ofMinutes(count);
                    case "h" -> Duration.ofHours(count);
                    case "d" -> Duration.ofDays(count);
                    default -> Duration.ofDays(7L * count);
                });
    }

    /** For people. */
    public String text() {
        return length == null ? "all" : slug.replaceFirst("(?=[mhdw])", " ");
    }
}

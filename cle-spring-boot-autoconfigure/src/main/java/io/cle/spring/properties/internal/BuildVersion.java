package io.cle.spring.properties.internal;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.cle.model.Version;
import org.jspecify.annotations.Nullable;

/**
 * Reads the versions of builds as semantic versions. Used for found and for configured versions, because the latter
 * often come from the build, too ({@code @project.version@}).
 */
final class BuildVersion {

    /** One to three numbers, with leading zeros as in calendar versions, and a qualifier. */
    private static final Pattern PARTS =
            Pattern.compile("v?(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?(?:([-+].*)|\\.(\\p{Alpha}.*))?");

    /** The release qualifiers of Spring, Hibernate and JBoss. */
    private static final Pattern RELEASE = Pattern.compile("(?i)release|final|ga");

    /** The pre-release qualifiers of Maven and Spring: {@code RC1}, {@code BUILD-SNAPSHOT}. */
    private static final Pattern PRE_RELEASE =
            Pattern.compile("(?i)(alpha|beta|milestone|m|rc|cr|(build-)?snapshot)([-.\\d].*)?");

    private BuildVersion() {}

    /**
     * Reads a version. A semantic one is taken as it is. {@code 1.0-SNAPSHOT} is read as 1.0.0-SNAPSHOT, {@code 2024.01.15} as 2024.1.15,
     * {@code 1.2.3.Final} as 1.2.3, {@code 1.2.3.RC1} as 1.2.3-RC1.
     *
     * @param text as the build wrote it
     * @return empty for a text that can't be compared with other versions, such as Gradle's {@code unspecified} or the name of a branch
     */
    static Optional<Version> read(String text) {
        Matcher parts = PARTS.matcher(text.strip());
        if (!parts.matches()) {
            return Optional.empty();
        }
        String core = number(parts.group(1)) + "." + number(parts.group(2)) + "." + number(parts.group(3));
        String word = parts.group(5);
        if (word == null) {
            return parse(core + (parts.group(4) == null ? "" : parts.group(4)));
        }
        if (RELEASE.matcher(word).matches()) {
            return parse(core);
        }
        return PRE_RELEASE.matcher(word).matches() ? parse(core + "-" + word) : Optional.empty();
    }

    private static String number(@Nullable String digits) {
        return digits == null ? "0" : digits.replaceFirst("^0+(?=\\d)", "");
    }

    private static Optional<Version> parse(String text) {
        try {
            return Optional.of(Version.parse(text));
        } catch (IllegalArgumentException notComparable) {
            return Optional.empty();
        }
    }
}

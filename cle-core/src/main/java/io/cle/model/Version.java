package io.cle.model;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A semantic version, compared as specified by <a href="https://semver.org/spec/v2.0.0.html#spec-item-11">semver 2.0.0, item 11</a>:
 * numbers numerically, a pre-release before its release, build metadata ignored.
 *
 * <p>{@link #equals(Object)} compares build metadata too, {@link #compareTo(Version)} compares precedence only. They are inconsistent for
 * versions that differ in build metadata only.
 */
public final class Version implements Comparable<Version> {

    private static final String NUMBER = "(0|[1-9]\\d*)";
    private static final Pattern SEMVER = Pattern.compile(NUMBER + "\\." + NUMBER + "(?:\\." + NUMBER
            + "(?:-([0-9A-Za-z.-]+))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?)?");
    private static final Pattern DIGITS = Pattern.compile("\\d+");

    /**
     * The limit that semver advises. Versions come from candidates, which other teams write: one with 20,000 parts overflowed the stack of
     * the coordinator's loop.
     */
    private static final int MAX_LENGTH = 255;

    private final String text;
    private final String[] core;
    private final String[] preRelease;

    private Version(String text, String[] core, String[] preRelease) {
        this.text = text;
        this.core = core;
        this.preRelease = preRelease;
    }

    /**
     * Parses a semantic version: {@code 1.29.0}, {@code 1.29.0-rc.1}, {@code 1.29.0+build.5}. A version of two numbers, {@code 1.29}, is
     * read and written as {@code 1.29.0}: KEP-4355's own example writes {@code binary-version: "1.29"}, as Kubernetes names its minor
     * versions.
     *
     * @throws IllegalArgumentException if the text isn't a version; the message is for the person who wrote it
     */
    public static Version parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("'" + text.substring(0, 40) + "…' is not a semantic version: it has "
                    + text.length() + " characters, and " + MAX_LENGTH + " are allowed");
        }
        Matcher matcher = SEMVER.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a semantic version" + hint(text));
        }
        String preRelease = matcher.group(4);
        String[] identifiers = preRelease == null ? new String[0] : preRelease.split("\\.", -1);
        for (String identifier : identifiers) {
            boolean numeric = DIGITS.matcher(identifier).matches();
            if (identifier.isEmpty() || (numeric && identifier.length() > 1 && identifier.charAt(0) == '0')) {
                throw new IllegalArgumentException(
                        "'" + text + "' is not a semantic version: bad pre-release identifier '" + identifier + "'");
            }
        }
        String patch = matcher.group(3);
        String[] core = {matcher.group(1), matcher.group(2), patch == null ? "0" : patch};
        return new Version(patch == null ? text + ".0" : text, core, identifiers);
    }

    private static String hint(String text) {
        if (text.startsWith("v")) {
            return ": leave out the leading 'v'";
        }
        return ": it must be MAJOR.MINOR.PATCH or MAJOR.MINOR, for example 1.29.0";
    }

    @Override
    public int compareTo(Version other) {
        for (int i = 0; i < core.length; i++) {
            int byNumber = compareNumber(core[i], other.core[i]);
            if (byNumber != 0) {
                return byNumber;
            }
        }
        return comparePreRelease(preRelease, other.preRelease);
    }

    private static int comparePreRelease(String[] left, String[] right) {
        if (left.length == 0 || right.length == 0) {
            return Integer.compare(right.length, left.length) == 0 ? 0 : (left.length == 0 ? 1 : -1);
        }
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            int byIdentifier = compareIdentifier(left[i], right[i]);
            if (byIdentifier != 0) {
                return byIdentifier;
            }
        }
        return Integer.compare(left.length, right.length);
    }

    private static int compareIdentifier(String left, String right) {
        boolean leftNumeric = DIGITS.matcher(left).matches();
        boolean rightNumeric = DIGITS.matcher(right).matches();
        if (leftNumeric && rightNumeric) {
            return compareNumber(left, right);
        }
        if (leftNumeric != rightNumeric) {
            return leftNumeric ? -1 : 1;
        }
        return left.compareTo(right);
    }

    /** Compares numbers of any length without leading zeros: the longer one is larger. */
    private static int compareNumber(String left, String right) {
        int byLength = Integer.compare(left.length(), right.length());
        return byLength != 0 ? byLength : left.compareTo(right);
    }

    /** Returns whether it is a pre-release, as {@code 1.29.0-rc.1} is. */
    public boolean isPreRelease() {
        return preRelease.length > 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Version version && version.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Returns the version as it was written; {@code .0} is appended to a version of two numbers. */
    @Override
    public String toString() {
        return text;
    }
}

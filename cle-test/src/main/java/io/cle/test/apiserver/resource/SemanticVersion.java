package io.cle.test.apiserver.resource;

import java.math.BigInteger;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/** A full semantic version, read as strictly as Kubernetes reads those of candidates: three numbers, no {@code v}. */
record SemanticVersion(BigInteger major, BigInteger minor, BigInteger patch, List<String> preRelease)
        implements Comparable<SemanticVersion> {

    static final SemanticVersion ZERO =
            new SemanticVersion(BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO, List.of());

    private static final String NUMBER = "(0|[1-9]\\d*)";
    private static final String PRE = "(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)";
    private static final Pattern FORM = Pattern.compile(NUMBER + "\\." + NUMBER + "\\." + NUMBER + "(?:-(" + PRE
            + "(?:\\." + PRE + ")*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?");

    /** The version, or null when the text is none. */
    static @Nullable SemanticVersion parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        String pre = matcher.group(4);
        return new SemanticVersion(
                new BigInteger(matcher.group(1)),
                new BigInteger(matcher.group(2)),
                new BigInteger(matcher.group(3)),
                pre == null ? List.of() : List.of(pre.split("\\.")));
    }

    @Override
    public int compareTo(SemanticVersion other) {
        int byNumbers = major.compareTo(other.major);
        byNumbers = byNumbers != 0 ? byNumbers : minor.compareTo(other.minor);
        byNumbers = byNumbers != 0 ? byNumbers : patch.compareTo(other.patch);
        return byNumbers != 0 ? byNumbers : comparePreRelease(other);
    }

    private int comparePreRelease(SemanticVersion other) {
        if (preRelease.isEmpty() || other.preRelease.isEmpty()) {
            return Boolean.compare(preRelease.isEmpty(), other.preRelease.isEmpty());
        }
        for (int i = 0; i < Math.min(preRelease.size(), other.preRelease.size()); i++) {
            int byPart = comparePart(preRelease.get(i), other.preRelease.get(i));
            if (byPart != 0) {
                return byPart;
            }
        }
        return Integer.compare(preRelease.size(), other.preRelease.size());
    }

    private static int comparePart(String mine, String theirs) {
        boolean mineIsNumber = mine.chars().allMatch(Character::isDigit);
        boolean theirsIsNumber = theirs.chars().allMatch(Character::isDigit);
        if (mineIsNumber && theirsIsNumber) {
            return new BigInteger(mine).compareTo(new BigInteger(theirs));
        }
        return mineIsNumber == theirsIsNumber ? mine.compareTo(theirs) : mineIsNumber ? -1 : 1;
    }
}

package io.cle.web.view;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Something about a lease that needs attention.
 *
 * @param vacant whether it is that no process leads
 * @param text what is wrong, or what is being waited for
 * @param kind the same without names and numbers: problems of two leases that are equal by it are one line of the overview
 */
public record Problem(boolean vacant, String text, String kind) {

    private static final Pattern WORD = Pattern.compile("(\\S+?)([,;:.)]*)(?=\\s|$)");

    /** A number, a version, a time, an object's key, or a name that Kubernetes has made up. */
    private static final Pattern PARTICULAR = Pattern.compile(".*[0-9/].*");

    /** A problem whose text comes from elsewhere, so that its names and numbers have to be found. */
    static Problem of(boolean vacant, String text) {
        String kind = WORD.matcher(text)
                .replaceAll(word -> Matcher.quoteReplacement(
                        PARTICULAR.matcher(word.group(1)).matches() ? "…" + word.group(2) : word.group()));
        return new Problem(vacant, text, kind);
    }
}

package io.cle.spring.migration;

import java.util.regex.Pattern;

/**
 * Lets {@code component: *} be read. The KEP writes its YAML so, but to YAML a bare asterisk begins an alias, and parsers refuse it.
 */
final class BareAsterisk {

    /** An asterisk that is all of the value of a {@code component}: a comment, the end of the line or of the item follows. */
    private static final Pattern COMPONENT =
            Pattern.compile("(?<![\\w.-])(component\\h*:\\h+)\\*(?=\\h*(?:$|\\h#|[,}]))", Pattern.MULTILINE);

    private BareAsterisk() {}

    /** The same text with the asterisks quoted that stand for any component. All lines stay where they were. */
    static String quote(String yaml) {
        return COMPONENT.matcher(yaml).replaceAll("$1'*'");
    }
}

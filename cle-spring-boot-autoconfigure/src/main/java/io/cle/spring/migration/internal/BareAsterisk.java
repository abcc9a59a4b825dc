package io.cle.spring.migration.internal;

import java.util.regex.Pattern;

/** Makes {@code component: *} readable. KEP-2436 writes it, but in YAML a bare asterisk begins an alias, which parsers reject. */
final class BareAsterisk {

    /** An asterisk that is the whole value of a {@code component}: a comment, or the end of the line or of the item, follows. */
    private static final Pattern COMPONENT =
            Pattern.compile("(?<![\\w.-])(component\\h*:\\h+)\\*(?=\\h*(?:$|\\h#|[,}]))", Pattern.MULTILINE);

    private BareAsterisk() {}

    /** The same text, with the asterisks quoted that mean any component. All lines keep their numbers. */
    static String quote(String yaml) {
        return COMPONENT.matcher(yaml).replaceAll("$1'*'");
    }
}

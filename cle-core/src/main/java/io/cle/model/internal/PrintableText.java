package io.cle.model.internal;

import java.util.Locale;

/**
 * Escapes text from other parties for logs, Events and answers (protocol.md#objects). A line feed in a candidate's strategy could forge
 * a log line, and an escape sequence could clear a reader's terminal.
 */
public final class PrintableText {

    private PrintableText() {}

    /**
     * Returns the text with every invisible character escaped, for example as {@code \}{@code u001b}: control characters, characters that
     * change the direction of text, line separators and unpaired surrogates.
     */
    public static String text(String written) {
        if (isPlain(written)) {
            return written;
        }
        StringBuilder text = new StringBuilder();
        written.codePoints().forEach(point -> {
            if (visible(point)) {
                text.appendCodePoint(point);
            } else {
                text.append(String.format(Locale.ROOT, "\\u%04x", point));
            }
        });
        return text.toString();
    }

    /**
     * Returns whether the text needs no escaping, as nearly all texts do. A loop, because every field of every object is checked and a
     * stream is several times slower.
     */
    private static boolean isPlain(String text) {
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character < ' ' || character > '~') {
                return false;
            }
        }
        return true;
    }

    private static boolean visible(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }
}

package io.cle.model.internal;

import java.util.Locale;

/**
 * Texts that other people wrote, made fit for logs, Events and answers (safety.md#visible-text). A line feed in a candidate's strategy
 * would forge a line of the log, and an escape sequence would clear the terminal of a person who reads it.
 */
public final class PrintableText {

    private PrintableText() {}

    /**
     * The text with every character that can't be seen written as {@code \}{@code u001b}: control characters, those that turn the direction of
     * writing, line separators and halves of characters.
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

    /** Nearly all texts are plain. Every field of every object passes here, and a stream takes several times as long as this loop. */
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

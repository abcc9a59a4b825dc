package io.cle.spring.migration;

import org.jspecify.annotations.Nullable;

/**
 * Something that is wrong with a configuration's file.
 *
 * @param line where, counted from 1; 0 where it is nowhere, as with what is missing
 * @param place the field, as the KEP writes it; empty where the text isn't YAML at all
 * @param value what stands there; {@code null} when nothing does
 * @param reason what is wrong with it, to follow after place and value
 * @param action the way out, a sentence
 */
record Finding(int line, String place, @Nullable String value, String reason, String action) {

    /** What is wrong, and on which line. */
    String describe() {
        String where = line == 0 ? "" : "line " + line + ": ";
        if (place.isEmpty()) {
            return where + reason;
        }
        return where + place + (value == null ? " is not written: " : " = '" + value + "': ") + reason;
    }
}

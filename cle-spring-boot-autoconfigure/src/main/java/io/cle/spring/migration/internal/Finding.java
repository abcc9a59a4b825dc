package io.cle.spring.migration.internal;

import org.jspecify.annotations.Nullable;

/**
 * One error in a configuration file.
 *
 * @param line its line, counted from 1; 0 if it has none, because something is missing
 * @param place the field, as KEP-2436 writes it; empty if the text isn't YAML at all
 * @param value the field's value; {@code null} if there is none
 * @param reason what is wrong; continues the sentence that place and value begin
 * @param action what to do instead, in a sentence
 */
record Finding(int line, String place, @Nullable String value, String reason, String action) {

    /** The error, with its line. */
    String describe() {
        String where = line == 0 ? "" : "line " + line + ": ";
        if (place.isEmpty()) {
            return where + reason;
        }
        return where + place + (value == null ? " is not written: " : " = '" + value + "': ") + reason;
    }
}

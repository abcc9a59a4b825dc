package io.cle.kubernetes.internal.codec;

import java.util.regex.Pattern;

import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.model.Version;
import org.jspecify.annotations.Nullable;

/** Versions as label values. Label values can't contain a plus sign, which is written as an underscore, because versions never contain one. */
final class VersionLabel {

    private static final Pattern LABEL_VALUE = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
    private static final int MAX_LENGTH = 63;

    private VersionLabel() {}

    /**
     * Returns the label value.
     *
     * @throws IllegalArgumentException if API servers wouldn't accept it
     */
    static String encode(String label, Version version) {
        String value = version.toString().replace('+', '_');
        if (value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("the version '" + version + "' has " + value.length()
                    + " characters, and the label " + label + " may have " + MAX_LENGTH
                    + " at most; shorten its pre-release or build part");
        }
        if (!LABEL_VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException("the version '" + version + "' is not valid as the label " + label
                    + ", which must end with a letter or a digit");
        }
        return value;
    }

    /** Returns the version of a label value. */
    static @Nullable Version decode(String label, @Nullable String value) throws MalformedObjectException {
        return version(label, value == null ? null : value.replace('_', '+'));
    }

    /** Reads the version in a field; {@code null} if the field is empty. */
    static @Nullable Version version(String field, @Nullable String value) throws MalformedObjectException {
        if (value == null || value.isEmpty()) {
            return null;
        }
        try {
            return Version.parse(value);
        } catch (IllegalArgumentException e) {
            throw new MalformedObjectException(field + ": " + e.getMessage());
        }
    }
}

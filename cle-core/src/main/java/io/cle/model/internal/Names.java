package io.cle.model.internal;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Validates names by the API server's rules, and identities by this project's. Rule: {@code protocol.md#objects}.
 */
public final class Names {

    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern SUBDOMAIN = Pattern.compile(LABEL.pattern() + "(\\." + LABEL.pattern() + ")*");
    private static final int LABEL_LENGTH = 63;
    private static final int SUBDOMAIN_LENGTH = 253;

    /** The maximum length of a candidate's name. It also keeps the term annotation, which repeats the identity, within its limit. */
    private static final int IDENTITY_LENGTH = SUBDOMAIN_LENGTH;

    private Names() {}

    /** Returns the problem of a lease's or candidate's name, which must be a DNS subdomain; empty if it is valid. */
    public static Optional<String> problemOfName(String name) {
        return problem(
                name,
                SUBDOMAIN,
                SUBDOMAIN_LENGTH,
                "must consist of lower case letters, digits, '-' and '.', and begin and end with a letter or digit");
    }

    /** Returns the problem of a namespace, which must be a DNS label; empty if it is valid. */
    public static Optional<String> problemOfNamespace(String namespace) {
        return problem(
                namespace,
                LABEL,
                LABEL_LENGTH,
                "must consist of lower case letters, digits and '-', and begin and end with a letter or digit");
    }

    /** Returns the problem of an identity, which is free text in the record of a direct lock; empty if it is valid. */
    public static Optional<String> problemOfIdentity(String identity) {
        if (identity.isBlank()) {
            return Optional.of("must not be empty");
        }
        if (identity.length() > IDENTITY_LENGTH) {
            return tooLong(identity, IDENTITY_LENGTH);
        }
        // It would be read back as another text, and the process would mistake its own record for another process's.
        return identity.equals(PrintableText.text(identity))
                ? Optional.empty()
                : Optional.of("must not have characters that can't be seen, such as line breaks or control characters");
    }

    private static Optional<String> tooLong(String value, int maxLength) {
        return Optional.of("must be at most " + maxLength + " characters long and has " + value.length());
    }

    private static Optional<String> problem(String value, Pattern pattern, int maxLength, String rule) {
        if (value.isEmpty()) {
            return Optional.of("must not be empty");
        }
        if (value.length() > maxLength) {
            return tooLong(value, maxLength);
        }
        return pattern.matcher(value).matches() ? Optional.empty() : Optional.of(rule);
    }
}

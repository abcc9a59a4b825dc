package io.cle.model.internal;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What an API server takes as a name, and this project as an identity, asked before it has to be refused.
 * Rule: {@code safety.md#visible-text}.
 */
public final class Names {

    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern SUBDOMAIN = Pattern.compile(LABEL.pattern() + "(\\." + LABEL.pattern() + ")*");
    private static final int LABEL_LENGTH = 63;
    private static final int SUBDOMAIN_LENGTH = 253;

    /** The name of a candidate is as long at most; and the term annotation, which repeats the identity, stays as short as its readers demand. */
    private static final int IDENTITY_LENGTH = SUBDOMAIN_LENGTH;

    private Names() {}

    /** What is wrong with the name of a lease or a candidate (a DNS subdomain); empty when nothing is. */
    public static Optional<String> problemOfName(String name) {
        return problem(
                name,
                SUBDOMAIN,
                SUBDOMAIN_LENGTH,
                "must consist of lower case letters, digits, '-' and '.', and begin and end with a letter or digit");
    }

    /** What is wrong with a namespace (a DNS label); empty when nothing is. */
    public static Optional<String> problemOfNamespace(String namespace) {
        return problem(
                namespace,
                LABEL,
                LABEL_LENGTH,
                "must consist of lower case letters, digits and '-', and begin and end with a letter or digit");
    }

    /** What is wrong with an identity, which is free text in the record of a direct lock; empty when nothing is. */
    public static Optional<String> problemOfIdentity(String identity) {
        if (identity.isBlank()) {
            return Optional.of("must not be empty");
        }
        if (identity.length() > IDENTITY_LENGTH) {
            return tooLong(identity, IDENTITY_LENGTH);
        }
        // It would be read back as another text, so that the process would take its own record for another's.
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

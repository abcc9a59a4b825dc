package io.cle;

import org.jspecify.annotations.Nullable;

/**
 * A problem with the configuration, described for a person.
 *
 * @param property the full path of the property at fault, for example {@code cle.leases.reports.renew-deadline}
 * @param value its value; {@code null} when it isn't set
 * @param reason what is wrong with the value, to be printed after "property = value"
 * @param action how to fix it, as a sentence
 */
public record ConfigurationProblem(
        String property, @Nullable String value, String reason, String action) {

    /** Describes the problem in one line: the property, its value, and what is wrong. */
    public String describe() {
        return value == null ? property + " is not set: " + reason : property + " = '" + value + "': " + reason;
    }
}

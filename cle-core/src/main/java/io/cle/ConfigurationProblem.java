package io.cle;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with the configuration, for a person to read.
 *
 * @param property the full path of the property at fault, for example {@code cle.leases.reports.renew-deadline}
 * @param value its value; {@code null} when it isn't set
 * @param reason what is wrong with it, to follow after "property = value"
 * @param action the way out, a sentence
 */
public record ConfigurationProblem(
        String property, @Nullable String value, String reason, String action) {

    /** One line: the property, its value, and what is wrong. */
    public String describe() {
        return value == null ? property + " is not set: " + reason : property + " = '" + value + "': " + reason;
    }
}

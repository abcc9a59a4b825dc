package io.cle;

import org.jspecify.annotations.Nullable;

/** Thrown if a property is invalid or contradicts another one. */
public final class InvalidConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String property;
    private final @Nullable String value;
    private final String reason;
    private final String action;

    /**
     * Creates an exception for a property.
     *
     * @param property the full path of the property at fault, for example {@code cle.leases.reports.renew-deadline}
     * @param value its value; {@code null} if it isn't set
     * @param reason what is wrong: a predicate of the property ("must be …", "contradicts …"), or a clause
     * @param action how to fix it, as a sentence
     */
    public InvalidConfigurationException(String property, @Nullable String value, String reason, String action) {
        super(property
                + (value == null ? " is not set: " : " (" + value + ")" + (isPredicate(reason) ? " " : ": "))
                + reason);
        this.property = property;
        this.value = value;
        this.reason = reason;
        this.action = action;
    }

    private static boolean isPredicate(String reason) {
        return reason.startsWith("must ") || reason.startsWith("contradicts ");
    }

    /** Returns the full path of the property at fault. */
    public String property() {
        return property;
    }

    /** Returns its value; {@code null} if it isn't set. */
    public @Nullable String value() {
        return value;
    }

    /** Returns what is wrong with the value. */
    public String reason() {
        return reason;
    }

    /** Returns how to fix it, as a sentence. */
    public String action() {
        return action;
    }
}

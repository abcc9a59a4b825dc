package io.cle.kubernetes;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * Thrown at the start if OkHttp or client-java is on the class path in a version that lacks a method which this library calls. Mostly a
 * platform's BOM has chosen that version. Without this check, the process would fail at its first request to a cluster.
 */
public final class IncompatibleLibraryException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String action;

    /**
     * Makes the exception.
     *
     * @param message the artifact, the version found, and what is missing in it
     * @param action what to do
     */
    public IncompatibleLibraryException(String message, String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    /** Returns what to do about it. */
    public String action() {
        return action;
    }
}

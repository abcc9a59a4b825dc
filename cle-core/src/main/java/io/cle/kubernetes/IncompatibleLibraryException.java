package io.cle.kubernetes;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * Thrown at startup if the version of OkHttp or client-java on the class path lacks a method that this library calls. Usually a platform's
 * BOM manages that version. Without this check, the process would fail at its first request to a cluster.
 */
public final class IncompatibleLibraryException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String action;

    /**
     * Creates the exception.
     *
     * @param message the artifact, the version found, and what is missing in it
     * @param action how to fix it
     */
    public IncompatibleLibraryException(String message, String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    /** Returns how to fix it. */
    public String action() {
        return action;
    }
}

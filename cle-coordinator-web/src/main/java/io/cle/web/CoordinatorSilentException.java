package io.cle.web;

/** The coordinator doesn't answer, so that there is nothing to show. */
public final class CoordinatorSilentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CoordinatorSilentException(String message, Throwable cause) {
        super(message, cause);
    }
}

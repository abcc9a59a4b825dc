package io.cle.kubernetes;

import java.io.Serial;

/** An object that can't be understood; the message says which field, and what is wrong with it. */
final class MalformedObjectException extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String problem;

    MalformedObjectException(String message) {
        super(message);
        problem = message;
    }

    /** The message, which is never {@code null}. */
    String problem() {
        return problem;
    }
}

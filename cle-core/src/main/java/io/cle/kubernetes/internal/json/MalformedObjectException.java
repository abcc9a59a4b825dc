package io.cle.kubernetes.internal.json;

import java.io.Serial;

import io.cle.model.internal.PrintableText;

/** Thrown if an object can't be decoded. The message names the field and what is wrong with it. Rule: {@code protocol.md#objects}. */
public final class MalformedObjectException extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String problem;

    public MalformedObjectException(String message) {
        super(PrintableText.text(message));
        problem = PrintableText.text(message);
    }

    /** Returns the message, which is never {@code null}. */
    public String problem() {
        return problem;
    }
}

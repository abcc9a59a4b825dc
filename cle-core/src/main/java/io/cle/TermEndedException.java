package io.cle;

import io.cle.model.ObjectKey;

/** Thrown if the term of led work has ended: another process may lead by now, so the next step must not be taken. */
public final class TermEndedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception for a term that has ended.
     *
     * @param fencingToken the token of the term that has ended
     */
    public TermEndedException(ObjectKey lease, long fencingToken) {
        super("lease " + lease + ": the term with fencing token " + fencingToken
                + " has ended; another process may lead by now");
    }

    /** Creates an exception for a thread that belongs to no term. */
    public TermEndedException(String message) {
        super(message);
    }
}

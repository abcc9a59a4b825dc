package io.cle.spring.onleader;

/**
 * Thrown at the start if {@link OnLeader} is in a place where it can't work, and thrown to a bean that calls a method that runs by itself
 * while this process leads.
 */
public final class OnLeaderUsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    /**
     * Creates an exception.
     *
     * @param place the bean, and its method if that is annotated
     * @param reason why it can't work there; continues the sentence that the place begins
     * @param action what to do instead, in a sentence
     */
    public OnLeaderUsageException(String place, String reason, String action) {
        super("@OnLeader on " + place + " " + reason);
        this.action = action;
    }

    /** Returns what to do instead. */
    public String action() {
        return action;
    }
}

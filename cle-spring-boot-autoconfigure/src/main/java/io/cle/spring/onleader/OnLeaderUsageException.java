package io.cle.spring.onleader;

/** {@link OnLeader} stands where it can't do what it promises. */
public final class OnLeaderUsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    /**
     * Names the place.
     *
     * @param place the bean, and its method where it is one's
     * @param reason why it can't work there, to follow after the place
     * @param action the way out, a sentence
     */
    public OnLeaderUsageException(String place, String reason, String action) {
        super("@OnLeader on " + place + " " + reason);
        this.action = action;
    }

    /** The way out. */
    public String action() {
        return action;
    }
}

package io.cle.election.internal;

/** Follows what a coordinator does, for meters. Called on the event loop; must not block. */
@FunctionalInterface
public interface CoordinatorListener {

    /** A listener that does nothing. */
    CoordinatorListener NONE = reason -> {};

    /**
     * Called when a decision about a lease was written, or a warning about it was reported.
     *
     * @param reason the reason of the Event that says so, in camel case
     */
    void reported(String reason);
}

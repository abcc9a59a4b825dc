package io.cle.election.internal;

import java.util.List;

import io.cle.model.Candidate;
import io.cle.model.PodRef;
import io.cle.model.internal.Lease;

/** The action that a coordinator has to take on a lease, with the reason. */
public sealed interface Decision {

    /** A monotonic instant that never comes. */
    long NEVER = Long.MAX_VALUE;

    /** Returns the reason, for display (protocol.md#events). */
    String reason();

    /** Returns when to decide again without an event, in monotonic nanoseconds; {@link #NEVER} if never. */
    default long recheckAt() {
        return NEVER;
    }

    /** Do nothing until something changes. */
    record Nothing(String reason) implements Decision {}

    /** Do nothing until an instant. */
    record WaitUntil(long recheckAt, String reason) implements Decision {}

    /** Ping candidates, all at once (safety.md#acknowledgement). */
    record Ping(List<Candidate> candidates, long recheckAt, String reason) implements Decision {}

    /**
     * Inspect the pod of the holder (safety.md#terminated-holder).
     *
     * @param silent whether the holder has missed a renewal; otherwise the inspection only serves for comparison with later ones and may be skipped
     */
    record LookAtPod(PodRef pod, boolean silent, long recheckAt, String reason) implements Decision {}

    /** Write the lease. */
    sealed interface Write extends Decision {

        /** Returns the lease to be written. */
        Lease desired();
    }

    /** Make a candidate the holder of a missing or free lease (safety.md#grant-or-end-of-term). */
    record Elect(Lease desired, String reason) implements Write {}

    /** Ask the holder to yield to a better candidate (safety.md#grant-or-end-of-term). */
    record EndTerm(Lease desired, String reason) implements Write {}

    /** Withdraw the request of {@link EndTerm}. */
    record ForgetPreferred(Lease desired, String reason) implements Write {}

    /** Write the effective strategy to the lease, because it was changed to or from {@code NoCoordination} (protocol.md#which-strategy-applies). */
    record RecordStrategy(Lease desired, String reason) implements Write {}
}

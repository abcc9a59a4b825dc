package io.cle.lock.internal;

import java.time.Instant;
import java.util.Set;

import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

import static io.cle.lock.internal.LockState.NEVER;

/**
 * The state of a candidacy between two events. Only {@link CandidacyMachine} changes it, on a copy of its own; immutable for all other
 * classes. All instants are monotonic nanoseconds.
 */
public final class CandidacyState implements Cloneable {

    // ---- the phase -----------------------------------------------------------------------------------------------

    /** Whether the candidate is wanted, and whether it exists. */
    sealed interface Phase {

        /** Not wanted, and doesn't exist. */
        record Withdrawn() implements Phase {}

        /**
         * Wanted, and not known to exist: the candidate is created.
         *
         * @param mayExist whether it may exist, because a request was in flight when it was found missing
         */
        record Announcing(boolean mayExist) implements Phase {}

        /** Wanted, and exists: the candidate is renewed. */
        record Announced() implements Phase {}

        /**
         * Not wanted, and not known to be deleted: the candidate is deleted.
         *
         * @param exists whether it is known to exist
         */
        record Withdrawing(boolean exists) implements Phase {}
    }

    private Phase phase = new Phase.Withdrawn();

    // ---- the candidate -------------------------------------------------------------------------------------------

    /** The candidate as last seen; {@code null} before the first time. It may have been deleted since. */
    @Nullable
    Candidate seen;

    /** This process's last write, as the API server stored it; {@code null} before the first one. */
    @Nullable
    Candidate written;

    /** The renew time of this process's last write, which distinguishes the write from those of another process of the same name. */
    @Nullable
    Instant writtenTime;

    /**
     * The latest version, of a deletion or of a list, at which the candidate was missing since the last write was sent; {@code null} if it wasn't.
     */
    @Nullable
    String deletionVersion;

    /** The last ping that was reported to the lock. */
    @Nullable
    Instant reportedPing;

    /** The priority to announce; {@code null} for none. */
    @Nullable
    Integer priority;

    /** The leases of the group to announce; {@code null} for the template's. */
    @Nullable
    Set<ObjectKey> leases;

    /** Whether to write the candidate early, because its priority or leases have changed or it is malformed. */
    boolean changed;

    /** Whether listeners were notified of the announcement since the candidate was last wanted. */
    boolean reportedAnnounced;

    // ---- requests ------------------------------------------------------------------------------------------------

    /** The kind of the request in flight; at most one. */
    enum Request {
        CREATE,
        RENEW,
        DELETE
    }

    /** The request in flight; {@code null} when there is none. */
    @Nullable
    Request inFlight;

    /** The version of {@link #seen} when the request in flight was sent; {@code null} when there was none. */
    @Nullable
    String versionWhenSent;

    /** Whether the stores were replaced since the request in flight was sent, so that its answer is ignored. */
    boolean outdated;

    /** When the next renewal is due. */
    long renewAt;

    /** The number of consecutive failed requests. */
    int failures;

    /** The end of the back-off: no request is sent before. */
    long retryAt;

    /** When an unsuccessful withdrawal is given up. */
    long giveUpAt;

    /** Whether the last withdrawal was given up; nothing waits for the request in flight. */
    boolean givenUp;

    /** When the machine wants to be stepped next, at the latest. */
    long wakeAt = NEVER;

    private CandidacyState() {}

    /**
     * Returns the initial state.
     *
     * @param priority the priority to announce; {@code null} for none
     */
    public static CandidacyState initial(@Nullable Integer priority) {
        CandidacyState state = new CandidacyState();
        state.priority = priority;
        return state;
    }

    /** Returns the state of a candidacy that starts over with the same priority. The answer to the request in flight will be ignored. */
    public CandidacyState afresh() {
        CandidacyState state = initial(priority);
        state.leases = leases;
        state.inFlight = inFlight;
        state.outdated = inFlight != null;
        return state;
    }

    /** Returns a copy for the machine to change; its fields refer to immutable objects. */
    CandidacyState copy() {
        try {
            return (CandidacyState) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError("the state is cloneable", e);
        }
    }

    // ---- transitions ---------------------------------------------------------------------------------------------

    /** Records that the candidate is wanted. */
    void becomeWanted() {
        if (phase instanceof Phase.Withdrawn) {
            phase = new Phase.Announcing(false);
        } else if (phase instanceof Phase.Withdrawing withdrawing) {
            phase = withdrawing.exists() ? new Phase.Announced() : new Phase.Announcing(true);
        }
    }

    /** Records that the candidate is no longer wanted. */
    void becomeUnwanted() {
        if (phase instanceof Phase.Announced) {
            phase = new Phase.Withdrawing(true);
        } else if (phase instanceof Phase.Announcing announcing) {
            phase = announcing.mayExist() ? new Phase.Withdrawing(false) : new Phase.Withdrawn();
        }
    }

    /** Records that the candidate exists. */
    void becomePresent() {
        phase = wanted() ? new Phase.Announced() : new Phase.Withdrawing(true);
    }

    /** Records that the candidate doesn't exist. */
    void becomeAbsent() {
        phase = wanted() ? new Phase.Announcing(false) : new Phase.Withdrawn();
    }

    /** Records that the candidate was missing while a request that may create it was in flight. */
    void becomeUncertain() {
        phase = wanted() ? new Phase.Announcing(true) : new Phase.Withdrawing(false);
    }

    // ---- queries -------------------------------------------------------------------------------------------------

    Phase phase() {
        return phase;
    }

    boolean wanted() {
        return phase instanceof Phase.Announcing || phase instanceof Phase.Announced;
    }

    /** Returns the candidate; {@code null} if it isn't known to exist. */
    public @Nullable Candidate stored() {
        boolean exists = phase instanceof Phase.Announced
                || (phase instanceof Phase.Withdrawing withdrawing && withdrawing.exists());
        return exists ? seen : null;
    }

    /** Whether nothing is left to withdraw. */
    public boolean withdrawn() {
        return phase instanceof Phase.Withdrawn && (inFlight == null || givenUp);
    }

    /** Whether the candidate isn't wanted. */
    public boolean withdrawing() {
        return !wanted();
    }

    /** Returns when to step with a {@link CandidacyMachine.Event.Tick} at the latest, in monotonic nanoseconds; {@link LockState#NEVER} if never. */
    public long wakeAt() {
        return wakeAt;
    }

    /** For exceptions and for people; the format may change. */
    @Override
    public String toString() {
        return "CandidacyState[" + phase + ", inFlight=" + inFlight + ", seen=" + seen + ", failures=" + failures + "]";
    }
}

package io.cle.lock;

import io.cle.model.Lease;
import io.cle.model.LeaseObservation;
import io.cle.model.Moment;
import org.jspecify.annotations.Nullable;

/**
 * All that a lock knows between two events. Immutable for everybody but {@link LockMachine}, which changes a copy of its own.
 */
public final class LockState {

    /** A monotonic instant that never comes. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Where the lock is on the way from standing for election to leading and back. */
    enum Phase {
        STANDBY,
        LEADING,
        DRAINING,
        HANDING_OVER
    }

    /** What a write is for. */
    enum Purpose {
        /** To begin a term. */
        CLAIM,
        /** To lengthen it. */
        RENEW,
        /** To end it. */
        HAND_OVER,
        /** To ask the holder to yield. */
        ASK,
        /** To overrule a holder that didn't. */
        SEIZE
    }

    final String nonce;
    boolean running;
    long standsSince;
    Phase phase = Phase.STANDBY;

    @Nullable
    LeaseObservation observation;

    @Nullable
    String removedVersion;

    @Nullable
    String toldHolder;

    @Nullable
    Lease writing;

    @Nullable
    Purpose purpose;

    long sentAt;
    boolean reading;
    boolean readNeeded;
    int conflicts;
    int failures;
    long retryAt;

    @Nullable
    Term term;

    long beganAt;
    long validUntil;
    long renewAt;

    @Nullable
    Term draining;

    long drainUntil;
    long handOverUntil;

    /** Until when somebody else may lead, by what was known before this process's own record was seen; only with such a record. */
    long othersUntil;

    boolean away;
    long awayUntil;
    TakeoverState takeover = TakeoverState.initial(Long.MIN_VALUE / 2);
    long lookAt = NEVER;
    long wakeAt = NEVER;

    private LockState(String nonce) {
        this.nonce = nonce;
    }

    private LockState(LockState other) {
        nonce = other.nonce;
        running = other.running;
        standsSince = other.standsSince;
        phase = other.phase;
        observation = other.observation;
        removedVersion = other.removedVersion;
        toldHolder = other.toldHolder;
        writing = other.writing;
        purpose = other.purpose;
        sentAt = other.sentAt;
        reading = other.reading;
        readNeeded = other.readNeeded;
        conflicts = other.conflicts;
        failures = other.failures;
        retryAt = other.retryAt;
        term = other.term;
        beganAt = other.beganAt;
        validUntil = other.validUntil;
        renewAt = other.renewAt;
        draining = other.draining;
        drainUntil = other.drainUntil;
        handOverUntil = other.handOverUntil;
        othersUntil = other.othersUntil;
        away = other.away;
        awayUntil = other.awayUntil;
        takeover = other.takeover;
        lookAt = other.lookAt;
        wakeAt = other.wakeAt;
    }

    /**
     * The state before anything has happened.
     *
     * @param nonce what tells this process from others of the same identity; new for every process
     */
    public static LockState initial(String nonce) {
        return new LockState(nonce);
    }

    LockState copy() {
        return new LockState(this);
    }

    /** Whether a term runs at an instant (lock's rule 2). */
    public boolean leads(long nanos) {
        return phase == Phase.LEADING && validUntil - nanos > 0;
    }

    /** The running term; {@code null} when there is none, and while one is drained. */
    public @Nullable Term term() {
        return phase == Phase.LEADING ? term : null;
    }

    /** Until when the running term is valid, in monotonic nanoseconds; meaningless without one. */
    public long validUntil() {
        return validUntil;
    }

    /** What this process is for the lease at a moment. */
    public Role role(Moment now) {
        if (phase == Phase.LEADING && leads(now.nanos())) {
            return Role.LEADER;
        }
        if (draining != null || phase == Phase.DRAINING || phase == Phase.HANDING_OVER) {
            return Role.DRAINING;
        }
        return running ? Role.CANDIDATE : Role.STOPPED;
    }

    /** Whether it stands for election. */
    public boolean running() {
        return running;
    }

    /** Whether nothing of a term is left to end: no work to be waited for, no lease to hand over, no write of unknown outcome. */
    public boolean settled() {
        return phase == Phase.STANDBY && draining == null && writing == null && !reading && !readNeeded;
    }

    /** The lease as last seen; {@code null} before the first sight and when there is none. */
    public @Nullable Lease lease() {
        return observation == null ? null : observation.lease();
    }

    /** When to step with a {@link LockEvent.Tick} at the latest, in monotonic nanoseconds; {@link #NEVER} when there is no need. */
    public long wakeAt() {
        return wakeAt;
    }
}

package io.cle.lock;

import java.time.Instant;

import io.cle.model.Candidate;
import org.jspecify.annotations.Nullable;

import static io.cle.lock.LockState.NEVER;

/** All that is known of a candidacy between two events. Immutable for everybody but {@link CandidacyMachine}. */
public final class CandidacyState {

    /** Whether the object is in the cluster, as far as we know. */
    enum Presence {
        UNKNOWN,
        PRESENT,
        ABSENT
    }

    boolean wanted;
    boolean told;
    boolean busy;
    Presence presence = Presence.ABSENT;

    @Nullable
    Candidate stored;

    /** What this process has written last, as the API server has it. */
    @Nullable
    Candidate written;

    /** The version of the last deletion that was seen. */
    @Nullable
    String removedVersion;

    /** The renewTime of this process's last write: it tells what it has written from what another of the same name has. */
    @Nullable
    Instant writtenTime;

    @Nullable
    Instant answeredPing;

    @Nullable
    Integer priority;

    boolean changed;
    long renewAt;
    int failures;
    long retryAt;
    long giveUpAt;
    long wakeAt = NEVER;

    private CandidacyState() {}

    /** The state before anything has happened. */
    public static CandidacyState initial(@Nullable Integer priority) {
        CandidacyState state = new CandidacyState();
        state.priority = priority;
        return state;
    }

    CandidacyState copy() {
        CandidacyState copy = new CandidacyState();
        copy.wanted = wanted;
        copy.told = told;
        copy.busy = busy;
        copy.presence = presence;
        copy.stored = stored;
        copy.written = written;
        copy.removedVersion = removedVersion;
        copy.writtenTime = writtenTime;
        copy.answeredPing = answeredPing;
        copy.priority = priority;
        copy.changed = changed;
        copy.renewAt = renewAt;
        copy.failures = failures;
        copy.retryAt = retryAt;
        copy.giveUpAt = giveUpAt;
        copy.wakeAt = wakeAt;
        return copy;
    }

    /** The candidate as it stands in the cluster; {@code null} when it doesn't, as far as is known. */
    public @Nullable Candidate stored() {
        return presence == Presence.PRESENT ? stored : null;
    }

    /** Whether nothing is left to be withdrawn. */
    public boolean withdrawn() {
        return !wanted && !busy && presence == Presence.ABSENT;
    }

    /** Whether it isn't to stand in the cluster any more. */
    public boolean withdrawing() {
        return !wanted;
    }

    /** When to step with a {@link CandidacyEvent.Tick} at the latest, in monotonic nanoseconds. */
    public long wakeAt() {
        return wakeAt;
    }
}

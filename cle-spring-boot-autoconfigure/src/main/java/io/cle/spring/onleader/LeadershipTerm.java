package io.cle.spring.onleader;

import java.util.Optional;

import io.cle.CoordinatedLeaseLock;
import org.jspecify.annotations.Nullable;

/**
 * The term that a run of led work belongs to. A run keeps the term in which it began: if leadership is lost and gained again while it
 * goes on, its term stays invalid and its fencing token stays the old one, so that a store which compares tokens rejects its writes
 * (safety.md#fencing-token).
 *
 * <p>An {@link OnLeader} method that runs while this process leads takes it as a parameter. Guarded methods ask for
 * {@link #current()}, or have the bean of this type injected, which always means the term of the calling thread's run. Thread-safe.
 */
public interface LeadershipTerm {

    /** The name of the lease in this application. */
    String lease();

    /**
     * The fencing token of the term; it grows from term to term.
     *
     * @throws TermEndedException on the injected bean, if the calling thread runs no led work
     */
    long fencingToken();

    /** Whether this very term still lasts: false as soon as it has ended, even if this process leads again in a later one. */
    boolean isValid();

    /**
     * Returns if the term still lasts. To be called right before a step that must not be taken by a process that no longer leads.
     *
     * @throws TermEndedException if the term has ended
     */
    default void check() {
        if (!isValid()) {
            throw new TermEndedException(lease(), fencingToken());
        }
    }

    /** The term of the innermost {@link OnLeader} call on this thread; empty if there is none. */
    static Optional<LeadershipTerm> current() {
        return Optional.ofNullable(CallersTerm.ofThread());
    }

    /** The term that a lock leads in at this instant, for work that no {@link OnLeader} covers; empty if it doesn't lead. */
    static Optional<LeadershipTerm> of(CoordinatedLeaseLock lock) {
        return of(lock.name(), lock);
    }

    /**
     * The term that a lock leads in at this instant; empty if it doesn't lead.
     *
     * @param lease what the lease is called in this application
     */
    static Optional<LeadershipTerm> of(String lease, CoordinatedLeaseLock lock) {
        return Optional.ofNullable(LockTerm.running(lease, lock));
    }

    /**
     * A term of a lock, whether it lasts or not.
     *
     * @param lease what the lease is called in this application
     */
    static LeadershipTerm of(String lease, long fencingToken, CoordinatedLeaseLock lock) {
        return new LockTerm(lease, fencingToken, lock);
    }

    /**
     * Makes a term the calling thread's: that of {@link #current()} and of the injected bean. {@link OnLeader} work has it from the start; this
     * is for a thread that takes a part of such work over.
     *
     * @param term {@code null} for none
     * @return the one before, to be put back when that part has ended; {@code null} if there was none
     */
    static @Nullable LeadershipTerm enter(@Nullable LeadershipTerm term) {
        return CallersTerm.enter(term);
    }
}

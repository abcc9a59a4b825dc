package io.cle;

import java.time.Instant;
import java.util.Optional;

import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * One term of this process as the leader. Passed to listeners and events, and available to led work. Work keeps the term in which it began:
 * if leadership is lost and regained while the work is still running, its term remains ended and its fencing token remains the old one, so
 * that a store that compares tokens rejects its writes ({@code safety.md#fencing-token}). Thread-safe.
 */
public interface Term {

    /** Returns the lease of the term. */
    ObjectKey lease();

    /** Returns the shard that is led in this term; empty if the lease has no shards. */
    default Optional<Shard> shard() {
        return Optional.empty();
    }

    /** Returns the identity of the holder. */
    String identity();

    /** Returns the resourceVersion of the write that began the term, which increases from term to term ({@code safety.md#fencing-token}). */
    long fencingToken();

    /** Returns when the term began, by this process's wall clock. */
    Instant acquireTime();

    /** Returns whether this term is still running. False once it has ended, even if this process leads again in a later term. */
    boolean isValid();

    /**
     * Checks that the term is still running. Call it right before a step that a process must not take if it no longer leads.
     *
     * @throws TermEndedException if the term has ended
     */
    default void check() {
        if (!isValid()) {
            throw new TermEndedException(lease(), fencingToken());
        }
    }

    /** Returns the term of the led work that the calling thread runs; empty if it runs none. */
    static Optional<Term> current() {
        return Optional.ofNullable(ThreadTerm.get());
    }

    /**
     * Sets the term that {@link #current()} returns on the calling thread. It is already set on threads that run led work; call this on
     * other threads that take over a part of that work.
     *
     * @param term {@code null} for none
     * @return the previous term, to be restored when that part has ended; {@code null} if there was none
     */
    static @Nullable Term enter(@Nullable Term term) {
        return ThreadTerm.enter(term);
    }
}

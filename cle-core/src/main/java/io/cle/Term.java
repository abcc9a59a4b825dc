package io.cle;

import java.time.Instant;
import java.util.Optional;

import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * One leadership of this process: what led work belongs to, what listeners are called with, and what events carry. Work keeps the term in which it
 * began. If leadership is lost and gained again while it goes on, its term stays over and its fencing token stays the old one, so that a store
 * that compares tokens rejects its writes ({@code safety.md#fencing-token}). Thread-safe.
 */
public interface Term {

    /** The lease by which this process leads, or led. */
    ObjectKey lease();

    /** The holder identity. */
    String identity();

    /** The resourceVersion of the write that began the term; it grows from term to term ({@code safety.md#fencing-token}). */
    long fencingToken();

    /** When the term began, by this process's wall clock. */
    Instant acquireTime();

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

    /** The term of the led work that the calling thread runs; empty if it runs none. */
    static Optional<Term> current() {
        return Optional.ofNullable(ThreadTerm.get());
    }

    /**
     * Makes a term the calling thread's, which {@link #current()} gives. Led work has it from the start; this is for a thread that takes a part
     * of such work over.
     *
     * @param term {@code null} for none
     * @return the one before, to be put back when that part has ended; {@code null} if there was none
     */
    static @Nullable Term enter(@Nullable Term term) {
        return ThreadTerm.enter(term);
    }
}

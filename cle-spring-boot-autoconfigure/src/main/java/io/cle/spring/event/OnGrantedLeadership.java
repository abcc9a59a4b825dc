package io.cle.spring.event;

import io.cle.Term;

/**
 * This process leads from now on. A listener may be called late; {@code isLeader()} says whether the term still lasts.
 *
 * @param lease the name of the lease in this application
 * @param term the term that has begun
 */
public record OnGrantedLeadership(String lease, Term term) {

    /** The identity under which this process leads. */
    public String identity() {
        return term.identity();
    }

    /** Grows from term to term; to be sent along with what is done in this one (safety.md#fencing-token). */
    public long fencingToken() {
        return term.fencingToken();
    }
}

package io.cle.spring.event;

import io.cle.lock.Term;

/**
 * This process leads from now on. A listener may be told late; {@code isLeader()} knows whether it still does.
 *
 * @param lease the name of the lease in this application
 * @param identity under what name this process leads
 * @param fencingToken grows from term to term; to be sent along with what is done under it (lock's rule 7)
 * @param term the term that has begun
 */
public record OnGrantedLeadership(String lease, String identity, long fencingToken, Term term) {}

package io.cle.spring.event;

import io.cle.Term;

/**
 * This process leads from now on. A listener may be called late; {@code isLeader()} says whether the term still lasts.
 *
 * @param lease the name of the lease in this application
 * @param identity the identity under which this process leads
 * @param fencingToken grows from term to term; sent along with what is done in this one (safety.md#fencing-token)
 * @param term the term that has begun
 */
public record OnGrantedLeadership(String lease, String identity, long fencingToken, Term term) {}

package io.cle.spring.event;

import io.cle.lock.RevokeReason;
import io.cle.lock.Term;

/**
 * This process no longer leads; {@code isLeader()} is already false. The lease is handed over after the listeners have returned,
 * unless the drain timeout is over before (lock's rule 4).
 *
 * @param lease the name of the lease in this application
 * @param identity under what name this process led
 * @param fencingToken the token of the term that is over
 * @param reason why it is over
 * @param term the term that is over
 */
public record OnRevokedLeadership(String lease, String identity, long fencingToken, RevokeReason reason, Term term) {}

package io.cle.lock;

import java.time.Instant;

import io.cle.model.ObjectKey;

/**
 * One time of leading.
 *
 * @param lease the lease that is led by
 * @param identity who leads
 * @param fencingToken the resourceVersion of the write that began the term; grows from term to term (lock's rule 7)
 * @param acquireTime when it began, by this process's wall clock
 */
public record Term(ObjectKey lease, String identity, long fencingToken, Instant acquireTime) {}

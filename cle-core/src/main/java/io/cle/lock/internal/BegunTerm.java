package io.cle.lock.internal;

import java.time.Instant;

import io.cle.model.ObjectKey;

/**
 * A term as its lock began it; {@link io.cle.Term} adds whether it lasts.
 *
 * @param lease the lease by which this process leads
 * @param identity the holder identity
 * @param fencingToken the resourceVersion of the write that began the term; grows from term to term ({@code safety.md#fencing-token})
 * @param acquireTime when it began, by this process's wall clock
 */
public record BegunTerm(ObjectKey lease, String identity, long fencingToken, Instant acquireTime) {}

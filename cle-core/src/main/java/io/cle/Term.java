package io.cle;

import java.time.Instant;

import io.cle.model.ObjectKey;

/**
 * One leadership.
 *
 * @param lease the lease by which this process leads
 * @param identity the holder identity
 * @param fencingToken the resourceVersion of the write that began the term; grows from term to term ({@code safety.md#fencing-token})
 * @param acquireTime when it began, by this process's wall clock
 */
public record Term(ObjectKey lease, String identity, long fencingToken, Instant acquireTime) {}

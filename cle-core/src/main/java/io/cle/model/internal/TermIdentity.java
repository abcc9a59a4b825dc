package io.cle.model.internal;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What identifies one term of a lease, or one grant, or the time without a holder between two: two records are of the same term if and
 * only if their identities are equal. {@link Lease#termIdentity()} is the only place that makes one. A holder writes the record of a term
 * many times, so nothing that differs from one renewal to the next is part of it.
 *
 * @param holder the holder; {@code null} if there is none
 * @param acquireTime when the holder acquired the lease, as the record says
 * @param transitions how often the holder had changed
 * @param term the id of the term that the term annotation names; {@code null} if it names none
 */
public record TermIdentity(
        @Nullable String holder,
        @Nullable Instant acquireTime,
        int transitions,
        @Nullable String term) {}

package io.cle.model;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What identifies one term of a lease, or one grant, or the time without a holder between two: two records are of the same term if and
 * only if their identities are equal. {@link Lease#termIdentity()} is the only place that makes one. A holder writes the record of a term
 * many times, so nothing that differs from one renewal to the next is part of it: neither the renew time nor the id of a write
 * ({@code safety.md#clones}).
 *
 * @param holder the holder; {@code null} if there is none
 * @param acquireTime when the holder acquired the lease, as the record says
 * @param transitions how often the holder had changed
 * @param annotatedHolder the holder that the term annotation was written for; {@code null} if the record has none
 * @param nonce what else the term annotation says, without the id of its write; {@code null} if the record has none
 */
public record TermIdentity(
        @Nullable String holder,
        @Nullable Instant acquireTime,
        int transitions,
        @Nullable String annotatedHolder,
        @Nullable String nonce) {

    /** Written out for the same reason as {@link ObjectKey#equals}: terms are compared for each write of a lease that a process sees. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TermIdentity term
                && Objects.equals(nonce, term.nonce)
                && Objects.equals(annotatedHolder, term.annotatedHolder)
                && Objects.equals(holder, term.holder)
                && Objects.equals(acquireTime, term.acquireTime)
                && transitions == term.transitions;
    }

    @Override
    public int hashCode() {
        return Objects.hash(nonce, annotatedHolder, holder, acquireTime, transitions);
    }
}

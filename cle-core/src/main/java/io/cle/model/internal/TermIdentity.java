package io.cle.model.internal;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The identity of a term, a grant, or the time without a holder between two terms: two records belong to the same term if and only if their
 * identities are equal. Created by {@link Lease#termIdentity()} only. Fields that change with each renewal are not part of it.
 *
 * @param holder the holder; {@code null} if there is none
 * @param acquireTime when the holder acquired the lease, as the record says
 * @param transitions the record's number of transitions
 * @param term the id of the term in the term annotation; {@code null} if there is none
 */
public record TermIdentity(
        @Nullable String holder,
        @Nullable Instant acquireTime,
        int transitions,
        @Nullable String term) {}

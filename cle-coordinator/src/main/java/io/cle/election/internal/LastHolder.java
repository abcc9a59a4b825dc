package io.cle.election.internal;

import io.cle.model.internal.Lease;
import io.cle.model.internal.Moment;
import org.jspecify.annotations.Nullable;

/**
 * The current or last holder of a lease, and whether it is still a candidate. A stopping holder withdraws its candidacy and then releases the lease
 * (safety.md#drain-before-release); two watches deliver these in either order. Immutable.
 *
 * @param identity {@code null} if unknown
 * @param transitions leaseTransitions while it held the lease
 * @param withdrawnAt when its candidate was deleted, in monotonic nanoseconds; {@link #NOT_WITHDRAWN} if it wasn't
 */
public record LastHolder(@Nullable String identity, int transitions, long withdrawnAt) {

    /** Its candidate exists, or never did. */
    private static final long NOT_WITHDRAWN = Long.MIN_VALUE;

    /** No holder was seen yet. */
    public static final LastHolder UNKNOWN = new LastHolder(null, 0, NOT_WITHDRAWN);

    /** Returns the last holder after the lease was seen again. */
    public LastHolder seen(Lease lease) {
        boolean goesOn = !lease.held() || (identity != null && lease.heldBy(identity));
        if (goesOn && lease.transitions() == transitions) {
            return this;
        }
        return lease.held() ? new LastHolder(lease.holder(), lease.transitions(), NOT_WITHDRAWN) : UNKNOWN;
    }

    /** Returns the last holder after a candidate was deleted. */
    public LastHolder gone(String candidate, Moment now) {
        return candidate.equals(identity) ? new LastHolder(identity, transitions, now.nanos()) : this;
    }

    /** Returns the last holder after a candidate was seen. */
    public LastHolder stands(String candidate) {
        return candidate.equals(identity) ? new LastHolder(identity, transitions, NOT_WITHDRAWN) : this;
    }

    /** Whether it has withdrawn its candidacy, and may be about to release the lease. */
    boolean withdrawn() {
        return withdrawnAt != NOT_WITHDRAWN;
    }

    /** Whether this candidate may be the last holder: it is, or the last holder is unknown. */
    boolean mayBe(String candidate) {
        return identity == null || identity.equals(candidate);
    }
}

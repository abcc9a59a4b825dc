package io.cle.model;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A lease as one process has watched it, and until when, by all that it has seen, somebody may still be leading by it. Both
 * the lock and the coordinator judge expiry by this: by when <em>we</em> saw the record change, by our monotonic clock, and by
 * the lease's own duration (coordinator's rule 5). Immutable.
 *
 * <p>Most changes are made by those who keep the rules, and then the record alone tells: a release or a grant carries no term
 * mark, a term carries its holder's. Some aren't: an administrator deletes a held lease or edits its holder, kube-apiserver
 * grants a lease by its own clock. Those leave the mark of the old holder, or nothing; then the old holder counts as leading until
 * the last renewal that we know of has run out.
 *
 * @param lease the lease; {@code null} when there is none
 * @param seenAt when its last renewal was seen, in monotonic nanoseconds
 * @param heldUntil from when on nobody can be leading any more, in monotonic nanoseconds
 * @param claimableAt from when on a holder that was only granted the lease may begin its term, in monotonic nanoseconds
 */
public record LeaseObservation(@Nullable Lease lease, long seenAt, long heldUntil, long claimableAt) {

    /** The first sight of a lease: there is nothing to compare it with. */
    public static LeaseObservation first(@Nullable Lease lease, Moment now) {
        if (lease == null) {
            return new LeaseObservation(null, now.nanos(), now.nanos(), now.nanos());
        }
        return new LeaseObservation(null, now.nanos(), now.nanos(), now.nanos()).changedTo(lease, now, Prior.UNKNOWN);
    }

    /**
     * What is known after the lease was seen once more.
     *
     * @param next the lease now; {@code null} when there is none
     * @param contiguous whether nothing can have happened in between that we didn't see: true for the next event of a
     *     watch, false for a list or a read
     */
    public LeaseObservation seen(@Nullable Lease next, Moment now, boolean contiguous) {
        if (next == null) {
            return lease == null ? this : new LeaseObservation(null, now.nanos(), heldUntil, heldUntil);
        }
        if (lease != null && lease.sameRenewal(next)) {
            return new LeaseObservation(next, seenAt, heldUntil, claimableAt);
        }
        return changedTo(next, now, contiguous ? Prior.SEEN : Prior.PARTLY_SEEN);
    }

    /** How much of what was before a change we know. */
    private enum Prior {
        SEEN,
        PARTLY_SEEN,
        UNKNOWN
    }

    private LeaseObservation changedTo(Lease next, Moment now, Prior prior) {
        long untilNextExpires = now.plus(next.leaseDuration());
        if (next.confirmed()) {
            return new LeaseObservation(next, now.nanos(), untilNextExpires, untilNextExpires);
        }
        if (next.term() == null && next.held()) {
            return new LeaseObservation(
                    next,
                    now.nanos(),
                    untilNextExpires,
                    granted(next) ? now.nanos() : priorHeldUntil(next, now, prior));
        }
        if (next.term() == null) {
            return new LeaseObservation(next, now.nanos(), now.nanos(), now.nanos());
        }
        long before = priorHeldUntil(next, now, prior);
        return next.held()
                ? new LeaseObservation(next, now.nanos(), later(before, untilNextExpires), before)
                : new LeaseObservation(next, now.nanos(), before, before);
    }

    /**
     * Whether a record without a mark can have come about by a grant: not when the holder before was of another implementation
     * and no coordinator's, and not when the same holder has merely lost its mark to somebody's edit.
     */
    private boolean granted(Lease next) {
        if (lease == null || !lease.held()) {
            return true;
        }
        boolean sameTerm =
                lease.heldBy(String.valueOf(next.holder())) && Objects.equals(lease.acquireTime(), next.acquireTime());
        return lease.confirmed() ? !sameTerm : lease.electedBy() != null && lease.term() == null;
    }

    /** Until when the holder before may lead, where the record doesn't tell: the mark of an older term still stands on it. */
    private long priorHeldUntil(Lease next, Moment now, Prior prior) {
        if (lease != null && lease.held() && !lease.confirmed() && !next.held()) {
            // A holder of another implementation, which knows no marks, has released the lease itself.
            return now.nanos();
        }
        boolean renewedUnseen = switch (prior) {
            case SEEN -> false;
            case PARTLY_SEEN -> lease == null || !Objects.equals(lease.renewTime(), next.renewTime());
            case UNKNOWN -> true;
        };
        if (!renewedUnseen) {
            return heldUntil;
        }
        Duration longest = lease != null && lease.leaseDuration().compareTo(next.leaseDuration()) > 0
                ? lease.leaseDuration()
                : next.leaseDuration();
        return later(heldUntil, now.plus(longest));
    }

    private static long later(long left, long right) {
        return left - right >= 0 ? left : right;
    }

    /** Whether the lease names a holder that hasn't begun its term, so that it can still be given to another one. */
    public boolean onlyGranted() {
        return lease != null && lease.held() && !lease.confirmed() && seenAt - claimableAt >= 0;
    }

    /** Whether nobody can be leading by the lease any more: it is missing, free or expired, and its last term has run out. */
    public boolean free(Moment now) {
        return now.reached(heldUntil);
    }

    /** How long its last renewal has been unchanged. */
    public Duration age(Moment now) {
        return now.since(seenAt);
    }
}

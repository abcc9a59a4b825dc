package io.cle.model;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A lease as one process has watched it, and until when, by all that it has seen, somebody may still be leading by it. Both
 * the lock and the coordinator judge expiry by this: by when <em>we</em> saw the record change, by our monotonic clock, and by
 * the lease's own duration (coordinator's rule 5). Immutable.
 *
 * <p>Most changes are made by those who keep the rules, and then the record alone tells: a release carries no mark, a grant and a
 * term carry their own ({@link TermMark}). Some aren't: client-go takes an expired lease, kube-apiserver grants one by its own clock,
 * an administrator deletes a held lease or edits its holder. Those leave a mark that is nobody's, or none; then whoever is named may
 * lead, and the holder before counts as leading, too, until the last renewal that we know of has run out.
 *
 * @param lease the lease; {@code null} when there is none
 * @param seenAt when its last renewal was seen, in monotonic nanoseconds
 * @param heldUntil from when on nobody can be leading any more, in monotonic nanoseconds
 * @param ledUntil from when on nobody can be leading who hasn't written the lease again, in monotonic nanoseconds: as {@code heldUntil}, but
 *     for a holder that hasn't begun its term by this record, and can't by compare and swap once somebody else has written it
 * @param claimableAt from when on the holder that is named may begin its term, where it hasn't, in monotonic nanoseconds
 * @param formerUntil from when on nobody can be leading any more by a lease that was deleted, or taken away by somebody else, in monotonic
 *     nanoseconds: whoever has held it since may know nothing of that, so that neither their release nor their grant says anything of it
 */
public record LeaseObservation(
        @Nullable Lease lease, long seenAt, long heldUntil, long ledUntil, long claimableAt, long formerUntil) {

    private static final Duration RELEASED = Duration.ofSeconds(1);

    /** What whoever was elected by kube-apiserver has for its first renewal. */
    private static final Duration GRANTED_BY_KUBE_APISERVER = Duration.ofSeconds(5);

    /** Nothing by a new lease begins before what may still run by the old one has run out. */
    public LeaseObservation {
        heldUntil = later(heldUntil, formerUntil);
        ledUntil = later(ledUntil, formerUntil);
        claimableAt = later(claimableAt, formerUntil);
    }

    /** The first sight of a lease: there is nothing to compare it with. */
    public static LeaseObservation first(@Nullable Lease lease, Moment now) {
        long at = now.nanos();
        LeaseObservation nothing = new LeaseObservation(null, at, at, at, at, at);
        return lease == null ? nothing : nothing.changedTo(lease, now, Prior.UNKNOWN);
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
            return lease == null ? this : removed(lease, now, contiguous);
        }
        if (lease != null && next.deletedSince(lease)) {
            return removed(lease, now, false).changedTo(next, now, Prior.PARTLY_SEEN);
        }
        if (lease != null && lease.sameRenewal(next) && (contiguous || !perhapsAnother(lease, next))) {
            return known(next, seenAt, heldUntil, ledUntil, claimableAt);
        }
        return changedTo(next, now, contiguous ? Prior.SEEN : Prior.PARTLY_SEEN);
    }

    /**
     * Whether a renewal that looks the same may be another one that we haven't seen: where the format writes whole seconds, a holder
     * whose wall clock was set back writes the same time twice.
     */
    private static boolean perhapsAnother(Lease known, Lease next) {
        return next.held() && perhapsWrittenTwice(known, next);
    }

    private static boolean perhapsWrittenTwice(Lease known, Lease next) {
        Instant renewTime = next.renewTime();
        return renewTime != null
                && renewTime.equals(renewTime.truncatedTo(ChronoUnit.SECONDS))
                && !Objects.equals(known.resourceVersion(), next.resourceVersion());
    }

    private static boolean notRenewedSince(Lease known, Lease next) {
        return Objects.equals(known.renewTime(), next.renewTime()) && !perhapsWrittenTwice(known, next);
    }

    /** Its holder may lead on until its last renewal has run out, and that may be one that we haven't seen. */
    private LeaseObservation removed(Lease last, Moment now, boolean contiguous) {
        long until = contiguous ? ledUntil : later(heldUntil, now.plus(last.leaseDuration()));
        return new LeaseObservation(null, now.nanos(), until, until, until, until);
    }

    private LeaseObservation known(Lease next, long seen, long held, long led, long claimable) {
        return new LeaseObservation(next, seen, held, led, claimable, formerUntil);
    }

    /** How much of what was before a change we know. */
    private enum Prior {
        SEEN,
        PARTLY_SEEN,
        UNKNOWN
    }

    private LeaseObservation changedTo(Lease next, Moment now, Prior prior) {
        if (!next.held()) {
            boolean released = released(next, prior);
            long free = released ? now.nanos() : priorLedUntil(next, now, prior);
            return (released ? this : former(free)).known(next, now.nanos(), free, free, free);
        }
        long untilNextExpires = now.plus(next.leaseDuration());
        if (next.granted()) {
            return known(next, now.nanos(), untilNextExpires, now.nanos(), now.nanos());
        }
        if (next.confirmed()) {
            long until = later(heldUntil, untilNextExpires);
            long led = next.overruling() ? overruledUntil(next, now, prior) : until;
            return known(next, now.nanos(), until, led, led);
        }
        long before = priorLedUntil(next, now, prior);
        long until = later(before, untilNextExpires);
        boolean goesOn = lease != null && Objects.equals(lease.holder(), next.holder());
        if (goesOn) {
            return known(next, now.nanos(), until, until, until);
        }
        boolean onlyNamed = prior == Prior.SEEN && lease != null && notRenewedSince(lease, next);
        LeaseObservation earlier = prior == Prior.SEEN ? former(before) : this;
        return earlier.known(next, now.nanos(), until, onlyNamed ? before : until, before);
    }

    /** The same, where somebody may lead for so long who has neither released the lease nor seen it expire. */
    private LeaseObservation former(long until) {
        return new LeaseObservation(lease, seenAt, heldUntil, ledUntil, claimableAt, later(formerUntil, until));
    }

    /**
     * Whether a record without a holder was released by the holder itself, rather than emptied by somebody else. Where something may
     * have happened unseen, the short duration tells that every release is written with, client-go's as ours.
     */
    private boolean released(Lease next, Prior prior) {
        if (lease == null || !lease.held() || Objects.equals(lease.renewTime(), next.renewTime())) {
            return false;
        }
        boolean knewNoMarks = !lease.confirmed() && !lease.granted();
        boolean leftOver = knewNoMarks && Objects.equals(lease.term(), next.term());
        boolean asReleased = prior == Prior.SEEN || next.leaseDuration().compareTo(RELEASED) <= 0;
        return asReleased && (next.term() == null || leftOver);
    }

    /** Until when a term may run that was overruled: who has done so has seen its last renewal, and said how long that may be. */
    private long overruledUntil(Lease next, Moment now, Prior prior) {
        TermMark term = Objects.requireNonNull(next.term(), "a lease tells by its mark that somebody was overruled");
        long byTheMark = now.plus(term.leaseDuration());
        return prior == Prior.SEEN ? earlier(ledUntil, byTheMark) : later(ledUntil, byTheMark);
    }

    /** Until when the holder before may lead, by what we have seen of it. */
    private long priorLedUntil(Lease next, Moment now, Prior prior) {
        if (prior == Prior.UNKNOWN) {
            return mayBeLedBy(next) ? now.plus(longest(next)) : now.nanos();
        }
        if (prior == Prior.SEEN || (lease != null && notRenewedSince(lease, next))) {
            return ledUntil;
        }
        if (lease == null || !lease.held()) {
            // Nobody held it, and meanwhile somebody may have: the mark of a term is taken off by whoever ends it in
            // good order.
            return next.term() == null ? heldUntil : later(heldUntil, now.plus(longest(next)));
        }
        return later(heldUntil, now.plus(longer(longest(lease), longest(next))));
    }

    /**
     * Whether somebody may lead by a record that is seen for the first time, or may have before its holder was edited: a mark tells of
     * a term, and so does a holder that has more time than kube-apiserver grants.
     */
    private static boolean mayBeLedBy(Lease next) {
        return next.term() != null || (next.held() && next.leaseDuration().compareTo(GRANTED_BY_KUBE_APISERVER) > 0);
    }

    /** For how long a term may run whose last renewal wasn't seen: whoever took the record from its holder may have written less. */
    private static Duration longest(Lease record) {
        TermMark term = record.term();
        return term == null ? record.leaseDuration() : longer(record.leaseDuration(), term.leaseDuration());
    }

    private static Duration longer(Duration left, Duration right) {
        return left.compareTo(right) > 0 ? left : right;
    }

    private static long later(long left, long right) {
        return left - right >= 0 ? left : right;
    }

    private static long earlier(long left, long right) {
        return left - right < 0 ? left : right;
    }

    /** An instant, in monotonic nanoseconds, or {@link #formerUntil}, where that is later. */
    public long notBefore(long nanos) {
        return later(nanos, formerUntil);
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

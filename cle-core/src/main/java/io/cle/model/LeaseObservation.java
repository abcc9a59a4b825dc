package io.cle.model;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What one process knows of a lease from having watched it: the record, and four instants that say who may lead by it, and until when.
 * The lock and the coordinator both judge expiry by these instants ({@code safety.md#expiry-as-observed}): by when <em>this
 * process</em> saw the record change, on its own monotonic clock, and by the durations in the record. The wall clocks of the writers
 * decide nothing. Immutable.
 *
 * <p>The instants, in monotonic nanoseconds, and what lies between them. The example is of a holder A that renews until it crashes:
 *
 * <pre>
 *   A renews      A renews
 *   (seen at 0)   (seen at 3)                              3 + lease duration
 *  ----+--------------+--------------------------------------------+-----------------&gt; time
 *                   seenAt                         termEnd = acquirableAt = leaseExpiry
 *
 *  An administrator replaces the holder A by B without renewing the record (seen at 5):
 *
 *                  seenAt = 5   termEnd = acquirableAt = 3 + lease duration   leaseExpiry = 5 + lease duration
 *  --------------------+---------------------------+------------------------------------+------------&gt; time
 *                      |   A may still lead        | B may begin its term               | others may acquire
 * </pre>
 *
 * <p>A process that keeps the rules leaves its intention in the record: a release carries no term annotation, a grant and a term carry
 * their own ({@link TermAnnotation}), so that the record alone says who may lead. Other writers don't: client-go acquires an expired
 * lease, kube-apiserver grants one by its own clock, an administrator deletes a held lease or edits its holder. They leave an annotation
 * that no longer matches the record, or none. Then the identity that they named may lead, and so may the holder before it, until the
 * last renewal that this process knows of has run out.
 *
 * @param lease the lease; {@code null} when there is none
 * @param seenAt when its last renewal was seen
 * @param leaseExpiry the <em>lease expiry</em>: from then on no process can be leading by the lease, and any candidate may acquire it
 * @param termEnd the <em>term end</em>: from then on no process can be leading that hasn't written the lease again. Earlier than the
 *     lease expiry while the holder hasn't begun a term by this record; once another process writes the record, that holder's
 *     compare and swap fails, so that it can't begin one
 * @param acquirableAt <em>acquirable at</em>: from then on the holder that is named may begin its term, if it hasn't
 * @param orphanedTermEnd the <em>orphaned term end</em>: until then a holder may lead that has lost the record without knowing it, because the
 *     lease was deleted or given to another. A later holder may know nothing of that term, so that its release or its grant says
 *     nothing about it; the other three instants are never earlier
 */
public record LeaseObservation(
        @Nullable Lease lease, long seenAt, long leaseExpiry, long termEnd, long acquirableAt, long orphanedTermEnd) {

    /** The lease duration that a release is written with, by client-go as by this project. */
    private static final Duration RELEASED = Duration.ofSeconds(1);

    /** The lease duration that kube-apiserver writes with a grant: the time that the elected candidate has for its first renewal. */
    private static final Duration GRANTED_BY_KUBE_APISERVER = Duration.ofSeconds(5);

    /** No term begins by a new record before an orphaned term has run out. */
    public LeaseObservation {
        leaseExpiry = later(leaseExpiry, orphanedTermEnd);
        termEnd = later(termEnd, orphanedTermEnd);
        acquirableAt = later(acquirableAt, orphanedTermEnd);
    }

    /** The first observation of a lease: there is nothing to compare it with. */
    public static LeaseObservation first(@Nullable Lease lease, Moment now) {
        long at = now.nanos();
        LeaseObservation nothing = new LeaseObservation(null, at, at, at, at, at);
        return lease == null ? nothing : nothing.changedTo(lease, now, Prior.UNKNOWN);
    }

    /**
     * The observation when a term may run that no record tells of: the API server's history has begun anew from an earlier state
     * ({@code safety.md#new-history}), or a lease that was there was deleted unseen. It may run as long as the last record said that this
     * process has seen, and at least as long as given.
     *
     * @param known the last observation; {@code null} when there was none
     * @param atLeast for how long any term may run, by this process's own configuration
     */
    public static LeaseObservation ofUnseenTerm(@Nullable LeaseObservation known, Moment now, Duration atLeast) {
        long until = now.plus(atLeast);
        if (known != null) {
            until = later(until, known.leaseExpiry);
            until = known.lease == null ? until : later(until, now.plus(longest(known.lease)));
        }
        return new LeaseObservation(null, now.nanos(), until, until, until, until);
    }

    /**
     * The observation after the lease was seen once more.
     *
     * @param next the lease now; {@code null} when there is none
     * @param contiguous whether this process has missed no write in between: true for the next event of a watch, false for a
     *     list or a read
     */
    public LeaseObservation seen(@Nullable Lease next, Moment now, boolean contiguous) {
        if (next == null) {
            return lease == null ? this : removed(lease, now, contiguous);
        }
        if (lease != null && next.deletedSince(lease)) {
            return removed(lease, now, false).changedTo(next, now, Prior.PARTLY_SEEN);
        }
        if (lease != null && lease.sameRenewal(next) && (contiguous || !perhapsAnother(lease, next))) {
            return known(next, seenAt, leaseExpiry, termEnd, acquirableAt);
        }
        return changedTo(next, now, contiguous ? Prior.SEEN : Prior.PARTLY_SEEN);
    }

    /**
     * Whether a renewal that looks the same may be another one that this process hasn't seen: in a format with whole seconds, a holder
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

    /** The lease was deleted. Its holder may lead until its last renewal has run out, and this process may not have seen that renewal. */
    private LeaseObservation removed(Lease last, Moment now, boolean contiguous) {
        long until = contiguous ? termEnd : later(leaseExpiry, now.plus(longest(last)));
        return new LeaseObservation(null, now.nanos(), until, until, until, until);
    }

    private LeaseObservation known(Lease next, long seen, long held, long led, long acquirable) {
        return new LeaseObservation(next, seen, held, led, acquirable, orphanedTermEnd);
    }

    /** How much this process knows of the writes before a change. */
    private enum Prior {
        /** All of them. */
        SEEN,
        /** An older record, and perhaps not the ones in between. */
        PARTLY_SEEN,
        /** None: the change is the first record that it sees. */
        UNKNOWN
    }

    private LeaseObservation changedTo(Lease next, Moment now, Prior prior) {
        if (!next.held()) {
            boolean released = released(next, prior);
            long free = released ? now.nanos() : priorTermEnd(next, now, prior);
            return (released ? this : orphaned(free)).known(next, now.nanos(), free, free, free);
        }
        long untilNextExpires = now.plus(next.leaseDuration());
        if (next.granted()) {
            return known(next, now.nanos(), untilNextExpires, now.nanos(), now.nanos());
        }
        if (next.confirmed()) {
            // The term's own duration counts, if an edit has changed that of the record.
            long until = later(leaseExpiry, now.plus(longest(next)));
            if (next.preempting()) {
                long led = preemptedTermEnd(next, now, prior);
                return known(next, now.nanos(), until, led, led);
            }
            return (beginsUnaware(next, prior) ? orphaned(acquirableAt) : this)
                    .known(next, now.nanos(), until, until, until);
        }
        long before = priorTermEnd(next, now, prior);
        long until = later(before, untilNextExpires);
        boolean goesOn = lease != null && Objects.equals(lease.holder(), next.holder());
        if (goesOn) {
            return known(next, now.nanos(), until, until, until);
        }
        boolean onlyNamed = prior == Prior.SEEN && lease != null && notRenewedSince(lease, next);
        LeaseObservation earlier = prior == Prior.SEEN || next.holderEdited() ? orphaned(before) : this;
        return earlier.known(next, now.nanos(), until, onlyNamed ? before : until, before);
    }

    /**
     * Whether a term that begins may not have waited for the one before: an edit has removed that one's annotation, and a process of the
     * same name that has just started takes such a record for a grant of kube-apiserver.
     */
    private boolean beginsUnaware(Lease next, Prior prior) {
        return prior == Prior.SEEN
                && lease != null
                && !lease.confirmed()
                && !Objects.equals(lease.acquireTime(), next.acquireTime());
    }

    /** The same, with a term that may run until an instant although its holder has lost the record without a release. */
    private LeaseObservation orphaned(long until) {
        return new LeaseObservation(lease, seenAt, leaseExpiry, termEnd, acquirableAt, later(orphanedTermEnd, until));
    }

    /**
     * Whether a record without a holder was released by the holder itself, rather than cleared by another writer. If writes may have been
     * missed, only the short lease duration identifies a release.
     */
    private boolean released(Lease next, Prior prior) {
        if (lease == null || !lease.held() || Objects.equals(lease.renewTime(), next.renewTime())) {
            return false;
        }
        boolean plainHolder = !lease.confirmed() && !lease.granted();
        boolean leftOver = plainHolder && Objects.equals(lease.term(), next.term());
        boolean asReleased = prior == Prior.SEEN || next.leaseDuration().compareTo(RELEASED) <= 0;
        return asReleased && (next.term() == null || leftOver);
    }

    /** Until when a preempted term may run: the process that preempted it saw its last renewal, and wrote down the remaining time. */
    private long preemptedTermEnd(Lease next, Moment now, Prior prior) {
        TermAnnotation term = Objects.requireNonNull(next.term(), "a lease is preempting only by its term annotation");
        long byTheAnnotation = now.plus(term.leaseDuration());
        return prior == Prior.SEEN ? earlier(termEnd, byTheAnnotation) : later(termEnd, byTheAnnotation);
    }

    /** Until when the holder before a change may lead, by what this process has seen. */
    private long priorTermEnd(Lease next, Moment now, Prior prior) {
        if (prior == Prior.UNKNOWN) {
            return mayBeLedBy(next) ? now.plus(longest(next)) : now.nanos();
        }
        if (prior == Prior.SEEN || (lease != null && notRenewedSince(lease, next))) {
            return termEnd;
        }
        if (lease == null || !lease.held()) {
            // A holder may have come and gone unseen. A leader that ends its term in good order removes the term
            // annotation, so that one that is left belongs to a term that may still run.
            return mayBeLedBy(next) ? later(leaseExpiry, now.plus(longest(next))) : leaseExpiry;
        }
        return later(leaseExpiry, now.plus(longer(longest(lease), longest(next))));
    }

    /**
     * Whether a process may lead by a record that is seen for the first time, or may have led before its holder was edited: a term
     * annotation says so, and so does a holder that has more time than kube-apiserver grants.
     */
    private static boolean mayBeLedBy(Lease next) {
        return next.term() != null || (next.held() && next.leaseDuration().compareTo(GRANTED_BY_KUBE_APISERVER) > 0);
    }

    /**
     * For how long a term may run after a renewal that this process hasn't seen: another writer may have changed the record's duration since,
     * but the term annotation still carries the one that the leader goes by. If the holder was changed as well, the record's may be the new one's.
     */
    private static Duration longest(Lease record) {
        TermAnnotation term = record.term();
        if (term == null) {
            return record.leaseDuration();
        }
        boolean ofItsTerm = record.confirmed()
                && !record.preempting()
                && !term.leaseDuration().isZero();
        return ofItsTerm ? term.leaseDuration() : longer(record.leaseDuration(), term.leaseDuration());
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

    /** An instant, in monotonic nanoseconds, or {@link #orphanedTermEnd} if that is later. */
    public long notBefore(long nanos) {
        return later(nanos, orphanedTermEnd);
    }

    /** Whether no process can be leading by the lease: it is missing, free or expired, and its last term has run out. */
    public boolean free(Moment now) {
        return now.reached(leaseExpiry);
    }
}

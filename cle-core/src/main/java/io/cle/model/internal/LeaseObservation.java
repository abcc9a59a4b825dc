package io.cle.model.internal;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What one process knows of a lease: the record, and until when another process can be leading. The lock and the coordinator both judge by it.
 * All instants are monotonic nanoseconds of this process; the wall clocks of the writers decide nothing. Immutable.
 *
 * <p>Each record <em>claims</em> the lease for a while after this process has seen it. The rule of {@code safety.md#succession} says what becomes
 * of a claim: a record that cites what it ends takes that claim away, every other record adds its own to it.
 *
 * <pre>
 *   A renews (seen at 3)       an administrator replaces the record by a bare one (5)       3 + lease duration
 *  ----+-------------------------------------+---------------------------------------------------+---------&gt; time
 *    claim = 3 + lease duration       claim = now, earlierClaim = 3 + lease duration       another process may lead
 * </pre>
 *
 * @param lease the record; {@code null} when there is none
 * @param seenAt when its last renewal was seen
 * @param claim until when another process can be leading by this record
 * @param earlierClaim until when another process can be leading by an earlier record: the latest such instant
 * @param keptUntil until when a grant, or a preemption, keeps all but its holder away, although no process leads by it
 * @param terms the terms that may still be renewed while this process misses records
 */
public record LeaseObservation(
        @Nullable Lease lease, long seenAt, long claim, long earlierClaim, long keptUntil, Terms terms) {

    /**
     * Who observes.
     *
     * @param leaseDuration its own lease duration: a term of which nothing else is known is assumed to run for so long
     * @param own whether the record claims nothing against it: it has written the record itself, or the record grants the lease to it
     */
    public record Observer(Duration leaseDuration, boolean own) {}

    /**
     * The terms of a lease that this process has seen a record of and that no citation has ended. Any of them may be renewed while this process misses
     * records.
     *
     * @param recordSeen whether any record of this lease was ever seen
     * @param present the longest duration that the term of the present record was seen with; zero if it isn't of a term
     * @param earlier the longest duration of the terms before it; zero if there is none
     */
    public record Terms(boolean recordSeen, Duration present, Duration earlier) {

        static final Terms NONE = new Terms(false, Duration.ZERO, Duration.ZERO);

        /** The present record was replaced, and its term was not ended. */
        private Terms replaced() {
            return new Terms(recordSeen, Duration.ZERO, longest());
        }

        private Terms missed() {
            return new Terms(true, Duration.ZERO, longest());
        }

        private Terms withEarlier(Duration duration) {
            return new Terms(recordSeen, present, longer(earlier, duration));
        }

        private Duration longest() {
            return longer(present, earlier);
        }
    }

    /** The first observation of a lease: there is nothing to compare it with. */
    public static LeaseObservation first(@Nullable Lease lease, Moment now, Observer observer) {
        long at = now.nanos();
        LeaseObservation nothing = new LeaseObservation(null, at, at, at, at, Terms.NONE);
        return lease == null ? nothing : nothing.seen(lease, now, true, observer);
    }

    /**
     * The observation after the lease was seen once more.
     *
     * @param next the lease now; {@code null} when there is none
     * @param contiguous whether this process has missed no write in between: true for the next event of a watch and for the answer to
     *     its own compare and swap, false for a list, a read or the answer to a creation
     */
    public LeaseObservation seen(@Nullable Lease next, Moment now, boolean contiguous, Observer observer) {
        if (next == null) {
            if (contiguous) {
                return lease == null ? this : gone(now, carried(now, observer), terms.replaced());
            }
            return terms.recordSeen() ? missed(now, observer) : this;
        }
        if (lease != null && Objects.equals(lease.resourceVersion(), next.resourceVersion())) {
            return new LeaseObservation(next, seenAt, claim, earlierClaim, keptUntil, terms);
        }
        if (next.endsAllAfter(lease)) {
            long at = now.nanos();
            return new LeaseObservation(next, at, at, at, at, new Terms(true, Duration.ZERO, Duration.ZERO));
        }
        boolean again = contiguous && lease != null && next.sameRenewal(lease);
        boolean sameTerm = lease != null && !next.deletedSince(lease) && next.sameTerm(lease);
        boolean ended = lease != null && next.ends(lease, contiguous);
        long renewedAt = again ? seenAt : now.nanos();
        Duration claims = next.claims(observer.leaseDuration());
        if (sameTerm && !contiguous) {
            // What was missed is assumed to have been renewed, and the record to have been edited since.
            claims = longer(claims, terms.present());
        }
        long claimed = observer.own() ? now.nanos() : renewedAt + claims.toNanos();
        boolean adds = sameTerm && next.confirmed() && !observer.own();
        return new LeaseObservation(
                next,
                renewedAt,
                adds ? later(claim, claimed) : claimed,
                earlierClaim(next, sameTerm, ended, now, contiguous, observer),
                again ? keptUntil : now.plus(next.keepsAway(observer.leaseDuration())),
                terms(next, sameTerm, ended));
    }

    /** What stays claimed beside the claim of the next record. */
    private long earlierClaim(
            Lease next, boolean sameTerm, boolean ended, Moment now, boolean contiguous, Observer observer) {
        long earlier = earlierClaim;
        if (!ended && (!sameTerm || observer.own())) {
            earlier = later(earlier, carried(now, observer));
        }
        Duration unseen = ended || sameTerm ? terms.earlier() : unseen(observer);
        if (!contiguous && terms.recordSeen() && !unseen.isZero()) {
            earlier = later(earlier, now.plus(unseen));
        }
        TermAnnotation leftOver = next.leftOverTerm();
        boolean known = contiguous && lease != null && next.hasTermAnnotationOf(lease);
        return leftOver == null || known ? earlier : later(earlier, now.plus(leftOver.duration()));
    }

    private Terms terms(Lease next, boolean sameTerm, boolean ended) {
        Duration present = next.termDuration();
        Terms seen = new Terms(
                true,
                sameTerm ? longer(present, terms.present()) : present,
                ended || sameTerm ? terms.earlier() : terms.longest());
        TermAnnotation leftOver = next.leftOverTerm();
        return leftOver == null ? seen : seen.withEarlier(leftOver.duration());
    }

    /**
     * What remains of the claim of this record if another one replaces it without ending it. A plain holder claims what its latest record says, so
     * that a wrong one can be mended; what can't be mended is its own renewal, which is taken to be of this process's lease duration.
     */
    private long carried(Moment now, Observer observer) {
        boolean plain = lease != null && lease.held() && !lease.confirmed();
        long bound = now.plus(observer.leaseDuration());
        return plain && claim - bound > 0 ? bound : claim;
    }

    /** For how long a term may run that this process has missed: as long as any term that may still run, and at least its own lease duration. */
    private Duration unseen(Observer observer) {
        return longer(terms.longest(), observer.leaseDuration());
    }

    /**
     * The observation after writes were missed of which no record tells: a lease that was there is gone, one that was created was never seen, or the
     * API server's history has begun anew ({@code safety.md#new-history}).
     */
    public LeaseObservation missed(Moment now, Observer observer) {
        return gone(now, later(later(carried(now, observer), keptUntil), now.plus(unseen(observer))), terms.missed());
    }

    /** The observation after a creation was refused: there is a record, although this process hasn't seen it. */
    public LeaseObservation existed() {
        return new LeaseObservation(
                lease, seenAt, claim, earlierClaim, keptUntil, new Terms(true, terms.present(), terms.earlier()));
    }

    private LeaseObservation gone(Moment now, long until, Terms known) {
        return new LeaseObservation(null, now.nanos(), now.nanos(), later(earlierClaim, until), now.nanos(), known);
    }

    /**
     * The observation after a lagging watch has shown a record that is older than this one, which a read or an answer has shown before. A term that
     * this record doesn't end may still run for as long as the older record says.
     */
    public LeaseObservation late(Lease older, Moment now, Observer observer) {
        if (lease == null || lease.ends(older, false)) {
            return this;
        }
        if (lease.sameTerm(older)) {
            boolean shorter = older.termDuration().compareTo(terms.present()) <= 0;
            return shorter || observer.own() ? this : withLonger(older.termDuration(), now);
        }
        long until = first(older, now, observer).carried(now, observer);
        return new LeaseObservation(
                lease, seenAt, claim, later(earlierClaim, until), keptUntil, terms.withEarlier(older.termDuration()));
    }

    /** The term of this record had a longer duration before an edit. */
    private LeaseObservation withLonger(Duration duration, Moment now) {
        return new LeaseObservation(
                lease,
                seenAt,
                later(claim, now.plus(duration)),
                earlierClaim,
                keptUntil,
                new Terms(true, duration, terms.earlier()));
    }

    /** Until when another process can be leading. */
    public long busyUntil() {
        return later(claim, earlierClaim);
    }

    /** From when on any candidate may acquire the lease: no other process can be leading, and it isn't kept for another one. */
    public long freeAt() {
        return later(busyUntil(), keptUntil);
    }

    /** Whether any candidate may acquire the lease. */
    public boolean free(Moment now) {
        return now.reached(freeAt());
    }

    private static Duration longer(Duration left, Duration right) {
        return left.compareTo(right) >= 0 ? left : right;
    }

    private static long later(long left, long right) {
        return left - right >= 0 ? left : right;
    }
}

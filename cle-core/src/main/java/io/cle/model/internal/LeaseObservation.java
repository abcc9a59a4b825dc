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
 */
public record LeaseObservation(@Nullable Lease lease, long seenAt, long claim, long earlierClaim, long keptUntil) {

    /**
     * Who observes.
     *
     * @param leaseDuration its own lease duration: a term of which nothing else is known is taken to run for so long
     * @param own whether the record claims nothing against it: it has written the record itself, or the record grants the lease to it
     */
    public record Observer(Duration leaseDuration, boolean own) {}

    /** The first observation of a lease: there is nothing to compare it with. */
    public static LeaseObservation first(@Nullable Lease lease, Moment now, Observer observer) {
        long at = now.nanos();
        LeaseObservation nothing = new LeaseObservation(null, at, at, at, at);
        return lease == null ? nothing : nothing.seen(lease, now, true, observer);
    }

    /**
     * The observation after the lease was seen once more.
     *
     * @param next the lease now; {@code null} when there is none
     * @param contiguous whether this process has missed no write in between: true for the next event of a watch and for the answer to
     *     its own write, false for a list or a read
     */
    public LeaseObservation seen(@Nullable Lease next, Moment now, boolean contiguous, Observer observer) {
        if (next == null) {
            return lease == null ? this : contiguous ? gone(now, carried(now, observer)) : missed(now, observer);
        }
        if (lease != null && Objects.equals(lease.resourceVersion(), next.resourceVersion())) {
            return new LeaseObservation(next, seenAt, claim, earlierClaim, keptUntil);
        }
        if (next.endsAllAfter(lease)) {
            return new LeaseObservation(next, now.nanos(), now.nanos(), now.nanos(), now.nanos());
        }
        boolean again = contiguous && lease != null && next.sameRenewal(lease);
        boolean sameTerm = lease != null && !next.deletedSince(lease) && next.sameTerm(lease);
        long renewedAt = again ? seenAt : now.nanos();
        long claimed = observer.own()
                ? now.nanos()
                : renewedAt + next.claims(observer.leaseDuration()).toNanos();
        boolean adds = sameTerm && next.confirmed() && !observer.own();
        return new LeaseObservation(
                next,
                renewedAt,
                adds ? later(claim, claimed) : claimed,
                earlierClaim(next, sameTerm, now, contiguous, observer),
                again ? keptUntil : now.plus(next.keepsAway()));
    }

    /** What stays claimed beside the claim of the next record. */
    private long earlierClaim(Lease next, boolean sameTerm, Moment now, boolean contiguous, Observer observer) {
        long earlier = earlierClaim;
        boolean ended = lease == null ? contiguous || next.beganWithoutARecord() : next.ends(lease, contiguous);
        if (!ended && (!sameTerm || observer.own())) {
            earlier = later(earlier, carried(now, observer));
        }
        if (!ended && !sameTerm && !contiguous) {
            earlier = later(earlier, now.plus(unseen(observer)));
        }
        TermAnnotation leftOver = next.leftOverTerm();
        boolean known = contiguous && lease != null && next.hasTermAnnotationOf(lease);
        return leftOver == null || known ? earlier : later(earlier, now.plus(leftOver.duration()));
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

    /** For how long a term may run that this process has missed: as long as its last known one, or its own. */
    private Duration unseen(Observer observer) {
        Duration known = lease != null && lease.confirmed() ? lease.claims(observer.leaseDuration()) : Duration.ZERO;
        return known.compareTo(observer.leaseDuration()) > 0 ? known : observer.leaseDuration();
    }

    /**
     * The observation after writes were missed of which no record tells: a lease that was there is gone, one that was created was never seen, or the
     * API server's history has begun anew ({@code safety.md#new-history}).
     */
    public LeaseObservation missed(Moment now, Observer observer) {
        return gone(now, later(later(carried(now, observer), keptUntil), now.plus(unseen(observer))));
    }

    private LeaseObservation gone(Moment now, long until) {
        return new LeaseObservation(null, now.nanos(), now.nanos(), later(earlierClaim, until), now.nanos());
    }

    /**
     * The observation after a lagging watch has shown a record that is older than this one, which a read or an answer has shown before. If it is of a
     * term that this record neither continues nor ends, that term may still run.
     */
    public LeaseObservation late(Lease older, Moment now, Observer observer) {
        if (lease == null || lease.sameTerm(older) || lease.ends(older, false)) {
            return this;
        }
        long until = first(older, now, observer).carried(now, observer);
        return new LeaseObservation(lease, seenAt, claim, later(earlierClaim, until), keptUntil);
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

    private static long later(long left, long right) {
        return left - right >= 0 ? left : right;
    }
}

package io.cle.model.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The state of a lease as one process has observed it: the record, and until when another process may be leading. Used by the lock and the
 * coordinator. All instants are monotonic nanoseconds of this process; the wall clocks of the writers decide nothing. Immutable.
 *
 * <p>Each record <em>claims</em> the lease for some time after this process has seen it. By the rule of {@code safety.md#succession}, a
 * record that cites an earlier claim as ended removes that claim; every other record adds its own claim.
 *
 * <pre>
 *   A renews (seen at 3)       an administrator replaces the record by a bare one (5)       3 + lease duration
 *  ----+-------------------------------------+---------------------------------------------------+---------&gt; time
 *    claim = 3 + lease duration       claim = now, earlierClaim = 3 + lease duration       another process may lead
 * </pre>
 *
 * @param lease the record; {@code null} if there is none
 * @param seenAt when its last renewal was seen
 * @param claim until when another process may be leading by this record
 * @param earlierClaim until when another process may be leading by any earlier record
 * @param keptUntil until when a grant or a preemption reserves the lease for its holder, although no process leads by it
 * @param terms the terms that may still be renewed while this process misses records
 */
public record LeaseObservation(
        @Nullable Lease lease, long seenAt, long claim, long earlierClaim, long keptUntil, Terms terms) {

    /**
     * The observing process.
     *
     * @param leaseDuration its own lease duration, which a term is assumed to have if nothing else is known of it
     * @param own whether the record claims nothing against this process, because this process has written the record or was granted the
     *     lease by it
     */
    public record Observer(Duration leaseDuration, boolean own) {}

    /**
     * The terms of a lease of which this process has seen a record and which no later record has cited as ended. Any of them may be renewed
     * while this process misses records.
     *
     * @param recordSeen whether any record of this lease was ever seen
     * @param present the longest duration seen for the term of the present record; zero if the record belongs to no term
     * @param earlier the longest duration of the earlier terms; zero if there is none
     */
    public record Terms(boolean recordSeen, Duration present, Duration earlier) {

        static final Terms NONE = new Terms(false, Duration.ZERO, Duration.ZERO);

        /** Returns the terms after the present record was replaced by one that doesn't end its term. */
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

    /** Returns the first observation of a lease. */
    public static LeaseObservation first(@Nullable Lease lease, Moment now, Observer observer) {
        long at = now.nanos();
        LeaseObservation nothing = new LeaseObservation(null, at, at, at, at, Terms.NONE);
        return lease == null ? nothing : nothing.seen(lease, now, true, observer);
    }

    /**
     * Returns the observation after the lease was seen once more.
     *
     * @param next the lease now; {@code null} if there is none
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
            // Assumes that a missed record was renewed, and that the record has been edited since.
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

    /** Returns the claim of earlier records that remains beside the claim of the next record. */
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
     * Returns the part of this record's claim that remains if another record replaces it without ending it. A plain holder claims only what
     * its latest record says, so that a wrong duration can be corrected. Its own renewal can't be corrected, and is assumed to last for
     * this process's lease duration. So is the claim of a closed record, which a coordinator closes again within that time.
     */
    private long carried(Moment now, Observer observer) {
        boolean plain = lease != null && (lease.closed() || (lease.held() && !lease.confirmed()));
        long bound = now.plus(observer.leaseDuration());
        return plain && claim - bound > 0 ? bound : claim;
    }

    /** Returns how long a term that this process has missed may run: as long as any term that may still run, and at least its own lease duration. */
    private Duration unseen(Observer observer) {
        return longer(terms.longest(), observer.leaseDuration());
    }

    /**
     * Returns the observation after writes were missed that no record shows: an existing lease is gone, a created one was never seen, or
     * etcd was restored ({@code safety.md#succession}).
     */
    public LeaseObservation missed(Moment now, Observer observer) {
        return gone(now, later(later(carried(now, observer), keptUntil), now.plus(unseen(observer))), terms.missed());
    }

    /** Returns the observation after a creation was refused: a record exists, although this process hasn't seen it. */
    public LeaseObservation existed() {
        return new LeaseObservation(
                lease, seenAt, claim, earlierClaim, keptUntil, new Terms(true, terms.present(), terms.earlier()));
    }

    private LeaseObservation gone(Moment now, long until, Terms known) {
        return new LeaseObservation(null, now.nanos(), now.nanos(), later(earlierClaim, until), now.nanos(), known);
    }

    /**
     * Returns the observation after a lagging watch has delivered a record that is older than this one, which was seen before in a read or
     * an answer. Unless this record ends that record's term, the term may still run for the duration of the older record.
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

    /** Returns the observation after a longer duration of this record's term was seen, which the term had before an edit. */
    private LeaseObservation withLonger(Duration duration, Moment now) {
        return new LeaseObservation(
                lease,
                seenAt,
                later(claim, now.plus(duration)),
                earlierClaim,
                keptUntil,
                new Terms(true, duration, terms.earlier()));
    }

    /** Returns until when another process may be leading. */
    public long busyUntil() {
        return later(claim, earlierClaim);
    }

    /** Returns when any candidate may acquire the lease: no other process can be leading, and the lease isn't reserved for another one. */
    public long freeAt() {
        return later(busyUntil(), keptUntil);
    }

    /** Returns whether any candidate may acquire the lease. */
    public boolean free(Moment now) {
        return now.reached(freeAt());
    }

    // ---- claims of records that aren't renewed ----------------------------------------------------------------------

    /**
     * Returns from when to warn about the claim: its record hasn't been renewed for one lease duration and still blocks other processes for
     * more than another one. It may be a mistake, which an administrator can end ({@code safety.md#administrators-line}).
     *
     * @return {@code Long.MAX_VALUE} if there is no reason to warn
     */
    public long standsAt(Duration leaseDuration) {
        boolean closed = lease != null && lease.closed();
        return !closed && freeAt() - seenAt > leaseDuration.multipliedBy(2).toNanos()
                ? seenAt + leaseDuration.toNanos()
                : Long.MAX_VALUE;
    }

    /**
     * Describes, for a person, until when no other process may lead, which record is the cause, and what to do.
     *
     * @param until when the claim ends, by the wall clock
     * @param line the command that ends the claim; empty if the lease is gone, so that there is no version to cite
     */
    public String describeClaim(Instant until, Optional<String> line) {
        String record = "an earlier record than the present one";
        if (lease == null) {
            record = "a record of the lease from before it was deleted";
        } else if (claim - earlierClaim >= 0) {
            record = "the record of the holder '" + lease.holder() + "' ("
                    + lease.claims(Duration.ZERO).toSeconds() + " s), which isn't renewed";
        }
        return "no other process may lead before " + until.truncatedTo(ChronoUnit.SECONDS) + ", because of " + record
                + (lease == null ? "" : ", version " + lease.resourceVersion())
                + ". If no process leads by that record, end its claim (if one does, two will lead): "
                + line.orElse(
                        "create the lease without a holder, and cite its version in the line for a lease that stays claimed"
                                + " (docs/administration.md)");
    }

    private static Duration longer(Duration left, Duration right) {
        return left.compareTo(right) >= 0 ? left : right;
    }

    private static long later(long left, long right) {
        return left - right >= 0 ? left : right;
    }
}

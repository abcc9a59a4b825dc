package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

import io.cle.election.internal.ElectionView.PastDecision;
import io.cle.election.internal.ElectionView.PastTerm;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.model.internal.TermIdentity;
import org.jspecify.annotations.Nullable;

/**
 * The last decisions about a lease and its last terms, for display and meters only. Bounded, because there may be ten thousand leases. Confined to
 * the event loop.
 *
 * <p>A term lasts as long as its holder is known to have led: until it released the lease or handed it over, or else until its last renewal. A killed
 * leader holds its lease for another lease duration without leading. If the lease was not observed for some time, the last known term ends with its
 * last observed renewal; that time isn't treated as without a leader.
 */
final class LeaseHistory {

    static final int DECISIONS = 10;

    /** 25 days at two terms per day. */
    static final int TERMS = 50;

    /** The maximum length of a recorded text, because others may have written parts of it. */
    static final int LONGEST = 500;

    /** Newest first. */
    private final Deque<PastDecision> decisions = new ArrayDeque<>(2);

    /** Oldest first; only the last one may still run. */
    private final Deque<PastTerm> terms = new ArrayDeque<>(2);

    /** Since when the terms are complete; {@code null} before the first observation. */
    private @Nullable Instant knownSince;

    private Duration vacant = Duration.ZERO;
    private @Nullable Instant vacantSince;

    /** The identity of the last term; {@code null} before the first. */
    private @Nullable TermIdentity lastTerm;

    /** Records a decision, unless it repeats the last one. */
    void decided(String why, Instant when) {
        begin(when);
        String reason = shortened(why);
        PastDecision last = decisions.peekFirst();
        if (last != null && last.reason().equals(reason)) {
            return;
        }
        if (decisions.size() == DECISIONS) {
            decisions.removeLast();
        }
        decisions.addFirst(new PastDecision(when, reason));
    }

    /**
     * Records a new observation of the lease.
     *
     * @param before the previous observation; {@code null} if this is the first
     * @param contiguous whether no write was missed since then
     */
    void observed(@Nullable LeaseObservation before, LeaseObservation after, Moment now, boolean contiguous) {
        begin(now.wall());
        Lease lease = after.lease();
        String leader = leader(lease);
        TermIdentity term = leader == null || lease == null ? null : lease.termIdentity();
        PastTerm last = terms.peekLast();
        boolean runs = last != null && last.until() == null;
        if (runs && Objects.equals(lastTerm, term)) {
            return;
        }
        Instant from = before == null ? acquired(lease, now) : now.wall();
        if (runs && before != null) {
            Instant ended = end(before, lease, now);
            terms.removeLast();
            terms.addLast(new PastTerm(last.holder(), last.from(), ended));
            boolean missed = !contiguous && now.reached(before.freeAt());
            if (missed && leader != null) {
                from = later(acquired(lease, now), ended);
            }
            vacantSince = missed ? from : ended;
        }
        if (leader != null) {
            if (vacantSince != null) {
                vacant = vacant.plus(Duration.between(vacantSince, later(from, vacantSince)));
            }
            vacantSince = null;
            knownSince = knownSince == null || from.isBefore(knownSince) ? from : knownSince;
            lastTerm = term;
            if (terms.size() == TERMS) {
                knownSince = terms.removeFirst().until();
            }
            terms.addLast(new PastTerm(shortened(leader), from, null));
        }
    }

    private void begin(Instant when) {
        if (knownSince == null) {
            knownSince = when;
            vacantSince = when;
        }
    }

    /** An elected holder leads only once it has confirmed (safety.md#write-starts-term). */
    private static @Nullable String leader(@Nullable Lease lease) {
        return lease == null || lease.granted() || lease.preempting() ? null : lease.holder();
    }

    /**
     * Returns when a term began whose beginning was not observed: the acquire time, if the holder follows the protocol and so sets it for each term.
     * Other electors keep theirs when they lose the lease and acquire it again.
     */
    private static Instant acquired(@Nullable Lease lease, Moment now) {
        Instant acquired = lease == null || !lease.confirmed() ? null : lease.acquireTime();
        return acquired == null || acquired.isAfter(now.wall()) || acquired.isBefore(Instant.EPOCH)
                ? now.wall()
                : acquired;
    }

    /**
     * Returns until when a term is known to have lasted: until now if its holder has released the lease or handed it over as requested, or if the
     * lease was deleted; otherwise until the last observed renewal.
     */
    private static Instant end(LeaseObservation before, @Nullable Lease after, Moment now) {
        Lease held = before.lease();
        boolean byHolder = after == null || !after.held() || (held != null && held.endOfTerm());
        return byHolder && !now.reached(before.freeAt())
                ? now.wall()
                : now.wall().minusNanos(Math.max(0, now.nanos() - before.seenAt()));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** Returns the recorded decisions and terms. */
    ElectionView.Past past() {
        return new ElectionView.Past(List.copyOf(decisions), List.copyOf(terms), knownSince, vacant, vacantSince);
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}

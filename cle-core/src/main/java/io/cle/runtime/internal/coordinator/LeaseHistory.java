package io.cle.runtime.internal.coordinator;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.model.internal.TermIdentity;
import io.cle.runtime.internal.coordinator.ElectionView.PastDecision;
import io.cle.runtime.internal.coordinator.ElectionView.PastTerm;
import org.jspecify.annotations.Nullable;

/**
 * The last decisions about a lease and the last terms, for people; nothing is decided by it. Bounded, because there may be ten thousand
 * leases. Confined to the event loop.
 */
final class LeaseHistory {

    static final int DECISIONS = 10;

    /** Four weeks of two terms a day. */
    static final int TERMS = 50;

    /** How many characters of a text are kept: sixty texts are, and a stranger may have written what they repeat. */
    static final int LONGEST = 500;

    /** Newest first. */
    private final Deque<PastDecision> decisions = new ArrayDeque<>(2);

    /** Oldest first; only the last one may still run. */
    private final Deque<PastTerm> terms = new ArrayDeque<>(2);

    /** Since when no term and no gap is missing; {@code null} before anything was seen. */
    private @Nullable Instant knownSince;

    /** Which term the last one is; {@code null} before the first. */
    private @Nullable TermIdentity lastTerm;

    /** A decision was made. The same decision made again isn't recorded again. */
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
     * The lease was observed once more.
     *
     * @param before what was known before; {@code null} at first sight
     */
    void observed(@Nullable LeaseObservation before, LeaseObservation after, Moment now) {
        begin(now.wall());
        Lease lease = after.lease();
        String leader = leader(lease);
        TermIdentity term = leader == null || lease == null ? null : lease.termIdentity();
        PastTerm last = terms.peekLast();
        boolean runs = last != null && last.until() == null;
        if (runs && Objects.equals(lastTerm, term)) {
            return;
        }
        if (runs) {
            terms.removeLast();
            terms.addLast(new PastTerm(last.holder(), last.from(), end(before, now), last.begunBefore()));
        }
        if (leader != null) {
            if (terms.size() == TERMS) {
                knownSince = terms.removeFirst().until();
            }
            lastTerm = term;
            terms.addLast(new PastTerm(shortened(leader), now.wall(), null, before == null));
        }
    }

    private void begin(Instant when) {
        if (knownSince == null) {
            knownSince = when;
        }
    }

    /** An elected holder leads only once it has confirmed (safety.md#write-starts-term). */
    private static @Nullable String leader(@Nullable Lease lease) {
        return lease == null || lease.granted() || lease.preempting() ? null : lease.holder();
    }

    /** A term ends when it is seen to, but not after its lease has expired. */
    private static Instant end(@Nullable LeaseObservation before, Moment now) {
        long late = before == null ? 0 : now.nanos() - before.freeAt();
        return late > 0 ? now.wall().minusNanos(late) : now.wall();
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    List<PastDecision> decisions() {
        return List.copyOf(decisions);
    }

    @Nullable
    Instant knownSince() {
        return knownSince;
    }

    List<PastTerm> terms() {
        return List.copyOf(terms);
    }
}

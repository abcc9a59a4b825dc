package io.cle.model.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import org.jspecify.annotations.Nullable;

/**
 * The record that is led by: who holds it, for how long, and what a coordinator has said about it. One model for every
 * wire format; absent fields are {@code null}. Immutable; change it by {@link #toBuilder()}.
 * Rules: {@code safety.md#term-annotation}, {@code safety.md#administrators-line}, {@code safety.md#mixed-electors}.
 *
 * @param key its namespace and name
 * @param resourceVersion the API server's version of the object it was read from; {@code null} for one never stored
 * @param uid the API server's own name of the object, by which events are found; {@code null} for one never stored
 * @param holder the identity of the holder; {@code null} when there is no holder (an empty one on the wire is the same)
 * @param leaseDuration how long after a renewal the lease expires; by this, not by one's own configuration, expiry is judged
 * @param acquireTime when the holder acquired it, by the writer's wall clock; for people only
 * @param renewTime when it was last renewed, by the writer's wall clock; only ever compared for being different
 * @param transitions how often the holder has changed
 * @param strategy the strategy on the lease: what elected the holder, or what an administrator has set
 * @param recordedStrategy the strategy that a coordinator has put there itself; where it differs from
 *     {@code strategy}, an administrator has spoken (safety.md#strategy-precedence)
 * @param electedBy who elected the holder; {@code null} when the holder acquired the lease itself and follows no coordinator
 * @param endOfTerm whether the holder is asked to yield
 * @param preferredHolder to whom it is to yield; {@code null} when it is to no one in particular
 * @param preferredKey KEP-2835's key of the preferred holder, where it was recorded
 * @param holderKey KEP-2835's key of the holder, where it was recorded
 * @param term the term annotation of the process that began the running term or granted the lease; one that doesn't describe this
 *     record was left by a holder before; {@code null} on a released record, on one that only other electors have written, and if the
 *     annotation is malformed
 * @param holderPod the pod and the container that the holder runs in ({@link PodRef#onLease()}), by which the admission policy knows who
 *     may renew and release; {@code null} where the pod isn't known
 * @param managed whether coordinators are to watch it
 * @param application the application whose lease it is, by the label that Kubernetes recommends; {@code null} if the object has none
 */
public record Lease(
        ObjectKey key,
        @Nullable String resourceVersion,
        @Nullable String uid,
        @Nullable String holder,
        Duration leaseDuration,
        @Nullable Instant acquireTime,
        @Nullable Instant renewTime,
        int transitions,
        @Nullable String strategy,
        @Nullable String recordedStrategy,
        @Nullable String electedBy,
        boolean endOfTerm,
        @Nullable String preferredHolder,
        @Nullable String preferredKey,
        @Nullable String holderKey,
        @Nullable TermAnnotation term,
        @Nullable String holderPod,
        boolean managed,
        @Nullable String application) {

    /** The lease duration that a release is written with, by client-go as by this project. */
    public static final Duration RELEASED = Duration.ofSeconds(1);

    /** A lease without a holder that was never stored, to build on. */
    public static Builder builder(ObjectKey key) {
        return new Builder(key);
    }

    /** A builder that starts from this lease. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Whether a holder is named, in whatever state. */
    public boolean held() {
        return holder != null;
    }

    /** Whether the given identity is named as holder. */
    public boolean heldBy(String identity) {
        return identity.equals(holder);
    }

    /** Whether the holder has confirmed: its own term annotation says that it has begun a term, or preempted another one's. */
    public boolean confirmed() {
        return term != null && term.term() != null && term.describes(holder, acquireTime);
    }

    /** Whether the holder has preempted the one before and waits for the end of that term: it doesn't lead by this record yet. */
    public boolean preempting() {
        return term != null && term.preempts() && term.describes(holder, acquireTime);
    }

    /**
     * Whether the lease was only granted, by a writer that keeps the rules: no process leads by it yet, and it may be granted to another
     * candidate by compare and swap without ending a term ({@code safety.md#write-starts-term}). A renewal that leaves the term
     * annotation alone ends that.
     */
    public boolean granted() {
        return term != null
                && term.term() == null
                && term.describes(holder, acquireTime)
                && Objects.equals(acquireTime, renewTime);
    }

    /** Whether a plain elector holds it, which keeps none of the rules: client-go's, kube-apiserver's candidate, an administrator's edit. */
    boolean plain() {
        return held() && !confirmed() && !granted();
    }

    // ---- what it claims, and what it ends (safety.md#succession) -------------------------------------------------

    /**
     * For how long another process may lead after it has written this record.
     *
     * @param own the observer's own lease duration: what a plain holder claims at least
     */
    Duration claims(Duration own) {
        if (confirmed()) {
            return termDuration();
        }
        return !plain() ? Duration.ZERO : leaseDuration.compareTo(own) > 0 ? leaseDuration : own;
    }

    /**
     * For how long a grant, or a preemption, keeps all but its holder away: its duration, beyond the term that is preempted no longer than the
     * observer's own lease duration, or a record that is wrong would keep everybody away for as long as it says.
     */
    Duration keepsAway(Duration own) {
        if (!granted() && !preempting()) {
            return Duration.ZERO;
        }
        Duration longest = termDuration().plus(own);
        return leaseDuration.compareTo(longest) < 0 ? leaseDuration : longest;
    }

    /** For how long the term of this record, or the term that it preempts, may run after this write; zero if the record is of no term. */
    Duration termDuration() {
        return confirmed()
                ? Objects.requireNonNull(term, "confirmed by its annotation").duration()
                : Duration.ZERO;
    }

    /** The annotation of a term that the record is no longer of, because another writer has changed the holder or the acquire time; or {@code null}. */
    @Nullable
    TermAnnotation leftOverTerm() {
        return term != null && term.term() != null && !confirmed() ? term : null;
    }

    boolean hasTermAnnotationOf(Lease other) {
        return Objects.equals(term, other.term);
    }

    /** What a record ends that replaces this one when no term runs by it any more. */
    public TermAnnotation.Ended endedWhenReplaced() {
        String last = term == null
                ? null
                : term.term() != null ? term.term() : term.ended().term();
        return new TermAnnotation.Ended(TermAnnotation.Ended.ALL.equals(last) ? null : last, resourceVersion);
    }

    /**
     * Whether this record ends the claim of an earlier one: it cites its version or its term; or a plain holder has released it as client-go does.
     *
     * @param contiguous whether no record between the two was missed
     */
    boolean ends(Lease former, boolean contiguous) {
        if (term != null && !deletedSince(former)) {
            TermAnnotation.Ended ended = term.ended();
            boolean version = ended.after() != null && ended.after().equals(former.resourceVersion);
            boolean ofTerm = former.confirmed()
                    && ended.term() != null
                    && ended.term().equals(Objects.requireNonNull(former.term).term());
            if (version || ofTerm) {
                return true;
            }
        }
        return contiguous
                && former.plain()
                && !held()
                && leaseDuration.compareTo(RELEASED) <= 0
                && !Objects.equals(renewTime, former.renewTime)
                && hasTermAnnotationOf(former);
    }

    /**
     * Whether it is the administrator's line for exactly this record, by which all earlier claims end. Neither the record nor its annotation names a
     * holder: an edit of a term's annotation isn't the line.
     */
    boolean endsAllAfter(@Nullable Lease former) {
        return !held()
                && term != null
                && term.holder() == null
                && former != null
                && TermAnnotation.Ended.ALL.equals(term.ended().term())
                && term.ended().after() != null
                && term.ended().after().equals(former.resourceVersion);
    }

    /**
     * The number of transitions for the next holder. It stays at the largest one that the API server accepts: one more would be negative,
     * and every election would be refused ({@code safety.md#saturating-transitions}).
     */
    public int nextTransitions() {
        return transitionsAreExhausted() ? transitions : transitions + 1;
    }

    /** Whether the number of transitions is the largest one that the API server accepts, so that it no longer counts. */
    public boolean transitionsAreExhausted() {
        return transitions == Integer.MAX_VALUE;
    }

    /** Whether this is another object than an earlier one of the same name, which was therefore deleted in between. */
    boolean deletedSince(Lease earlier) {
        return uid != null && earlier.uid != null && !earlier.uid.equals(uid);
    }

    /**
     * Whether it is of the same renewal as the record right before it. If it isn't, the lease was renewed, granted or released in between, whatever
     * the clocks say that wrote the times (client-go's rule for observing a record). After a gap it says nothing: a plain holder may write the same
     * times twice, in a format with whole seconds, and an earlier copy may have been put back over renewals.
     */
    boolean sameRenewal(Lease before) {
        return Objects.equals(holder, before.holder)
                && Objects.equals(renewTime, before.renewTime)
                && Objects.equals(acquireTime, before.acquireTime)
                && Objects.equals(term, before.term)
                && transitions == before.transitions;
    }

    /** Whether it is of the same term as another record: of the same annotated term, or of the same acquisition of a plain holder. */
    boolean sameTerm(Lease other) {
        return held()
                && confirmed() == other.confirmed()
                && granted() == other.granted()
                && termIdentity().equals(other.termIdentity())
                && (confirmed() || hasTermAnnotationOf(other));
    }

    /** Of which term, or grant, the record is: the same for all of its writes, and for no other. */
    public TermIdentity termIdentity() {
        return new TermIdentity(holder, acquireTime, transitions, term == null ? null : term.term());
    }

    /** Builds a {@link Lease}. Not thread-safe. */
    public static final class Builder {
        private final ObjectKey key;
        private @Nullable String resourceVersion;
        private @Nullable String uid;
        private @Nullable String holder;
        private Duration leaseDuration = Duration.ofSeconds(15);
        private @Nullable Instant acquireTime;
        private @Nullable Instant renewTime;
        private int transitions;
        private @Nullable String strategy;
        private @Nullable String recordedStrategy;
        private @Nullable String electedBy;
        private boolean endOfTerm;
        private @Nullable String preferredHolder;
        private @Nullable String preferredKey;
        private @Nullable String holderKey;
        private @Nullable TermAnnotation term;
        private @Nullable String holderPod;
        private boolean managed;
        private @Nullable String application;

        private Builder(ObjectKey key) {
            this.key = key;
        }

        private Builder(Lease lease) {
            key = lease.key;
            resourceVersion = lease.resourceVersion;
            uid = lease.uid;
            holder = lease.holder;
            leaseDuration = lease.leaseDuration;
            acquireTime = lease.acquireTime;
            renewTime = lease.renewTime;
            transitions = lease.transitions;
            strategy = lease.strategy;
            recordedStrategy = lease.recordedStrategy;
            electedBy = lease.electedBy;
            endOfTerm = lease.endOfTerm;
            preferredHolder = lease.preferredHolder;
            preferredKey = lease.preferredKey;
            holderKey = lease.holderKey;
            term = lease.term;
            holderPod = lease.holderPod;
            managed = lease.managed;
            application = lease.application;
        }

        /** See {@link Lease#resourceVersion()}. */
        public Builder resourceVersion(@Nullable String value) {
            resourceVersion = value;
            return this;
        }

        /** See {@link Lease#uid()}. */
        public Builder uid(@Nullable String value) {
            uid = value;
            return this;
        }

        /** See {@link Lease#holder()}; an empty identity is no holder. */
        public Builder holder(@Nullable String value) {
            holder = value == null || value.isEmpty() ? null : value;
            return this;
        }

        /** See {@link Lease#leaseDuration()}. */
        public Builder leaseDuration(Duration value) {
            leaseDuration = value;
            return this;
        }

        /** See {@link Lease#acquireTime()}. */
        public Builder acquireTime(@Nullable Instant value) {
            acquireTime = value;
            return this;
        }

        /** See {@link Lease#renewTime()}. */
        public Builder renewTime(@Nullable Instant value) {
            renewTime = value;
            return this;
        }

        /** See {@link Lease#transitions()}. */
        public Builder transitions(int value) {
            transitions = value;
            return this;
        }

        /** See {@link Lease#strategy()}. */
        public Builder strategy(@Nullable String value) {
            strategy = value;
            return this;
        }

        /** See {@link Lease#recordedStrategy()}. */
        public Builder recordedStrategy(@Nullable String value) {
            recordedStrategy = value;
            return this;
        }

        /** See {@link Lease#electedBy()}. */
        public Builder electedBy(@Nullable String value) {
            electedBy = value;
            return this;
        }

        /** Asks the holder to yield, to {@code preferred} where it isn't {@code null}. */
        public Builder endOfTerm(@Nullable String preferred, @Nullable String key) {
            endOfTerm = true;
            preferredHolder = preferred;
            preferredKey = key;
            return this;
        }

        /** Takes back what {@link #endOfTerm} has set. */
        public Builder noEndOfTerm() {
            endOfTerm = false;
            preferredHolder = null;
            preferredKey = null;
            return this;
        }

        /** See {@link Lease#holderKey()}. */
        public Builder holderKey(@Nullable String value) {
            holderKey = value;
            return this;
        }

        /** See {@link Lease#term()}. */
        public Builder term(@Nullable TermAnnotation value) {
            term = value;
            return this;
        }

        /** See {@link Lease#holderPod()}. */
        public Builder holderPod(@Nullable String value) {
            holderPod = value;
            return this;
        }

        /** See {@link Lease#managed()}. */
        public Builder managed(boolean value) {
            managed = value;
            return this;
        }

        /** See {@link Lease#application()}. */
        public Builder application(@Nullable String value) {
            application = value;
            return this;
        }

        /** The lease. */
        public Lease build() {
            return new Lease(
                    key,
                    resourceVersion,
                    uid,
                    holder,
                    leaseDuration,
                    acquireTime,
                    renewTime,
                    transitions,
                    strategy,
                    recordedStrategy,
                    electedBy,
                    endOfTerm,
                    preferredHolder,
                    preferredKey,
                    holderKey,
                    term,
                    holder == null ? null : holderPod,
                    managed,
                    application);
        }
    }
}

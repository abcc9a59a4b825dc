package io.cle.model.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import org.jspecify.annotations.Nullable;

/**
 * The record of a lock: its holder, its duration, and what the coordinator has recorded. The same model is used for every wire format;
 * absent fields are {@code null}. Immutable; {@link #toBuilder()} makes a changed copy. Rules: {@code safety.md#term-annotation},
 * {@code safety.md#administrators-line}, {@code safety.md#mixed-electors}.
 *
 * @param key its namespace and name
 * @param resourceVersion the resourceVersion of the object it was read from; {@code null} if it was never stored
 * @param uid the uid of the object, to which Events refer; {@code null} if it was never stored
 * @param holder the identity of the holder; {@code null} if there is none (an empty identity on the wire means the same)
 * @param leaseDuration how long after a renewal the lease expires; observers use this duration, not their own
 * @param acquireTime when the holder acquired it, by the writer's wall clock; for people only
 * @param renewTime when it was last renewed, by the writer's wall clock; only compared for equality
 * @param transitions how often the holder has changed
 * @param strategy the strategy on the lease: the one that elected the holder, or the one that an administrator has set
 * @param recordedStrategy the strategy that a coordinator has recorded; if it differs from {@code strategy}, an administrator has set
 *     {@code strategy} (protocol.md#which-strategy-applies)
 * @param electedBy who elected the holder; {@code null} if the holder acquired the lease itself and follows no coordinator
 * @param endOfTerm whether the holder is asked to yield
 * @param preferredHolder the candidate that the holder is asked to yield to; {@code null} if none is preferred
 * @param preferredKey KEP-2835's key of the preferred holder; {@code null} if it wasn't recorded
 * @param holderKey KEP-2835's key of the holder; {@code null} if it wasn't recorded
 * @param term the term annotation of the process that began the running term or granted the lease; an annotation that doesn't describe this
 *     record was left by an earlier holder; {@code null} on a released record, on a record that only other electors have written, and if
 *     the annotation is malformed
 * @param holderPod the pod and the container that the holder runs in ({@link PodRef#onLease()}), which lets the admission policy decide who
 *     may renew and release; {@code null} if the pod is unknown
 * @param managed whether coordinators watch it
 * @param group the {@linkplain io.cle.model.LeaseGroup#label() label} of the group that it belongs to; {@code null} if it isn't one of a group
 * @param owner the family of leases that owns the key and keeps this Lease closed ({@link io.cle.model.LeaseGroup#owner}), written
 *     in place of a holder (safety.md#one-owner-of-each-key); {@code null} unless it is closed
 * @param retiredBy the version of the Lease named like the key at which this shard was closed; on that Lease itself the version that was
 *     closed; {@code null} unless it is closed
 * @param application the application whose lease it is, from the label that Kubernetes recommends; {@code null} if the object has none
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
        @Nullable String group,
        @Nullable String owner,
        @Nullable String retiredBy,
        @Nullable String application) {

    /** The lease duration that a released record has, as with client-go. */
    public static final Duration RELEASED = Duration.ofSeconds(1);

    /** The lease duration of a closed record: the longest that the field holds, so that other electors wait, too. */
    public static final Duration CLOSED = Duration.ofSeconds(Integer.MAX_VALUE);

    /** Returns a builder for a new lease without a holder. */
    public static Builder builder(ObjectKey key) {
        return new Builder(key);
    }

    /** Returns a builder initialized with this lease's fields. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Returns whether the record names a holder. */
    public boolean held() {
        return holder != null;
    }

    /** Returns whether nobody may acquire the lease before a coordinator opens it, by a record that cites this one. */
    public boolean closed() {
        return (owner != null || retiredBy != null) && !confirmed();
    }

    /** Returns whether the lease is closed because another family of leases owns its key, so that no process is to lead it. */
    public boolean retired() {
        return closed() && !LeaseGroup.owner(key).equals(owner);
    }

    /** Returns whether the record names the given holder. */
    public boolean heldBy(String identity) {
        return identity.equals(holder);
    }

    /** Returns whether the holder has written a term annotation of its own, to begin a term or to preempt another holder's. */
    public boolean confirmed() {
        return term != null && term.term() != null && term.describes(holder, acquireTime);
    }

    /** Returns whether the holder has preempted the previous holder and waits for the end of that term. It doesn't lead yet. */
    public boolean preempting() {
        return term != null && term.preempts() && term.describes(holder, acquireTime);
    }

    /**
     * Returns whether the lease is granted, by a writer that keeps the rules, and no term has begun. It may then be granted to another
     * candidate by compare and swap without ending a term ({@code safety.md#write-starts-term}). It is no longer granted once the holder
     * renews it, even if the renewal doesn't change the term annotation.
     */
    public boolean granted() {
        return term != null
                && term.term() == null
                && term.describes(holder, acquireTime)
                && Objects.equals(acquireTime, renewTime);
    }

    /**
     * Returns whether the holder is a plain elector, which keeps none of the rules: client-go's, kube-apiserver's candidate, or an
     * administrator's edit.
     */
    boolean plain() {
        return held() && !confirmed() && !granted();
    }

    // ---- what it claims, and what it ends (safety.md#succession) -------------------------------------------------

    /**
     * Returns how long another process may lead after it has written this record.
     *
     * @param own the observer's own lease duration, the least that a plain holder claims
     */
    Duration claims(Duration own) {
        if (confirmed()) {
            return termDuration();
        }
        if (closed()) {
            return CLOSED;
        }
        return !plain() ? Duration.ZERO : leaseDuration.compareTo(own) > 0 ? leaseDuration : own;
    }

    /**
     * Returns how long a grant or a preemption reserves the lease for its holder: its duration, but at most the observer's own lease
     * duration after the end of the preempted term. Without this limit a wrong record would block all other candidates for any time it
     * names.
     */
    Duration keepsAway(Duration own) {
        if (!granted() && !preempting()) {
            return Duration.ZERO;
        }
        Duration longest = termDuration().plus(own);
        return leaseDuration.compareTo(longest) < 0 ? leaseDuration : longest;
    }

    /** Returns how long the term of this record, or the term that it preempts, may run after this write; zero if the record belongs to no term. */
    Duration termDuration() {
        return confirmed()
                ? Objects.requireNonNull(term, "confirmed by its annotation").duration()
                : Duration.ZERO;
    }

    /** Returns the annotation of an earlier term, if another writer has since changed the holder or the acquire time; otherwise {@code null}. */
    @Nullable
    TermAnnotation leftOverTerm() {
        return term != null && term.term() != null && !confirmed() ? term : null;
    }

    boolean hasTermAnnotationOf(Lease other) {
        return Objects.equals(term, other.term);
    }

    /** Returns what a record cites as ended if it replaces this one after its term has ended. */
    public TermAnnotation.Ended endedWhenReplaced() {
        String last = term == null
                ? null
                : term.term() != null ? term.term() : term.ended().term();
        return new TermAnnotation.Ended(TermAnnotation.Ended.ALL.equals(last) ? null : last, resourceVersion);
    }

    /**
     * Returns whether this record ends the claim of an earlier one: it cites the earlier record's version or term, or a plain holder has
     * released the lease as client-go does. A record of the earlier one's own term doesn't end that term, whatever an edit makes it cite.
     *
     * @param contiguous whether no record between the two can have been missed
     */
    public boolean ends(Lease former, boolean contiguous) {
        if (term != null && !term.sameTerm(former.term) && !deletedSince(former)) {
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
     * Returns whether this is the result of the administrator's line for exactly the former record, which ends all earlier claims. Neither
     * the record nor its annotation may name a holder: an edited term annotation isn't the administrator's line.
     */
    public boolean endsAllAfter(@Nullable Lease former) {
        return !held()
                && term != null
                && term.holder() == null
                && former != null
                && TermAnnotation.Ended.ALL.equals(term.ended().term())
                && term.ended().after() != null
                && term.ended().after().equals(former.resourceVersion);
    }

    /**
     * Returns leaseTransitions for the next holder. It stays at the maximum that the API server accepts: the next number would be negative,
     * and the API server would refuse every election ({@code protocol.md#objects}).
     */
    public int nextTransitions() {
        return transitions == Integer.MAX_VALUE ? transitions : transitions + 1;
    }

    /** Returns whether an earlier object of the same name was deleted in between: the uids differ. */
    boolean deletedSince(Lease earlier) {
        return uid != null && earlier.uid != null && !earlier.uid.equals(uid);
    }

    /**
     * Returns whether it has the same renewal as the record right before it. If not, the lease was renewed, granted or released in between,
     * regardless of the writers' clocks (client-go's rule for observing a record). After a gap the result proves nothing: a plain holder
     * may write the same times twice in a format with whole seconds, and an earlier copy may have been restored over renewals.
     */
    boolean sameRenewal(Lease before) {
        return Objects.equals(holder, before.holder)
                && Objects.equals(renewTime, before.renewTime)
                && Objects.equals(acquireTime, before.acquireTime)
                && Objects.equals(term, before.term)
                && transitions == before.transitions;
    }

    /** Returns whether both records belong to the same term: the same annotated term, or the same acquisition by a plain holder. */
    boolean sameTerm(Lease other) {
        return held()
                && confirmed() == other.confirmed()
                && granted() == other.granted()
                && termIdentity().equals(other.termIdentity())
                && (confirmed() || hasTermAnnotationOf(other));
    }

    /** Returns the identity of the record's term or grant, which all of its writes share and no other write has. */
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
        private @Nullable String group;
        private @Nullable String owner;
        private @Nullable String retiredBy;
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
            group = lease.group;
            owner = lease.owner;
            retiredBy = lease.retiredBy;
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

        /** See {@link Lease#holder()}; an empty identity means no holder. */
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

        /** Asks the holder to yield, to {@code preferred} unless it is {@code null}. */
        public Builder endOfTerm(@Nullable String preferred, @Nullable String key) {
            endOfTerm = true;
            preferredHolder = preferred;
            preferredKey = key;
            return this;
        }

        /** Clears the fields that {@link #endOfTerm} sets. */
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

        /** See {@link Lease#group()}. */
        public Builder group(@Nullable String value) {
            group = value;
            return this;
        }

        /** See {@link Lease#owner()}; a lease with a holder has none. */
        public Builder owner(@Nullable String value) {
            owner = value;
            return this;
        }

        /** See {@link Lease#retiredBy()}. */
        public Builder retiredBy(@Nullable String value) {
            retiredBy = value;
            return this;
        }

        /** See {@link Lease#application()}. */
        public Builder application(@Nullable String value) {
            application = value;
            return this;
        }

        /** Returns the lease. */
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
                    group,
                    holder == null ? owner : null,
                    retiredBy,
                    application);
        }
    }
}

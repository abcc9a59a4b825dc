package io.cle.lock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

import io.cle.RevokeReason;
import io.cle.lock.internal.LockState.BegunTerm;
import io.cle.lock.internal.LockState.Participation.Away;
import io.cle.lock.internal.LockState.Participation.Candidate;
import io.cle.lock.internal.LockState.Participation.Withdrawn;
import io.cle.lock.internal.LockState.Phase.Acquiring;
import io.cle.lock.internal.LockState.Phase.Draining;
import io.cle.lock.internal.LockState.Phase.HandingOver;
import io.cle.lock.internal.LockState.Phase.Leading;
import io.cle.lock.internal.LockState.Phase.Standby;
import io.cle.lock.internal.LockState.Purpose;
import io.cle.lock.internal.LockState.Request;
import io.cle.lock.internal.LockState.Watch;
import io.cle.model.LeaseGroup;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.model.internal.ResourceVersions;
import io.cle.model.internal.TermAnnotation;
import io.cle.strategy.BuiltInStrategy;
import org.jspecify.annotations.Nullable;

import static io.cle.lock.internal.LockState.NEVER;

/**
 * The lock of one process on one lease as a state machine. Pure: {@link #step} is a function of its arguments.
 *
 * <p>A process is on standby until it may acquire the lease: because a coordinator has granted it, or because the lease is free and the
 * process races for it. The success of the acquiring write begins a term ({@code safety.md#write-starts-term}). The term is renewed
 * until it is lost or ends; then its work is drained and the lease handed over ({@code safety.md#drain-before-release}), and the process
 * is on standby again ({@code safety.md#candidate-again}).
 *
 * <p>A step has two halves: it handles the event, and then does what is due in the phase reached. Requests are sent one at a time.
 * {@code docs/safety.md} explains why two machines never lead at once.
 *
 * <p>Rules: {@code safety.md#fencing-token}, {@code protocol.md#requests-and-limits}.
 */
public final class LockMachine {

    /** An event that a lock handles. */
    public sealed interface Event {

        /**
         * The application starts the lock. The process becomes a candidate once the lease is watched, if it is fit.
         *
         * @param nonce distinguishes the process from others of the same identity, and from copies of itself; new for every start
         */
        record Start(String nonce) implements Event {}

        /** The application stops the lock. The process withdraws its candidacy, and ends its term if it leads. */
        record Stop() implements Event {}

        /**
         * The application has declared whether this process may lead ({@link Fitness}).
         *
         * @param problem why it may not, as the end of a sentence; {@code null} if it may
         */
        record FitnessChanged(@Nullable String problem) implements Event {}

        /** The answer to {@link Action.FindOthers}. */
        record OthersFound(ApiResult<List<io.cle.model.Candidate>> result) implements Event {}

        /**
         * Whether a coordinator can elect this process has changed ({@code safety.md#fallback-race}).
         *
         * @param problem why none can, for people; {@code null} if one can
         */
        record CoordinationChanged(@Nullable String problem) implements Event {}

        /**
         * The application resigns: the process ends its term if it leads, and is a candidate again after a lease duration.
         *
         * @param successor the candidate to hand the lease over to; {@code null} for the preferred holder, or without one to release the lease
         */
        record Resign(@Nullable String successor) implements Event {}

        /** The watch of the lease was opened and hasn't delivered anything yet. */
        record WatchOpened() implements Event {}

        /** The watch was closed, because the lock was stopped or the API was replaced. */
        record WatchClosed() implements Event {}

        /** The API server no longer serves the API in use: the process ends its term if it leads, and starts over with another API. */
        record ApiReplaced() implements Event {}

        /** The watch has delivered a malformed lease. It may be held, so it is neither free nor this process's own. */
        record LeaseUnreadable() implements Event {}

        /**
         * The watch has delivered the lease.
         *
         * @param contiguous whether every write since the watch's last event was delivered
         */
        record LeaseSeen(Lease lease, boolean contiguous) implements Event {}

        /**
         * The watch has delivered that the lease doesn't exist.
         *
         * @param resourceVersion the version of the deletion; {@code null} if a list didn't contain it
         */
        record LeaseMissing(@Nullable String resourceVersion) implements Event {}

        /** The answer to {@link Action.ReadLease}. */
        record ReadDone(ApiResult<Optional<Lease>> result) implements Event {}

        /** The answer to {@link Action.WriteLease}. */
        record WriteDone(ApiResult<Lease> result) implements Event {}

        /** All work of the term with this fencing token has ended, after {@link Action.Revoke}. */
        record Drained(long fencingToken) implements Event {}

        /** The candidate was pinged: an election is in progress. Its result must be observed even if the watch lags. */
        record ElectionStarted() implements Event {}

        /** The instant of {@link LockState#wakeAt()} is reached. */
        record Tick() implements Event {}
    }

    /** An action to carry out. Actions are carried out in order, after the new state was applied. */
    public sealed interface Action {

        /** Read the lease from the API server; answer by {@link Event.ReadDone}. */
        record ReadLease() implements Action {}

        /**
         * Create the lease if it was never stored, else compare and swap it; answer by {@link Event.WriteDone}.
         *
         * @param unlessShards whether to refuse the write if there are candidates for shards of the lease
         */
        record WriteLease(Lease desired, boolean unlessShards) implements Action {
            /** Whether it has to be created. */
            public boolean create() {
                return desired.resourceVersion() == null;
            }
        }

        /** Notify listeners that a term has begun. */
        record Grant(BegunTerm term) implements Action {}

        /** Notify listeners that a term has ended; answer by {@link Event.Drained} when all of its work has ended. */
        record Revoke(BegunTerm term, RevokeReason reason) implements Action {}

        /** Notify listeners of the new holder; {@code null} for none. */
        record LeaderChanged(@Nullable String holder) implements Action {}

        /** Prepare the candidacy: the process has become a candidate. */
        record Join() implements Action {}

        /** List the other candidates; answer by {@link Event.OthersFound}. */
        record FindOthers() implements Action {}

        /** Withdraw the candidacy until {@link Announce}. */
        record Withdraw() implements Action {}

        /** Announce the candidacy. */
        record Announce() implements Action {}

        /** Log a warning: the record isn't renewed, and blocks the lease for long. */
        record ReportClaim(LeaseObservation observation) implements Action {}

        /** Log a warning. */
        record Report(String message) implements Action {}

        /** Log information that requires no action. */
        record Inform(String message) implements Action {}

        /** Log that a request has failed and will be retried. */
        record RequestFailed(String message) implements Action {}
    }

    /**
     * The result of a step.
     *
     * @param state the new state; applied before the first action is carried out
     * @param actions the actions to carry out, in this order
     */
    public record Outcome(LockState state, List<Action> actions) {}

    /** How long the watch may take to deliver the result of an election or of a creation before the lease is read. */
    private static final Duration SHOWS_WITHIN = Duration.ofSeconds(2);

    /**
     * The spread of the first attempts of many candidates. The jitter is a function of the candidate, so that it needs no random source. It is
     * smaller for a released record, which all candidates see at the same instant, than for an expired one.
     */
    private static final Duration JITTER_RELEASED = Duration.ofMillis(20);

    private static final Duration JITTER_EXPIRED = Duration.ofMillis(150);

    /** The lease duration that kube-apiserver writes with a grant: the time that the elected candidate has for its first renewal. */
    private static final Duration GRANTED_BY_KUBE_APISERVER = Duration.ofSeconds(5);

    private final LockConfig config;
    private final LockState s;
    private final Moment now;
    private final long random;
    private final List<Action> actions = new ArrayList<>();

    private LockMachine(LockConfig config, LockState state, Moment now, long random) {
        this.config = config;
        this.s = state;
        this.now = now;
        this.random = random;
    }

    /**
     * Returns the state after an event, and the actions to carry out.
     *
     * @param now the moment of the event; never earlier than that of the step before
     * @param random random per step; distinguishes this process's writes from those of a copy of the process
     * @throws IllegalStateException if the event is impossible in this state, or would lead to an impossible state
     */
    public static Outcome step(LockConfig config, LockState state, Event event, Moment now, long random) {
        return new LockMachine(config, state.copy(), now, random).step(event);
    }

    private Outcome step(Event event) {
        s.forget(now.nanos() - config.timings().renewDeadline().toNanos());
        // Before anything else: whatever the event is, a term whose deadline has passed is over.
        endTermAtDeadline();
        endTermIfSuspended();
        handle(event);
        s.wakeAt = NEVER;
        followFitness();
        advance();
        if (s.announceDue && s.watch == Watch.DELIVERS) {
            s.announceDue = false;
            actions.add(new Action.Announce());
        }
        reportStandingClaim();
        reportVacancy();
        reportHolder();
        s.checkInvariants();
        return new Outcome(s, List.copyOf(actions));
    }

    private void handle(Event event) {
        if (event instanceof Event.LeaseSeen seen) {
            watched(seen.lease(), readable() && seen.contiguous());
        } else if (event instanceof Event.LeaseMissing missing) {
            watchedMissing(missing.resourceVersion(), readable() && missing.resourceVersion() != null);
        } else if (event instanceof Event.LeaseUnreadable) {
            delivered();
            s.unreadable = true;
        } else if (event instanceof Event.WatchOpened) {
            watchOpened();
        } else if (event instanceof Event.WatchClosed) {
            s.watch = Watch.CLOSED;
        } else if (event instanceof Event.ApiReplaced) {
            s.watch = Watch.REPLACED;
            leaveElection();
        } else if (event instanceof Event.WriteDone done) {
            writeDone(done.result());
        } else if (event instanceof Event.ReadDone done) {
            readDone(done.result());
        } else if (event instanceof Event.Drained drained) {
            drained(drained.fencingToken());
        } else if (event instanceof Event.Start start) {
            start(start.nonce());
        } else if (event instanceof Event.Stop) {
            s.started = false;
            leaveElection();
        } else if (event instanceof Event.FitnessChanged changed) {
            s.fitness = s.fitness.changed(changed.problem(), now.nanos());
        } else if (event instanceof Event.OthersFound found) {
            othersFound(found.result());
        } else if (event instanceof Event.CoordinationChanged changed) {
            s.uncoordinated = changed.problem();
        } else if (event instanceof Event.Resign resign) {
            resign(resign.successor());
        } else if (event instanceof Event.ElectionStarted) {
            s.readAt = s.readAt == NEVER ? now.plus(SHOWS_WITHIN) : s.readAt;
        } else if (!(event instanceof Event.Tick)) {
            throw new IllegalArgumentException("unknown event " + event);
        }
    }

    // ==== handling the event ======================================================================================

    /**
     * Ends the term if its deadline has passed. Resets the back-off: a leader that couldn't renew has failed often in a short time, and
     * shouldn't wait a lease duration for that.
     */
    private void endTermAtDeadline() {
        if (s.phase() instanceof Leading leading && now.reached(leading.validUntil())) {
            loseTerm(leading.term(), RevokeReason.RENEW_DEADLINE);
            s.retries = s.retries.anew();
        }
    }

    /**
     * Ends the term if the machine may have been suspended: its monotonic clock may have stopped, while the wall clock continued
     * ({@code safety.md#suspended-machine}). One jump ends one term: the next term counts from its own acquiring write.
     */
    private void endTermIfSuspended() {
        if (!(s.phase() instanceof Leading leading)) {
            return;
        }
        if (LockState.suspended(leading, now)) {
            Duration ahead =
                    Duration.ofNanos(now.wallAhead() - leading.wallAheadUntil()).plus(suspensionMargin());
            report("the wall clock has moved ahead of the monotonic one by " + ahead.toMillis()
                    + " ms since the last renewal, more than lease duration minus renew deadline ("
                    + suspensionMargin().toMillis() + " ms): the machine may have been suspended; the term is over");
            loseTerm(leading.term(), RevokeReason.SUSPENDED);
            s.retries = s.retries.anew();
        } else {
            s.wallAheadAtMost(wallAheadUntil(now.wallAhead()));
        }
    }

    /** Returns how far the wall clock may get ahead of the monotonic one, given how far it was ahead when a write was sent. */
    private long wallAheadUntil(long wallAhead) {
        return wallAhead + suspensionMargin().toNanos();
    }

    /** Returns how long the monotonic clock may be stopped between two renewals: other processes wait that much longer than a term is valid. */
    private Duration suspensionMargin() {
        return config.timings().leaseDuration().minus(config.timings().renewDeadline());
    }

    // ---- the watch -----------------------------------------------------------------------------------------------

    private void watchOpened() {
        s.watch = Watch.OPENED;
        if (isShard()) {
            // The shard may have been closed while this process didn't watch it.
            s.closedUntil = NEVER;
        }
    }

    private void delivered() {
        if (s.watch == Watch.OPENED) {
            s.watch = Watch.DELIVERS;
        }
    }

    /** Records that the watch has delivered the lease, and returns whether the previous event was readable, too. */
    private boolean readable() {
        boolean before = !s.unreadable;
        delivered();
        s.unreadable = false;
        return before;
    }

    private void watched(Lease lease, boolean contiguous) {
        s.readAt = NEVER;
        Lease known = s.lease();
        if (known != null && ResourceVersions.older(lease.resourceVersion(), known.resourceVersion())) {
            // An answer overtook the watch, or etcd was restored: if a list is older, a read decides.
            s.readNeeded |= !contiguous;
            boolean own = lease.term() != null && lease.term().writtenBy(s.nonce);
            s.observation =
                    Objects.requireNonNull(s.observation, "of the known record").late(lease, now, observer(own));
            return;
        }
        if (known == null && contiguous && (s.unconfirmed == null || writtenByThis(lease))) {
            // The watch has delivered the created lease: no read is necessary.
            s.readNeeded = false;
        }
        observe(lease, contiguous);
    }

    /**
     * Confirms a write whose answer is missing or was lost, if the record contains it ({@code safety.md#unknown-outcome}). A late
     * answer is then handled like a renewal's.
     */
    private void confirmBy(Lease lease) {
        Request.Write write = s.unconfirmed;
        if (write == null || !shows(write.desired(), lease)) {
            return;
        }
        boolean unanswered = s.inFlight == write;
        confirmed(write, lease);
        if (unanswered) {
            if (s.phase() instanceof Acquiring) {
                s.becomeStandby();
            }
            s.inFlight = new Request.Write(Purpose.RENEW, write.desired(), write.sentAt(), write.wallAhead());
        }
    }

    /**
     * Whether a record contains a write of this process with its full duration. If an edit has shortened the duration, it
     * doesn't: other processes wait for less time.
     */
    private static boolean shows(Lease desired, Lease stored) {
        return desired.term() != null
                && stored.term() != null
                && stored.term().covers(desired.term())
                && Objects.equals(desired.renewTime(), stored.renewTime())
                && stored.leaseDuration().compareTo(desired.leaseDuration()) >= 0;
    }

    private static @Nullable String versionOf(@Nullable Lease lease) {
        return lease == null ? null : lease.resourceVersion();
    }

    private void watchedMissing(@Nullable String version, boolean contiguous) {
        Lease known = s.lease();
        if (known != null && ResourceVersions.older(version, known.resourceVersion())) {
            return;
        }
        if (version != null) {
            s.deletionVersion = version;
        }
        observe(null, contiguous);
    }

    private void observe(@Nullable Lease lease, boolean contiguous) {
        LeaseObservation before = s.observation;
        Lease former = before == null ? null : before.lease();
        noteToken(former, lease);
        noteClosed(former, lease, contiguous);
        Lease own = lease != null && isOwn(lease, contiguous) ? lease : null;
        if (own != null && former != null && s.recordIsOwn() && editedSince(former, own)) {
            // Renew early, which overwrites the edit. If the record is edited again, the term ends.
            own = s.edited ? null : own;
            s.edited = true;
            s.renewNoLaterThan(now.nanos());
        }
        if (before == null || !Objects.equals(versionOf(former), versionOf(lease))) {
            s.retries = s.retries.recordChanged();
        }
        if (grantsAnew(former, lease)) {
            // The back-off belongs to earlier records. While it lasts, the coordinator would elect another candidate.
            s.retries = s.retries.granted();
        }
        noteTwin(former, lease);
        LeaseObservation.Observer observer = observer(claimsNothing(lease, own != null));
        s.observation = before == null
                ? LeaseObservation.first(lease, now, observer)
                : before.seen(lease, now, contiguous, observer);
        if (before != null
                && !before.free(now)
                && s.observation.freeAt() < now.nanos()
                && s.participation instanceof Candidate) {
            // Another writer has freed the lease, for example by a shorter duration. A coordinator couldn't elect
            // before.
            s.participation = new Candidate(now.nanos());
        }
        s.ownVersion = versionOf(own);
        if (own != null) {
            s.seenWrite(own);
            confirmBy(own);
        }
        s.preemption = s.preemption.observed(lease, now);
        if (!Objects.equals(holder(), s.reportedHolder) && !config.identity().equals(holder())) {
            s.preemption = s.preemption.settled();
        }
        if (s.holds() && own == null) {
            loseLease(lease);
        }
    }

    /**
     * Records whether the lease is closed. If a closed lease is deleted, a coordinator has two lease durations to create it closed again. A shard
     * that may have been closed during a gap is treated as closed.
     */
    private void noteClosed(@Nullable Lease former, @Nullable Lease lease, boolean contiguous) {
        if (lease == null) {
            s.closedUntil = s.closedUntil == NEVER
                    ? now.plus(config.timings().leaseDuration().multipliedBy(2))
                    : s.closedUntil;
        } else if (lease.closed()) {
            s.closedUntil = NEVER;
        } else if (former != null && (lease.ends(former, contiguous) || lease.endsAllAfter(former))) {
            s.closedUntil = LockState.LONG_AGO;
        } else if (!contiguous && isShard() && !Objects.equals(versionOf(former), lease.resourceVersion())) {
            s.closedUntil = NEVER;
        }
    }

    private boolean isShard() {
        return config.group() != null && config.group().isSharded();
    }

    /**
     * Whether a record is this process's own ({@code safety.md#own-record}): this process wrote it, and nothing was missed since. During a gap
     * another process may have led, and a copy of the record may have been restored.
     */
    private boolean isOwn(Lease lease, boolean contiguous) {
        if (!writtenByThis(lease)) {
            return false;
        }
        String write = Objects.requireNonNull(lease.term(), "of its own term").write();
        return contiguous || s.isOfOwnVersion(lease) || s.sentRecently(Objects.requireNonNull(write, "of a term"));
    }

    /** Whether another writer has edited the parts of this process's record that belong to its term, without ending the term. */
    private static boolean editedSince(Lease written, Lease lease) {
        TermAnnotation before = Objects.requireNonNull(written.term(), "of an own record");
        TermAnnotation after = Objects.requireNonNull(lease.term(), "of an own record");
        return Objects.equals(before.write(), after.write())
                && !(before.equals(after)
                        && written.leaseDuration().equals(lease.leaseDuration())
                        && Objects.equals(written.renewTime(), lease.renewTime())
                        && written.transitions() == lease.transitions()
                        && Objects.equals(written.holderPod(), lease.holderPod()));
    }

    private void loseLease(@Nullable Lease lease) {
        if (s.phase() instanceof Leading leading) {
            report(loss(lease));
            loseTerm(leading.term(), RevokeReason.LEASE_LOST);
        } else if (s.phase() instanceof Draining draining) {
            s.becomeLost(draining.work().giveUpAt());
        } else {
            s.becomeStandby();
        }
    }

    private String loss(@Nullable Lease lease) {
        if (lease == null) {
            return "leadership lost: the lease was deleted";
        }
        if (!lease.held()) {
            return "leadership lost: another writer has removed the holder from the lease";
        }
        return lease.heldBy(config.identity())
                ? "leadership lost: another writer edits the record of its term, or another process has the same identity"
                : "leadership lost: the holder is '" + lease.holder() + "'";
    }

    private @Nullable String holder() {
        Lease lease = s.lease();
        return lease == null ? null : lease.holder();
    }

    private LeaseObservation.Observer observer(boolean own) {
        return new LeaseObservation.Observer(config.timings().leaseDuration(), own);
    }

    /**
     * Whether this process needn't wait for a record to expire, because the record is its own or grants the lease to it. It does wait for its own
     * preemption, because the preempted holder may still lead.
     */
    private boolean claimsNothing(@Nullable Lease lease, boolean own) {
        return (own && lease != null && !lease.preempting()) || grantsToThis(lease);
    }

    /**
     * Whether the record grants the lease to this process: by its annotation, or because another writer has just named this process without
     * one, as kube-apiserver does. If the first observed record is a plain one with a longer duration than kube-apiserver's, another
     * process of this name may hold the lease.
     */
    private boolean grantsToThis(@Nullable Lease lease) {
        if (lease == null || !lease.heldBy(config.identity()) || lease.confirmed()) {
            return false;
        }
        boolean awaited = config.coordinated() || s.preemption.asking();
        return lease.granted() || (awaited && hasJustBeenNamed(lease));
    }

    private boolean grantsAnew(@Nullable Lease before, @Nullable Lease lease) {
        return lease != null
                && grantsToThis(lease)
                && (before == null || !lease.termIdentity().equals(before.termIdentity()));
    }

    private boolean hasJustBeenNamed(Lease lease) {
        LeaseObservation before = s.observation;
        if (before == null) {
            return lease.leaseDuration().compareTo(GRANTED_BY_KUBE_APISERVER) <= 0;
        }
        boolean claimedNothing = before.claim() - before.seenAt() <= 0;
        return before.lease() == null
                || !before.lease().heldBy(config.identity())
                || (claimedNothing && Objects.equals(before.lease().renewTime(), lease.renewTime()));
    }

    /** Whether this process wrote the record, at any time, for a term or for a preemption. */
    private boolean writtenByThis(Lease lease) {
        return lease.heldBy(config.identity())
                && lease.confirmed()
                && Objects.requireNonNull(lease.term(), "confirmed by its annotation")
                        .writtenBy(s.nonce)
                && !ofCopy(lease.term());
    }

    /** Whether a clone of this process wrote a record with this process's nonce ({@code safety.md#own-record}). */
    private boolean ofCopy(TermAnnotation term) {
        String write = term.write();
        return write != null && !s.hasWritten(write);
    }

    /** Records the largest fencing token. The version at which a term is first observed is its token, or larger if writes were missed. */
    private void noteToken(@Nullable Lease before, @Nullable Lease lease) {
        if (lease != null
                && lease.confirmed()
                && ResourceVersions.isToken(lease.resourceVersion())
                && (before == null || !lease.termIdentity().equals(before.termIdentity()))) {
            s.largestToken = Math.max(s.largestToken, ResourceVersions.toNumber(lease.resourceVersion()));
        }
    }

    /** Reports, once, that another process has this process's identity and renews the record. */
    private void noteTwin(@Nullable Lease before, @Nullable Lease lease) {
        if (s.twinReported
                || before == null
                || lease == null
                || !isTermInThisName(before)
                || !isTermInThisName(lease)) {
            return;
        }
        String write = Objects.requireNonNull(lease.term(), "of a term").write();
        boolean ours = writtenByThis(lease)
                && !Objects.equals(
                        Objects.requireNonNull(before.term(), "of a term").write(), write);
        if (!ours
                && before.renewTime() != null
                && lease.renewTime() != null
                && lease.renewTime().isAfter(before.renewTime())) {
            s.twinReported = true;
            report("another live process has the identity '" + config.identity()
                    + "' and renews the lease; give each process an identity of its own");
        }
    }

    private boolean isTermInThisName(Lease lease) {
        return lease.heldBy(config.identity()) && lease.confirmed();
    }

    // ---- answers -------------------------------------------------------------------------------------------------

    private void writeDone(ApiResult<Lease> result) {
        if (s.inFlight instanceof Request.Outdated) {
            answerIsOutdated();
            return;
        }
        if (!(s.inFlight instanceof Request.Write write)) {
            throw new IllegalStateException("the answer to a write that is not in flight: " + result + " in " + s);
        }
        s.inFlight = null;
        if (result instanceof ApiResult.Ok<Lease> ok) {
            succeeded(write, ok.value());
        } else if (result instanceof ApiResult.Changed<Lease> changed) {
            stored(write, changed);
        } else if (result instanceof ApiResult.Conflict<Lease>) {
            Lease known = s.lease();
            boolean newerIsKnown = known != null
                    && write.desired().resourceVersion() != null
                    && ResourceVersions.older(write.desired().resourceVersion(), known.resourceVersion());
            s.readNeeded = !newerIsKnown;
            s.unconfirmed = null;
            s.retries = s.retries.conflict();
            if (s.retries.tooManyConflicts()) {
                writeFailed(result);
            }
            if (write.desired().resourceVersion() == null && known == null) {
                s.observation = Objects.requireNonNull(s.observation, "that there is none")
                        .existed();
                awaitCreation();
            }
        } else if (result instanceof ApiResult.Gone<Lease>) {
            s.unconfirmed = null;
            observe(null, false);
            writeFailed(result);
        } else if (result instanceof ApiResult.OutcomeUnknown<Lease>) {
            // The write is treated as failed, and the lease is read before the next write (safety.md#unknown-outcome).
            s.readNeeded = true;
            writeFailed(result);
        } else {
            s.unconfirmed = null;
            writeFailed(result);
        }
        if (s.phase() instanceof Acquiring) {
            s.becomeStandby();
        }
    }

    /** Ignores the answer to a request from before a stop. The request may have been executed, so the lease is read before the next write. */
    private void answerIsOutdated() {
        s.inFlight = null;
        s.readNeeded |= s.running() || !s.settled();
    }

    private void succeeded(Request.Write write, Lease stored) {
        s.retries = s.retries.written(now);
        if (mayHideATerm(write)) {
            awaitCreation();
            return;
        }
        if (!overtaken(stored)) {
            observe(stored, true);
        }
        s.unconfirmed = null;
        if (write.purpose() == Purpose.REQUEST) {
            s.preemption = s.preemption.asked(now.nanos());
        }
    }

    /**
     * Whether a write has created a lease of which this process had observed a record. A creation isn't a compare and swap: since the deletion that
     * this process knows, another process may have created the lease, led and deleted it ({@code safety.md#succession}). The watch then delivers
     * that.
     */
    private boolean mayHideATerm(Request.Write write) {
        return write.equals(s.unconfirmed)
                && write.desired().resourceVersion() == null
                && s.observation != null
                && s.observation.terms().recordSeen();
    }

    /** Waits until the watch delivers the created lease, and reads the lease if it doesn't. */
    private void awaitCreation() {
        s.readNeeded = true;
        s.retries = s.retries.notBefore(now.plus(SHOWS_WITHIN));
    }

    /**
     * Handles a write that was stored differently than it was sent. If readers of the stored record still wait for the whole term, the write has
     * succeeded; otherwise it has failed, although the record has changed ({@code safety.md#write-that-stays}).
     */
    private void stored(Request.Write write, ApiResult.Changed<Lease> changed) {
        if (writtenByThis(changed.value()) && shows(write.desired(), changed.value())) {
            succeeded(write, changed.value());
            actions.add(new Action.RequestFailed(changed.describe()));
            return;
        }
        s.retries = s.retries.stored();
        if (!overtaken(changed.value())) {
            observe(changed.value(), true);
        }
        s.unconfirmed = null;
        writeFailed(changed);
    }

    /** Handles a write of this process that has succeeded while the record is still its own. */
    private void confirmed(Request.Write write, Lease stored) {
        s.retries = s.retries.anew();
        s.expiresAt = expiresAt(write);
        if (write.purpose() == Purpose.RENEW) {
            s.renewed(validUntil(write), renewAt(write), wallAheadUntil(write.wallAhead()));
        } else if (write.purpose() == Purpose.ACQUIRE) {
            acquired(write, stored);
        }
        s.unconfirmed = null;
    }

    /** Whether the watch delivered something newer before the answer arrived. */
    private boolean overtaken(Lease stored) {
        return ResourceVersions.older(stored.resourceVersion(), newestKnown());
    }

    /** Returns the newest version of the lease that this process knows, of a record or of a deletion; {@code null} if there is none. */
    private @Nullable String newestKnown() {
        return s.lease() == null ? s.deletionVersion : versionOf(s.lease());
    }

    /** Returns the end of validity, counted from the sending of the write, never from its answer ({@code safety.md#deadline-from-send}). */
    private long validUntil(Request.Write write) {
        return write.sentAt() + config.timings().renewDeadline().toNanos();
    }

    /** Returns until when other processes wait at least: they can't have observed the record before it was sent. */
    private long expiresAt(Request.Write write) {
        return write.sentAt() + config.timings().leaseDuration().toNanos();
    }

    /** Returns the write's time plus the renew interval; for a shard somewhat less, so that a process spreads the renewals of its shards. */
    private long renewAt(Request.Write write) {
        long interval = config.timings().renewInterval().toNanos();
        long latest = write.sentAt() + interval;
        LeaseGroup group = config.group();
        OptionalInt shard = group == null ? OptionalInt.empty() : group.indexOf(config.lease());
        return group == null || shard.isEmpty()
                ? latest
                : latest - Math.floorMod(latest - interval / group.shards() * shard.getAsInt(), interval);
    }

    /** Begins a term after an acquiring write, unless the write took too long or another term may still run. */
    private void acquired(Request.Write write, Lease stored) {
        if (now.reached(validUntil(write))) {
            report("the acquiring write took " + now.since(write.sentAt())
                    + ", longer than the renew deadline; acquiring again");
        } else if (now.wallAhead() - wallAheadUntil(write.wallAhead()) > 0) {
            report("the machine may have been suspended while the acquiring write was under way; acquiring again");
        } else if (!now.reached(
                Objects.requireNonNull(s.observation, "of the own record").earlierClaim())) {
            report("the acquiring write was carried out late, after another process had begun a term that may still"
                    + " run; waiting for its end");
        } else if (s.participation instanceof Candidate) {
            beginTerm(write, stored);
        }
        // If the lock was stopped meanwhile, the lease is released without a term.
    }

    private void beginTerm(Request.Write write, Lease stored) {
        BegunTerm term = new BegunTerm(
                config.lease(),
                config.identity(),
                ResourceVersions.toNumber(stored.resourceVersion()),
                Objects.requireNonNull(stored.acquireTime(), "an acquisition has an acquire time"));
        if (term.fencingToken() < s.largestToken) {
            report("the fencing token " + term.fencingToken() + " is smaller than " + s.largestToken
                    + ", which this process has seen for this lease (etcd restored from a backup?): receivers that"
                    + " remember a larger token refuse this leader's requests until they are reset");
        }
        s.largestToken = Math.max(s.largestToken, term.fencingToken());
        s.edited = false;
        s.becomeLeader(term, now.nanos(), validUntil(write), renewAt(write), wallAheadUntil(write.wallAhead()));
        s.preemption = s.preemption.settled();
        actions.add(new Action.Grant(term));
        if (s.raced && mayBeCoordinated() && !nobodyCoordinates(stored) && !asksForNoCoordination()) {
            report("no coordinator elected a leader within "
                    + config.fallback().delay().toSeconds()
                    + " s (cle.fallback.delay); acquired the lease without one. " + LockConfig.CHECK_COORDINATOR
                    + "; to race for good, set cle.resource-lock=leases");
        }
    }

    /** Whether a coordinator can elect this process. */
    private boolean mayBeCoordinated() {
        return config.coordinated() && s.uncoordinated == null;
    }

    private void readDone(ApiResult<Optional<Lease>> result) {
        if (s.inFlight instanceof Request.Outdated) {
            answerIsOutdated();
            return;
        }
        if (!(s.inFlight instanceof Request.Read read)) {
            throw new IllegalStateException("the answer to a read that is not in flight: " + result + " in " + s);
        }
        s.inFlight = null;
        if (result instanceof ApiResult.Ok<Optional<Lease>> ok
                && ok.value().isPresent()
                && overtaken(ok.value().get())
                && (s.lease() != null || isOfTheDeletedLease(read, ok.value().get()))) {
            readIsOlder(read, ok.value().get());
        } else if (result instanceof ApiResult.Ok<Optional<Lease>> ok) {
            s.readNeeded = false;
            s.retries = s.retries.read(now);
            observe(ok.value().orElse(null), false);
        } else {
            s.retries = s.retries.readFailed(result, config.timings(), now);
            failed(result);
        }
    }

    /**
     * Whether a late answer contains the lease that was deleted meanwhile. If it were accepted, this process would wait for the deleted record to
     * expire. A record that is older than the known one is accepted, because etcd may have been restored.
     */
    private static boolean isOfTheDeletedLease(Request.Read sent, Lease read) {
        return sent.known() != null && !ResourceVersions.older(read.resourceVersion(), sent.known());
    }

    /**
     * Handles a read that returned an older version than the known one. Either the watch has delivered a newer one since the read was sent, or etcd
     * was restored: quorum reads never go back in time otherwise. A restore is a gap ({@code safety.md#succession}).
     */
    private void readIsOlder(Request.Read read, Lease stored) {
        s.readNeeded = false;
        if (!ResourceVersions.older(stored.resourceVersion(), read.known())) {
            return;
        }
        report("the lease was read in version " + stored.resourceVersion() + ", although version " + read.known()
                + " was known: etcd was restored from a backup; this process begins no term before one of the former"
                + " history has run out");
        s.retries = s.retries.read(now);
        s.observation =
                Objects.requireNonNull(s.observation, "of the known record").missed(now, observer(false));
        observe(stored, false);
    }

    private void writeFailed(ApiResult<?> result) {
        s.retries = s.retries.writeFailed(result, s.holds(), config.timings(), now);
        failed(result);
    }

    private void failed(ApiResult<?> result) {
        if (s.phase() instanceof Leading leading) {
            s.retries = s.retries.notAfter(
                    leading.validUntil() - config.timings().lastAttempt().toNanos(), now);
        }
        actions.add(new Action.RequestFailed(result.describe() + "; trying again in "
                + Duration.ofNanos(s.retries.at() - now.nanos()).toMillis() + " ms (failure "
                + s.retries.inARow() + ")"));
    }

    // ---- the application -----------------------------------------------------------------------------------------

    /**
     * Starts with a new nonce: a stopped process may have been checkpointed and restored twice, and neither clone may own earlier writes.
     */
    private void start(String nonce) {
        if (!s.started && !s.running() && s.settled()) {
            s.becomeAnew(nonce);
        }
        s.started = true;
    }

    private void becomeCandidate() {
        s.participation = new Candidate(now.nanos());
        s.announceDue = true;
    }

    /** Withdraws the candidacy, and ends the term if this process leads. */
    private void leaveElection() {
        if (!s.running()) {
            return;
        }
        s.participation = new Withdrawn();
        withdraw();
        if (s.phase() instanceof Leading leading) {
            drainTerm(leading.term(), RevokeReason.STOPPED);
        } else if (s.inFlight == null && s.unconfirmed != null && !now.reached(worthReleasingUntil())) {
            report("stops in "
                    + (Duration.ofNanos(worthReleasingUntil() - now.nanos()).toSeconds() + 1)
                    + " s at the latest: the outcome of its last attempt to acquire the lease is unknown");
        }
    }

    /** Joins, withdraws or hands over as {@link Fitness} decides. */
    private void followFitness() {
        Fitness.Step step;
        do {
            if (!s.started || !(s.watch == Watch.OPENED || s.watch == Watch.DELIVERS)) {
                return;
            }
            boolean ledByAnother = holder() != null && !config.identity().equals(holder());
            if (s.phase() instanceof Leading leading) {
                step = s.fitness.leader(leading.beganAt(), mayBeCoordinated(), config.timings(), now.nanos());
            } else if (s.running()) {
                step = s.fitness.standby(ledByAnother, now.nanos());
            } else {
                step = s.fitness.outside(ledByAnother, config.timings(), now.nanos());
            }
            follow(step);
        } while (step.decision() != Fitness.Decision.STAY);
        wakeAt(step.wakeAt());
    }

    private void follow(Fitness.Step step) {
        s.fitness = step.next();
        String problem = s.fitness.problem();
        switch (step.decision()) {
            case STAY -> {}
            case JOIN -> {
                if (problem != null) {
                    actions.add(new Action.Inform(
                            "is a candidate again, although " + problem + ": no other candidate has taken over"));
                }
                actions.add(new Action.Join());
                becomeCandidate();
            }
            case WITHDRAW -> {
                actions.add(new Action.Inform("withdraws its candidacy, because " + problem));
                leaveElection();
            }
            case HAND_OVER -> {
                actions.add(new Action.Inform("hands over to another candidate, because " + problem));
                s.participation = new Withdrawn();
                withdraw();
                // Listeners see a resignation, not a stop.
                drainTerm(Objects.requireNonNull(s.term(), "a leader hands over"), RevokeReason.RESIGNED);
            }
            case FIND_OTHERS -> actions.add(new Action.FindOthers());
        }
    }

    private void othersFound(ApiResult<List<io.cle.model.Candidate>> result) {
        if (s.term() == null) {
            return;
        }
        if (result instanceof ApiResult.Ok<List<io.cle.model.Candidate>> found) {
            follow(s.fitness.othersFound(others(found.value()), now.nanos()));
        } else if (!s.fitness.fit()) {
            report("the other candidates can't be listed: " + result.describe() + "; this process leads on, although "
                    + s.fitness.problem());
        }
    }

    /** Returns the other candidates that haven't expired by this machine's clock. If the clock is wrong, a hand-over is late or is reverted. */
    private Set<String> others(List<io.cle.model.Candidate> all) {
        return all.stream()
                .filter(candidate -> !candidate.identity().equals(config.identity()))
                .filter(candidate -> candidate.renewTime() != null
                        && candidate.renewTime().plus(candidate.validity()).isAfter(now.wall()))
                .map(io.cle.model.Candidate::identity)
                .collect(Collectors.toSet());
    }

    private void resign(@Nullable String successor) {
        if (s.phase() instanceof Leading leading) {
            s.participation = new Away(now.plus(config.timings().leaseDuration()), successor);
            withdraw();
            drainTerm(leading.term(), RevokeReason.RESIGNED);
        }
    }

    private void withdraw() {
        s.announceDue = false;
        actions.add(new Action.Withdraw());
    }

    // ---- the end of a term ---------------------------------------------------------------------------------------

    /** Ends the term, and keeps the lease until the work has ended ({@code safety.md#drain-before-release}). */
    private void drainTerm(BegunTerm term, RevokeReason reason) {
        s.becomeDraining(now.plus(config.drainTimeout()));
        actions.add(new Action.Revoke(term, reason));
    }

    /** Ends a term whose lease is lost, or may be. */
    private void loseTerm(BegunTerm term, RevokeReason reason) {
        s.becomeLost(now.plus(config.drainTimeout()));
        actions.add(new Action.Revoke(term, reason));
    }

    private void drained(long fencingToken) {
        LockState.Work work = s.work();
        // The work of an earlier term may end after its drain timeout; nothing waits for it then.
        if (work != null && work.term().fencingToken() == fencingToken) {
            workEnded();
        }
    }

    private void workEnded() {
        if (s.phase() instanceof Draining) {
            s.becomeHandingOver();
        } else {
            s.becomeStandby();
        }
    }

    // ==== doing what is due =======================================================================================

    private void advance() {
        if (s.phase() instanceof Leading leading) {
            if (askedToYield()) {
                drainTerm(leading.term(), RevokeReason.END_OF_TERM);
                holdOffAfterYielding(leading);
            } else {
                wakeAt(leading.validUntil());
            }
        }
        LockState.Work work = s.work();
        if (work != null && due(work.giveUpAt())) {
            report("the work of the ended term hasn't stopped within the drain timeout of " + config.drainTimeout()
                    + "; no longer waiting for it");
            workEnded();
        }
        giveUpReleasing();
        if (s.inFlight != null) {
            return;
        }
        if (s.readAt != NEVER && due(s.readAt)) {
            s.readAt = NEVER;
            s.readNeeded = true;
        }
        releaseLateAcquisition();
        endAbsence();
        if (s.readNeeded) {
            if (due(s.retries.at())) {
                s.inFlight = new Request.Read(newestKnown());
                actions.add(new Action.ReadLease());
            }
        } else if (s.phase() instanceof Standby) {
            if (s.participation instanceof Candidate candidate) {
                acquireWhenDue(candidate);
            }
        } else if (s.recordIsOwn()) {
            // A record that may be another process's is never overwritten; it is read first.
            if (s.phase() instanceof HandingOver) {
                if (due(s.retries.at())) {
                    write(Purpose.HAND_OVER, LeaseWrites.handOver(config, held(), successor(), now));
                }
            } else if (s.phase() instanceof Leading leading) {
                renewWhenDue(leading.renewAt());
            } else if (s.phase() instanceof Draining draining) {
                renewWhenDue(draining.renewAt());
            }
        }
    }

    private @Nullable String successor() {
        return s.participation instanceof Away away ? away.successor() : null;
    }

    private boolean askedToYield() {
        Lease lease = s.lease();
        return lease != null && lease.endOfTerm() && !config.identity().equals(lease.preferredHolder());
    }

    private void holdOffAfterYielding(Leading ended) {
        if (config.takeover() == null) {
            return;
        }
        s.preemption = s.preemption.yielded(config, now.since(ended.beganAt()), now);
        int yields = s.preemption.yields();
        if (yields > 1) {
            report("yielded " + yields + " times in a row soon after it began to lead (key '"
                    + config.takeover().key() + "', the successor's '" + held().preferredKey()
                    + "'): that candidate restarts often, or the candidates' comparisons contradict each other."
                    + " It asks no holder to yield for " + Preemption.holdOff(config, yields));
        } else if (Preemption.comparisonsDiffer(config.takeover(), held())) {
            report("'" + held().preferredHolder() + "' has asked this process to yield, but its key '"
                    + held().preferredKey() + "' doesn't take precedence over '"
                    + config.takeover().key()
                    + "' by this process's comparison. Set the same cle.candidate.key-comparison on all replicas");
        }
    }

    /** Gives up a release once the lease has expired. A stopped lock has to end even if the API server never answers. */
    private void giveUpReleasing() {
        boolean handsOver = s.phase() instanceof HandingOver;
        boolean stops =
                !s.running() && (s.phase() instanceof Standby || s.phase() instanceof Acquiring) && !s.settled();
        if (!handsOver && !stops) {
            return;
        }
        if (due(worthReleasingUntil())) {
            if (handsOver) {
                report("gave up handing the lease over; it has expired by now");
            }
            s.becomeGivenUp();
        }
    }

    /**
     * Returns until when a release helps another process: as long as a record of this process, stored or possibly stored, makes it wait; {@link
     * LockState#LONG_AGO} if there is none. A renewal of unknown outcome is ignored, because during an outage there always is one.
     */
    private long worthReleasingUntil() {
        Request.Write write = s.unconfirmed;
        if (write != null && write.purpose() == Purpose.ACQUIRE) {
            return expiresAt(write);
        }
        // The watch may deliver the release before its answer arrives.
        boolean releases = s.inFlight instanceof Request.Write sent && sent.purpose() == Purpose.HAND_OVER;
        return releases || s.recordIsOwn() ? s.expiresAt : LockState.LONG_AGO;
    }

    private void endAbsence() {
        if (s.participation instanceof Away away && !s.holds() && due(away.until())) {
            becomeCandidate();
        }
    }

    private void renewWhenDue(long renewAt) {
        if (due(s.retries.failures() > 0 ? s.retries.at() : renewAt)) {
            LockState.OwnTerm own = Objects.requireNonNull(s.own, "a term has begun by a write");
            write(Purpose.RENEW, LeaseWrites.renewal(config, held(), own, writer(), now));
        }
    }

    private void acquireWhenDue(Candidate candidate) {
        LeaseObservation observation = s.observation;
        if (observation == null) {
            return;
        }
        boolean ours = s.recordIsOwn();
        long at = acquireAt(candidate, observation, ours);
        if (at != NEVER && due(notBeforeRetry(at))) {
            s.raced = !config.identity().equals(holder());
            write(Purpose.ACQUIRE, LeaseWrites.acquisition(config, observation.lease(), writer(), now));
        } else if (!ours
                && !observation.free(now)
                && (observation.lease() == null || !observation.lease().closed())) {
            preemptWhenDue(observation);
        }
    }

    private long notBeforeRetry(long at) {
        return s.retries.failures() > 0 ? Math.max(at, s.retries.at()) : at;
    }

    private void preemptWhenDue(LeaseObservation observation) {
        Preemption.Decision decision = s.preemption.decide(config, observation, now);
        if (decision.at() == NEVER || !due(notBeforeRetry(decision.at()))) {
            return;
        }
        switch (decision.move()) {
            case ASK -> write(Purpose.REQUEST, LeaseWrites.yieldRequest(config, held()));
            case PREEMPT -> {
                write(Purpose.PREEMPT, LeaseWrites.preemption(config, observation, writer(), now));
                report("the holder '" + held().holder()
                        + "' was asked to yield to a higher key and has not; it is preempted once its last renewal"
                        + " has run out");
            }
            case WAIT -> throw new IllegalStateException("a wait that is over: " + decision + " in " + s);
        }
    }

    /** Releases a lease that was acquired after the lock was stopped. */
    private void releaseLateAcquisition() {
        if (s.phase() instanceof Standby
                && !s.running()
                && !s.readNeeded
                && s.recordIsOwn()
                && now.reached(Objects.requireNonNull(s.observation, "of the own record")
                        .busyUntil())
                && !now.reached(worthReleasingUntil())) {
            s.becomeHandingOver();
        }
    }

    /** Reports, once, a record that isn't renewed and blocks the lease for long: an administrator can end it. */
    private void reportStandingClaim() {
        LeaseObservation observation = s.observation;
        if (observation == null || !(s.phase() instanceof Standby && s.participation instanceof Candidate)) {
            return;
        }
        long at = observation.standsAt(config.timings().leaseDuration());
        boolean stands = at != NEVER && due(at);
        if (stands && !s.claimReported) {
            actions.add(new Action.ReportClaim(observation));
        }
        s.claimReported = stands;
    }

    /**
     * Reports, once each time the lease becomes free, that no coordinator has elected a candidate and this process doesn't race. While no coordinator
     * can elect this process, the delay is zero, and the lock has reported why.
     */
    private void reportVacancy() {
        LeaseObservation observation = s.observation;
        if (observation == null
                || fallbackDelay().isZero()
                || !(s.phase() instanceof Standby && s.participation instanceof Candidate candidate)
                || acquireAt(candidate, observation, s.recordIsOwn()) != NEVER) {
            return;
        }
        Lease lease = observation.lease();
        boolean closed = lease != null && lease.owner() != null;
        if (!observation.free(now) && !closed) {
            s.vacancyReported = false;
        }
        long delay = fallbackDelay().toNanos();
        long at =
                closed ? Math.max(candidate.since(), observation.seenAt()) + delay : fallbackAt(candidate, observation);
        if (!s.vacancyReported && due(at)) {
            s.vacancyReported = true;
            report(
                    lease != null && lease.retired()
                            ? "waits, because the Lease says that " + lease.owner() + " own the keys of "
                                    + config.lease() + ": a process leads it once the last process that leads those"
                                    + " has stopped. If none runs, check that a coordinator does"
                            : "no process has led for "
                                    + config.fallback().delay().toSeconds()
                                    + " s, because no coordinator has elected a candidate, and "
                                    + config.nobodyRaces() + ". " + LockConfig.CHECK_COORDINATOR);
        }
    }

    /**
     * Reports a new holder, after the beginning or the end of this process's own term.
     */
    private void reportHolder() {
        if (!(s.phase() instanceof Acquiring) && !Objects.equals(holder(), s.reportedHolder)) {
            s.reportedHolder = holder();
            actions.add(new Action.LeaderChanged(s.reportedHolder));
        }
    }

    // ---- when the lease may be acquired --------------------------------------------------------------------------

    /**
     * Returns when this candidate may acquire the lease that it has observed, in monotonic nanoseconds; {@link LockState#NEVER} as long as nothing
     * changes. A closed lease isn't granted, even if it names a holder.
     *
     * @param ours whether this process itself has written the record
     */
    private long acquireAt(Candidate candidate, LeaseObservation observation, boolean ours) {
        Lease lease = observation.lease();
        if (s.closedUntil == NEVER || !now.reached(s.closedUntil)) {
            return s.closedUntil;
        }
        if (lease != null && lease.heldBy(config.identity())) {
            return ours || !lease.confirmed() ? observation.busyUntil() : observation.freeAt();
        }
        if (config.group() != null) {
            // Only a coordinator knows which leases own the key (safety.md#one-owner-of-each-key).
            return NEVER;
        }
        boolean released = lease == null || !lease.held();
        long jitter = jitter(released ? JITTER_RELEASED : JITTER_EXPIRED);
        if (!config.coordinated() || nobodyCoordinates(lease)) {
            return observation.freeAt() + jitter;
        }
        return config.fallback().enabled() || asksForNoCoordination()
                ? fallbackAt(candidate, observation) + jitter
                : NEVER;
    }

    /** Returns when a coordinator has had enough time to elect a candidate, this process among them ({@code safety.md#fallback-race}). */
    private long fallbackAt(Candidate candidate, LeaseObservation observation) {
        return Math.max(candidate.since(), observation.freeAt())
                + fallbackDelay().toNanos();
    }

    /** Returns zero if no coordinator can elect this process: it doesn't wait for one. */
    private Duration fallbackDelay() {
        return s.uncoordinated == null ? config.fallback().delay() : Duration.ZERO;
    }

    /** Whether no coordinator will elect, because of the strategy on the lease or, without one, of this candidate. */
    private boolean nobodyCoordinates(@Nullable Lease lease) {
        String strategy = lease == null ? null : lease.strategy();
        return strategy == null ? asksForNoCoordination() : strategy.equals(BuiltInStrategy.NO_COORDINATION.wireName());
    }

    /** Whether this candidate asks for no coordinator. If so, it races, unless the strategy on the lease says that a coordinator elects. */
    private boolean asksForNoCoordination() {
        return config.candidacy() != null
                && config.candidacy().template().strategy().equals(BuiltInStrategy.NO_COORDINATION.wireName());
    }

    private long jitter(Duration widest) {
        int spread = ((config.identity() + '/' + s.nonce).hashCode() * 0x9E3779B9) >>> 16;
        return (widest.toNanos() * spread) >>> 16;
    }

    // ---- helpers -------------------------------------------------------------------------------------------------

    private Lease held() {
        return Objects.requireNonNull(s.lease(), "the lease to overwrite has been observed");
    }

    /** Returns the identity of this process and of the write that this step may send. */
    private LeaseWrites.Writer writer() {
        return new LeaseWrites.Writer(s.nonce, Long.toHexString(random));
    }

    /** Sends a write, before all other actions because its validity begins now. */
    private void write(Purpose purpose, Lease desired) {
        if (purpose == Purpose.ACQUIRE) {
            s.becomeAcquiring();
        }
        if (purpose == Purpose.ACQUIRE || purpose == Purpose.RENEW || purpose == Purpose.PREEMPT) {
            s.wrote(writer().write(), now.nanos());
        }
        if (purpose == Purpose.ACQUIRE || purpose == Purpose.RENEW) {
            s.own = new LockState.OwnTerm(
                    Objects.requireNonNull(desired.term(), "of a term"),
                    desired.transitions(),
                    Objects.requireNonNull(desired.renewTime(), "of a term"));
        }
        Request.Write write = new Request.Write(purpose, desired, now.nanos(), now.wallAhead());
        s.inFlight = write;
        s.unconfirmed = purpose == Purpose.ACQUIRE || purpose == Purpose.RENEW ? write : null;
        actions.add(0, new Action.WriteLease(desired, purpose == Purpose.ACQUIRE && mayHaveShards(desired)));
    }

    /** Returns whether shards may own the key although no coordinator has closed the lease ({@code safety.md#one-owner-of-each-key}). */
    private boolean mayHaveShards(Lease acquisition) {
        boolean raced = io.cle.model.Candidate.FALLBACK.equals(acquisition.electedBy());
        boolean wasClosed = s.closedUntil != LockState.LONG_AGO;
        return config.group() == null && s.uncoordinated == null && (raced || wasClosed);
    }

    private void report(String message) {
        actions.add(new Action.Report(message));
    }

    /** Returns whether an instant has passed; otherwise schedules the next step for it. */
    private boolean due(long at) {
        if (now.reached(at)) {
            return true;
        }
        wakeAt(at);
        return false;
    }

    private void wakeAt(long at) {
        s.wakeAt = Math.min(s.wakeAt, at);
    }
}

package io.cle.lock.internal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.cle.Role;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.model.internal.TermAnnotation;
import org.jspecify.annotations.Nullable;

/**
 * The state of a lock between two events. Only {@link LockMachine} changes it, on a copy of its own; immutable for all other classes.
 *
 * <p>Only the {@code become…} methods change the phase; each throws on an impossible transition. {@code docs/architecture.md} draws them. All
 * instants are monotonic nanoseconds.
 * Rules: {@code safety.md#write-starts-term}, {@code safety.md#drain-before-release}, {@code safety.md#candidate-again}.
 */
public final class LockState implements Cloneable {

    /** A monotonic instant that never comes. */
    public static final long NEVER = Long.MAX_VALUE;

    /** The maximum number of remembered writes; only a long outage has more of unknown outcome in a row. */
    private static final int MOST_WRITES = 16;

    /** A monotonic instant that is always past. */
    static final long LONG_AGO = Long.MIN_VALUE / 2;

    // ---- the phase -----------------------------------------------------------------------------------------------

    /** The phase of a lock. */
    sealed interface Phase {

        /** No term, and nothing left of an earlier one. Observes the lease, and acquires it when it may. */
        record Standby() implements Phase {}

        /** The write whose success begins a term is in flight. */
        record Acquiring() implements Phase {}

        /**
         * Leads: the only phase in which {@link LockState#leads} can be true.
         *
         * @param term the running term
         * @param beganAt when the term began
         * @param validUntil the end of validity: the renew deadline after the last successful write was sent
         * @param renewAt when the next renewal is due
         * @param wallAheadUntil how far the wall clock may get ahead of the monotonic one before the term is over
         */
        record Leading(BegunTerm term, long beganAt, long validUntil, long renewAt, long wallAheadUntil)
                implements Phase {}

        /**
         * The term has ended while this process still holds the lease. The lease is renewed until the work has ended, so that no other
         * process leads meanwhile.
         *
         * @param work the work of the ended term
         * @param renewAt when the next renewal is due
         */
        record Draining(Work work, long renewAt) implements Phase {}

        /**
         * The term has ended because the lease was lost or the deadline has passed. The lease is observed as on standby, but isn't acquired before
         * the work has ended: a process must not work for two terms at once.
         *
         * @param work the work of the ended term
         */
        record Lost(Work work) implements Phase {}

        /** The work has ended, and the lease is being handed over or released. */
        record HandingOver() implements Phase {}
    }

    /**
     * A term that the lock has begun; {@link io.cle.Term} adds whether it is still valid.
     *
     * @param lease the lease
     * @param identity the holder identity
     * @param fencingToken the resourceVersion of the write that began the term; grows from term to term ({@code safety.md#fencing-token})
     * @param acquireTime when it began, by this process's wall clock
     */
    public record BegunTerm(ObjectKey lease, String identity, long fencingToken, Instant acquireTime) {}

    /**
     * The work of an ended term, which may still run.
     *
     * @param term the ended term
     * @param giveUpAt the drain timeout: from then on nobody waits for the work
     */
    record Work(BegunTerm term, long giveUpAt) {}

    private Phase phase = new Phase.Standby();

    // ---- participation -------------------------------------------------------------------------------------------

    /** Whether this process wants to lead. */
    sealed interface Participation {

        /**
         * It is a candidate.
         *
         * @param since the instant from which a coordinator could elect it: when it became a candidate, or when another writer freed the lease
         */
        record Candidate(long since) implements Participation {}

        /**
         * It has resigned, and is a candidate again later.
         *
         * @param until when it is a candidate again
         * @param successor the candidate to hand the lease over to; {@code null} if it named none
         */
        record Away(long until, @Nullable String successor) implements Participation {}

        /** It isn't a candidate: it wasn't started, was stopped, is unfit, or starts over with another API. */
        record Withdrawn() implements Participation {}
    }

    Participation participation = new Participation.Withdrawn();

    /** Whether the application has started the lock, and not stopped it since. */
    boolean started;

    /** Whether the application's state allows this process to lead. */
    Fitness fitness = Fitness.INITIAL;

    /** Why no coordinator can elect this process, so that it races; {@code null} if one can, and for a direct lock. */
    @Nullable
    String uncoordinated;

    // ---- the lease -----------------------------------------------------------------------------------------------

    /** Distinguishes this process from others of the same identity, in the term annotation; empty before the first start. */
    String nonce = "";

    /**
     * The writes of this process that the record may contain, oldest first: the last observed one, and all later ones. Another id with this
     * process's nonce was written by a clone ({@code safety.md#own-record}).
     */
    List<SentWrite> writes = List.of();

    /**
     * A write of this process.
     *
     * @param id distinguishes it from all other writes
     * @param sentAt when it was sent; {@link #LONG_AGO} if that was at least a renew deadline ago
     */
    record SentWrite(String id, long sentAt) {}

    /**
     * The resourceVersion of the observed record, if the record is this process's own ({@code safety.md#own-record}); {@code null} if it isn't.
     * Decided when the record is observed.
     */
    @Nullable
    String ownVersion;

    /** The fields of its own term as this process last wrote them, the base of its renewals; {@code null} before its first acquisition. */
    @Nullable
    OwnTerm own;

    /**
     * The parts of the record that a leader owns and doesn't have in its configuration ({@code safety.md#own-record}).
     *
     * @param annotation the annotation of the term
     * @param transitions the number of transitions that the term began with
     * @param renewTime the renew time of the last write; the next one's is later
     */
    record OwnTerm(TermAnnotation annotation, int transitions, Instant renewTime) {}

    /** Whether another writer has edited this process's own record since its term began. */
    boolean edited;

    /** The observation of the lease; {@code null} before the first one. */
    @Nullable
    LeaseObservation observation;

    /** The watch of the lease. */
    enum Watch {
        /** There is none: the lock wasn't started, or its API isn't known. */
        CLOSED,
        /** It was opened, and hasn't delivered anything yet. */
        OPENED,
        /** It has delivered. */
        DELIVERS,
        /** The API was replaced. The lock ends its term; then this watch is closed, and one of the new API is opened. */
        REPLACED
    }

    Watch watch = Watch.CLOSED;

    /** Whether the last delivered record was malformed, so that its holder isn't known. */
    boolean unreadable;

    /**
     * Whether to announce the candidate once the lease is watched. If it were announced earlier, a coordinator could end a leader's term for a
     * successor that doesn't know of its election.
     */
    boolean announceDue;

    /** The resourceVersion of the last observed deletion; {@code null} before the first one. */
    @Nullable
    String deletionVersion;

    /** The holder that was last reported to listeners. */
    @Nullable
    String reportedHolder;

    /** Whether the lease named another holder or none when this process last tried to acquire it. Only for a report. */
    transient boolean raced;

    /** Whether another live process of this identity was reported. */
    transient boolean twinReported;

    /** The largest fencing token observed so far, of any process. Only for a warning. */
    transient long largestToken;

    /** Whether the record was reported because it blocks the lease for long. */
    transient boolean claimReported;

    /**
     * Until when this process doesn't acquire the lease, because it was closed ({@code safety.md#one-owner-of-each-key}). Only a record that cites
     * the previous one ends {@link #NEVER}: a coordinator's does, a restored copy doesn't.
     */
    long closedUntil = LONG_AGO;

    /** Whether a missing coordinator was reported since the lease was last held. */
    transient boolean vacancyReported;

    // ---- requests ------------------------------------------------------------------------------------------------

    /** The purpose of a write. */
    enum Purpose {
        /** To begin a term. */
        ACQUIRE,
        /** To renew it. */
        RENEW,
        /** To hand the lease over, or release it. */
        HAND_OVER,
        /** To ask the holder to yield (KEP-2835). */
        REQUEST,
        /** To preempt a holder that has not yielded (KEP-2835). */
        PREEMPT
    }

    /** The request in flight; at most one. */
    sealed interface Request {

        /**
         * The lease is being read.
         *
         * @param known the newest known version of the lease or of its deletion when the read was sent; {@code null} if there was none
         */
        record Read(@Nullable String known) implements Request {}

        /**
         * The lease is being written.
         *
         * @param desired what is to be stored
         * @param sentAt when the write was sent, from which its validity counts
         * @param wallAhead how far the wall clock was ahead of the monotonic one then
         */
        record Write(Purpose purpose, Lease desired, long sentAt, long wallAhead) implements Request {}

        /** The answer is ignored, because the lock was stopped. */
        record Outdated() implements Request {}
    }

    /** The request in flight; {@code null} when there is none. */
    @Nullable
    Request inFlight;

    /** Whether the lease must be read before the next write, because the outcome of one is unknown or the watch may lag. */
    boolean readNeeded;

    /**
     * The last write of a term whose outcome is unknown; {@code null} if there is none. If the record contains its id, it has
     * succeeded, and is valid from its sending ({@code safety.md#unknown-outcome}).
     */
    Request.@Nullable Write unconfirmed;

    /**
     * When the record of this process's last successful write expires: a lease duration after the write was sent. From then on other processes can
     * acquire the lease as if it had been released.
     */
    long expiresAt = LONG_AGO;

    /** When to read the lease during an election, unless the watch delivers it first; {@link #NEVER} otherwise. */
    long readAt = NEVER;

    /** Consecutive failures of requests, and when the next one may be sent. */
    Retries retries = Retries.NONE;

    // ---- preemption and the next step ----------------------------------------------------------------------------

    /** The state of preempting a holder of lower precedence (KEP-2835). */
    Preemption preemption = Preemption.NONE;

    /** When the machine wants to be stepped next, at the latest. */
    long wakeAt = NEVER;

    private LockState() {}

    /** Returns the initial state. */
    public static LockState initial() {
        return new LockState();
    }

    /** Returns a copy for the machine to change; its fields refer to immutable objects. */
    LockState copy() {
        try {
            return (LockState) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError("the state is cloneable", e);
        }
    }

    // ---- transitions ---------------------------------------------------------------------------------------------

    /** Returns to standby: the work of a lost term has ended, an acquisition has failed, or the lease was handed over or given up. */
    void becomeStandby() {
        require(!(phase instanceof Phase.Leading || phase instanceof Phase.Draining), "Standby");
        phase = new Phase.Standby();
    }

    /** Starts an acquisition: the write whose success begins a term is sent. */
    void becomeAcquiring() {
        require(phase instanceof Phase.Standby && running(), "Acquiring");
        phase = new Phase.Acquiring();
    }

    /** Begins a term: the acquiring write has succeeded. */
    void becomeLeader(BegunTerm term, long beganAt, long validUntil, long renewAt, long wallAheadUntil) {
        require(unconfirmed != null && unconfirmed.purpose() == Purpose.ACQUIRE, "Leading");
        require(phase instanceof Phase.Acquiring || phase instanceof Phase.Standby, "Leading");
        require(participation instanceof Participation.Candidate && validUntil - beganAt > 0, "Leading");
        require(observation != null && observation.earlierClaim() - beganAt <= 0, "Leading");
        phase = new Phase.Leading(term, beganAt, validUntil, renewAt, wallAheadUntil);
    }

    /** Records a successful renewal. */
    void renewed(long validUntil, long renewAt, long wallAheadUntil) {
        if (phase instanceof Phase.Leading leading) {
            phase = new Phase.Leading(leading.term(), leading.beganAt(), validUntil, renewAt, wallAheadUntil);
        } else if (phase instanceof Phase.Draining draining) {
            phase = new Phase.Draining(draining.work(), renewAt);
        }
    }

    /** Lowers the limit after the wall clock was set back. */
    void wallAheadAtMost(long limit) {
        Phase.Leading leading = leading("Leading");
        phase = new Phase.Leading(
                leading.term(),
                leading.beganAt(),
                leading.validUntil(),
                leading.renewAt(),
                Math.min(leading.wallAheadUntil(), limit));
    }

    /** Ends the term regularly: its work stops while the lease is still held. */
    void becomeDraining(long giveUpAt) {
        Phase.Leading leading = leading("Draining");
        phase = new Phase.Draining(new Work(leading.term(), giveUpAt), leading.renewAt());
    }

    /**
     * Ends the term at once, because the lease is lost or the deadline has passed.
     *
     * @param giveUpAt the drain timeout of a term that ends now; a term that has already ended keeps its own
     */
    void becomeLost(long giveUpAt) {
        phase = phase instanceof Phase.Draining draining
                ? new Phase.Lost(draining.work())
                : new Phase.Lost(new Work(leading("Lost").term(), giveUpAt));
    }

    /** Starts handing the lease over: the work has ended, or an unwanted acquisition has succeeded. */
    void becomeHandingOver() {
        require(!(phase instanceof Phase.Leading || phase instanceof Phase.Lost), "HandingOver");
        phase = new Phase.HandingOver();
    }

    /** Gives up the release. A stopped lock no longer waits for its request in flight. */
    void becomeGivenUp() {
        becomeStandby();
        if (!running()) {
            readNeeded = false;
            inFlight = inFlight == null ? null : new Request.Outdated();
        }
    }

    private Phase.Leading leading(String target) {
        require(phase instanceof Phase.Leading, target);
        return (Phase.Leading) phase;
    }

    private void require(boolean possible, String target) {
        if (!possible) {
            throw new IllegalStateException("no transition to " + target + " from " + this);
        }
    }

    /** Checks what must hold between two steps. */
    void checkInvariants() {
        boolean acquires = inFlight instanceof Request.Write write && write.purpose() == Purpose.ACQUIRE;
        if (acquires != phase instanceof Phase.Acquiring) {
            throw new IllegalStateException("acquiring without an acquiring write in flight, or the reverse: " + this);
        }
        if (phase instanceof Phase.Leading && !(participation instanceof Participation.Candidate)) {
            throw new IllegalStateException("leads without being a candidate: " + this);
        }
    }

    // ---- its own writes --------------------------------------------------------------------------------------

    /** Takes a new nonce, and with it disowns all earlier writes. */
    void becomeAnew(String newNonce) {
        nonce = newNonce;
        writes = List.of();
        ownVersion = null;
        own = null;
        unconfirmed = null;
    }

    /**
     * Records a sent write. If too many have an unknown outcome, the last observed one and the newest are kept; a forgotten one is treated as a
     * clone's.
     */
    void wrote(String id, long sentAt) {
        if (!hasWritten(id)) {
            List<SentWrite> all = new ArrayList<>(writes);
            all.add(new SentWrite(id, sentAt));
            if (all.size() > MOST_WRITES) {
                all.remove(1);
            }
            writes = List.copyOf(all);
        }
    }

    boolean hasWritten(String id) {
        return writes.stream().anyMatch(write -> write.id().equals(id));
    }

    /** Whether a write is recent enough to prove that a record with its id is this process's own. */
    boolean sentRecently(String id) {
        return writes.stream().anyMatch(write -> write.id().equals(id) && write.sentAt() != LONG_AGO);
    }

    /** Drops the writes before the one that the record contains. */
    void seenWrite(Lease lease) {
        String id = lease.term() == null ? null : lease.term().write();
        int at = writes.stream().map(SentWrite::id).toList().lastIndexOf(id);
        writes = List.copyOf(writes.subList(Math.max(0, at), writes.size()));
    }

    /**
     * Forgets the times of writes that are no longer recent, so that equal states are equal.
     *
     * @param recentSince from when on a write is recent
     */
    void forget(long recentSince) {
        writes = writes.stream()
                .map(write -> write.sentAt() - recentSince <= 0 ? new SentWrite(write.id(), LONG_AGO) : write)
                .toList();
    }

    /** Brings the next renewal forward. */
    void renewNoLaterThan(long at) {
        if (phase instanceof Phase.Leading leading && leading.renewAt() - at > 0) {
            phase = new Phase.Leading(
                    leading.term(), leading.beganAt(), leading.validUntil(), at, leading.wallAheadUntil());
        } else if (phase instanceof Phase.Draining draining && draining.renewAt() - at > 0) {
            phase = new Phase.Draining(draining.work(), at);
        }
    }

    // ---- queries -------------------------------------------------------------------------------------------------

    Phase phase() {
        return phase;
    }

    /** Whether the observed record is this process's own. */
    boolean recordIsOwn() {
        Lease known = lease();
        return known != null && isOfOwnVersion(known);
    }

    /** Whether a record is of the version that was last known to be this process's own. */
    boolean isOfOwnVersion(Lease record) {
        return ownVersion != null && ownVersion.equals(record.resourceVersion());
    }

    /** Whether this process holds the lease, as far as it knows: it leads, drains or hands over. */
    boolean holds() {
        return phase instanceof Phase.Leading || phase instanceof Phase.Draining || phase instanceof Phase.HandingOver;
    }

    /** Returns the work of an ended term, which may still run; {@code null} when there is none. */
    @Nullable
    Work work() {
        return phase instanceof Phase.Draining draining
                ? draining.work()
                : phase instanceof Phase.Lost lost ? lost.work() : null;
    }

    /** Whether a term runs at a moment ({@code safety.md#deadline-from-send}, {@code safety.md#suspended-machine}). */
    public boolean leads(Moment now) {
        return phase instanceof Phase.Leading leading && !now.reached(leading.validUntil()) && !suspended(leading, now);
    }

    /** Whether the monotonic clock may have been stopped for too long. */
    static boolean suspended(Phase.Leading leading, Moment now) {
        return now.wallAhead() - leading.wallAheadUntil() > 0;
    }

    /** Returns the running term; {@code null} if there is none or it is being drained. */
    public @Nullable BegunTerm term() {
        return phase instanceof Phase.Leading leading ? leading.term() : null;
    }

    /** Returns until when the running term is valid, in monotonic nanoseconds; long ago if there is none. */
    public long validUntil() {
        return phase instanceof Phase.Leading leading ? leading.validUntil() : LONG_AGO;
    }

    /** Returns the role of this process at a moment. */
    public Role role(Moment now) {
        if (leads(now)) {
            return Role.LEADER;
        }
        if (work() != null || phase instanceof Phase.HandingOver) {
            return Role.DRAINING;
        }
        return running() ? Role.CANDIDATE : Role.STOPPED;
    }

    /** Whether the application has started the lock, and not stopped it since. */
    public boolean started() {
        return started;
    }

    /** Whether the API was replaced, and the watch of the former one isn't closed yet. */
    public boolean startsOver() {
        return watch == Watch.REPLACED;
    }

    /** Returns why no coordinator can elect this process; {@code null} if one can, and for a direct lock. */
    public @Nullable String uncoordinated() {
        return uncoordinated;
    }

    /** Whether this process takes part in elections: it is a candidate, leads, or has resigned for a while. */
    public boolean running() {
        return !(participation instanceof Participation.Withdrawn);
    }

    /** Whether an ended term still has work to drain or a lease to hand over. */
    public boolean ending() {
        return phase instanceof Phase.Draining || phase instanceof Phase.Lost || phase instanceof Phase.HandingOver;
    }

    /** Whether no work is left to drain, no lease to hand over, and no write has an unknown outcome. */
    public boolean settled() {
        return phase instanceof Phase.Standby
                && (inFlight == null || inFlight instanceof Request.Outdated)
                && !readNeeded;
    }

    /** Returns the lease as last observed; {@code null} before the first time, and if it doesn't exist. */
    public @Nullable Lease lease() {
        return observation == null ? null : observation.lease();
    }

    /** Returns when to step with a {@link LockMachine.Event.Tick} at the latest, in monotonic nanoseconds; {@link #NEVER} if never. */
    public long wakeAt() {
        return wakeAt;
    }

    /** For exceptions and for people; the format may change. */
    @Override
    public String toString() {
        return "LockState[" + phase + ", " + participation + ", inFlight=" + inFlight + ", observation=" + observation
                + ", unconfirmed=" + unconfirmed + ", readNeeded=" + readNeeded + "]";
    }
}

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
 * The state of a lock between two events. Immutable for every class but {@link LockMachine}, which changes a copy of its own.
 *
 * <p>The phase says how far the lock has come with a term. It is changed by the {@code become…} methods alone, each of which throws on a
 * transition that cannot be; {@code docs/architecture.md} draws them. All instants are monotonic nanoseconds.
 * Rules: {@code safety.md#write-starts-term}, {@code safety.md#drain-before-release}, {@code safety.md#candidate-again}.
 */
public final class LockState implements Cloneable {

    /** A monotonic instant that never comes. */
    public static final long NEVER = Long.MAX_VALUE;

    /** More writes of unknown outcome than there are in a row, unless writes fail for long. */
    private static final int MOST_WRITES = 16;

    /** A monotonic instant that is always past. */
    static final long LONG_AGO = Long.MIN_VALUE / 2;

    // ---- the phase -----------------------------------------------------------------------------------------------

    /** The phase of a lock. */
    sealed interface Phase {

        /** It has no term, and nothing of a former one is left. It follows the lease, and acquires it when it may. */
        record Standby() implements Phase {}

        /** The write whose success begins a term is in flight. */
        record Acquiring() implements Phase {}

        /**
         * It leads: the only phase in which {@link LockState#leads} can be true.
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
         * The term has ended because the lease was lost or the deadline has passed. The lease is followed as on standby, but not acquired
         * before the work has ended: a process must not work for two terms at once.
         *
         * @param work the work of the ended term
         */
        record Lost(Work work) implements Phase {}

        /** The work has ended, and the lease is being given to the preferred holder, or released. */
        record HandingOver() implements Phase {}
    }

    /**
     * A term that the lock has begun; {@link io.cle.Term} adds whether it is still valid.
     *
     * @param lease the lease by which this process leads
     * @param identity the holder identity
     * @param fencingToken the resourceVersion of the write that began the term; grows from term to term ({@code safety.md#fencing-token})
     * @param acquireTime when it began, by this process's wall clock
     */
    public record BegunTerm(ObjectKey lease, String identity, long fencingToken, Instant acquireTime) {}

    /**
     * The work of an ended term, which may still run.
     *
     * @param term the ended term
     * @param giveUpAt the drain timeout: from then on the work isn't waited for
     */
    record Work(BegunTerm term, long giveUpAt) {}

    private Phase phase = new Phase.Standby();

    // ---- participation -------------------------------------------------------------------------------------------

    /** Whether this process wants to lead. */
    sealed interface Participation {

        /**
         * It is a candidate.
         *
         * @param since from when on a coordinator could elect it: when it became a candidate, or when another writer freed the lease
         */
        record Candidate(long since) implements Participation {}

        /**
         * It has resigned, and is a candidate again later.
         *
         * @param until when it is a candidate again
         * @param successor the candidate that it gives the lease to; {@code null} if it named none
         */
        record Away(long until, @Nullable String successor) implements Participation {}

        /** It was stopped, or never started. */
        record Stopped() implements Participation {}
    }

    Participation participation = new Participation.Stopped();

    // ---- the lease -----------------------------------------------------------------------------------------------

    /** Tells this process from others of the same identity, in the term annotation; empty before the first start. */
    String nonce = "";

    /**
     * This process's writes that may be on the record, oldest first: the last one that was seen there, and those after it. With this process's nonce,
     * another id was written by a copy of it ({@code safety.md#own-record}).
     */
    List<SentWrite> writes = List.of();

    /**
     * A write of this process.
     *
     * @param id tells it from all other writes
     * @param sentAt when it was sent; {@link #LONG_AGO} if that was a renew deadline ago or longer
     */
    record SentWrite(String id, long sentAt) {}

    /**
     * The resourceVersion of the observed record, if the record is this process's own ({@code safety.md#own-record}); {@code null} if it isn't. Decided
     * when the record is observed.
     */
    @Nullable
    String ownVersion;

    /** What this process has written last of its own term, and builds its renewals from; {@code null} before its first acquisition. */
    @Nullable
    OwnTerm own;

    /**
     * The parts of the record that a leader owns and doesn't have in its configuration ({@code safety.md#own-record}).
     *
     * @param annotation the annotation of the term
     * @param transitions the number of transitions that the term began with
     * @param renewTime the renew time of the last write that was sent: that of the next one is later
     */
    record OwnTerm(TermAnnotation annotation, int transitions, Instant renewTime) {}

    /** Whether another writer has edited this process's own record since its term began. */
    boolean edited;

    /** What is known of the lease; {@code null} before it was first seen. */
    @Nullable
    LeaseObservation observation;

    /** Whether the watch has shown the lease, or that there is none, or that it can't be read, since the watch was opened. */
    boolean watched;

    /** Whether the watch has shown a record that can't be read, and none since: this process doesn't know what that record claims. */
    boolean unreadable;

    /**
     * Whether the candidacy is to be announced once the lease is watched. Otherwise a coordinator could elect this process before it watches the
     * lease, and end a leader's term for a successor that doesn't know of its election.
     */
    boolean announceDue;

    /** The resourceVersion of the last deletion that was seen; {@code null} before the first one. */
    @Nullable
    String deletionVersion;

    /** The holder that was last reported to listeners. */
    @Nullable
    String reportedHolder;

    /** Whether another live process of this identity was reported. Only reported about. */
    transient boolean twinReported;

    /** The largest version at which a term of any process was seen to begin: no fencing token was larger. Only reported about. */
    transient long largestToken;

    /** Whether the record was reported to keep the lease claimed for long. Only reported about. */
    transient boolean claimReported;

    /**
     * Until when this process doesn't acquire the lease because it has seen the lease closed ({@code safety.md#one-owner-of-each-key}): {@link #NEVER}
     * comes only with a record that cites the one before, as that of a coordinator does. A copy that is put back doesn't.
     */
    long closedUntil = LONG_AGO;

    /** Whether it was reported, since the lease was last held, that no coordinator elects. Only reported about. */
    transient boolean vacancyReported;

    // ---- requests ------------------------------------------------------------------------------------------------

    /** What a write is for. */
    enum Purpose {
        /** To begin a term. */
        ACQUIRE,
        /** To renew it. */
        RENEW,
        /** To end it. */
        HAND_OVER,
        /** To ask the holder to yield (KEP-2835). */
        REQUEST,
        /** To preempt a holder that has not yielded (KEP-2835). */
        PREEMPT
    }

    /** A request to the API server that has no answer yet. There is one at a time. */
    sealed interface Request {

        /**
         * The lease is being read.
         *
         * @param known the newest version that was known when the read was sent, of the lease or of its deletion; {@code null} if there was none
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

        /**
         * Its answer says nothing: it was sent before the API server's history began anew ({@code safety.md#succession}), and may be of the
         * former one; or the lock was stopped and no longer waits for it.
         */
        record Outdated() implements Request {}
    }

    /** The request in flight; {@code null} when there is none. */
    @Nullable
    Request inFlight;

    /** Whether the lease must be read before the next write, because the outcome of one is unknown or the watch may lag. */
    boolean readNeeded;

    /**
     * The last write of a term, or of a preemption, that has been neither confirmed nor refused. If its id shows on the record, it has succeeded,
     * and counts from its sending (lemma <em>unknown outcome</em>); {@code null} when there is none.
     */
    Request.@Nullable Write unconfirmed;

    /**
     * When the record of this process's last write that has succeeded expires: a lease duration after the write was sent. From then on other
     * processes can acquire the lease as if it had been released.
     */
    long expiresAt = LONG_AGO;

    /** Whether the last read showed an older version than the one that was known when it was sent; the next read decides. */
    boolean historyDoubted;

    /** When the lease is read unless the watch shows it first, because an election was under way; {@link #NEVER} otherwise. */
    long readAt = NEVER;

    /** How requests have failed in a row, and when the next one may be sent. */
    Retries retries = Retries.NONE;

    // ---- preemption and the next step ----------------------------------------------------------------------------

    /** How far this process has come with preempting a holder of lower precedence (KEP-2835). */
    Preemption preemption = Preemption.NONE;

    /** When the machine wants to be stepped next, at the latest. */
    long wakeAt = NEVER;

    private LockState() {}

    /** The state before anything has happened. */
    public static LockState initial() {
        return new LockState();
    }

    /** A copy for the machine to change; what its fields refer to is immutable. */
    LockState copy() {
        try {
            return (LockState) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError("the state is cloneable", e);
        }
    }

    // ---- transitions ---------------------------------------------------------------------------------------------

    /** The work of a lost term has ended; or an acquisition has failed; or the lease was handed over, or that was given up. */
    void becomeStandby() {
        require(!(phase instanceof Phase.Leading || phase instanceof Phase.Draining), "Standby");
        phase = new Phase.Standby();
    }

    /** The write whose success begins a term is sent. */
    void becomeAcquiring() {
        require(phase instanceof Phase.Standby && running(), "Acquiring");
        phase = new Phase.Acquiring();
    }

    /** The acquiring write has succeeded, by its answer or because the record shows it: the term begins. */
    void becomeLeader(BegunTerm term, long beganAt, long validUntil, long renewAt, long wallAheadUntil) {
        require(unconfirmed != null && unconfirmed.purpose() == Purpose.ACQUIRE, "Leading");
        require(phase instanceof Phase.Acquiring || phase instanceof Phase.Standby, "Leading");
        require(participation instanceof Participation.Candidate && validUntil - beganAt > 0, "Leading");
        require(observation != null && observation.earlierClaim() - beganAt <= 0, "Leading");
        phase = new Phase.Leading(term, beganAt, validUntil, renewAt, wallAheadUntil);
    }

    /** A renewal has succeeded. */
    void renewed(long validUntil, long renewAt, long wallAheadUntil) {
        if (phase instanceof Phase.Leading leading) {
            phase = new Phase.Leading(leading.term(), leading.beganAt(), validUntil, renewAt, wallAheadUntil);
        } else if (phase instanceof Phase.Draining draining) {
            phase = new Phase.Draining(draining.work(), renewAt);
        }
    }

    /** If the wall clock was set back, how far it may get ahead counts from where it is now. */
    void wallAheadAtMost(long limit) {
        Phase.Leading leading = leading("Leading");
        phase = new Phase.Leading(
                leading.term(),
                leading.beganAt(),
                leading.validUntil(),
                leading.renewAt(),
                Math.min(leading.wallAheadUntil(), limit));
    }

    /** The term ends in good order: its work stops while the lease is kept. */
    void becomeDraining(long giveUpAt) {
        Phase.Leading leading = leading("Draining");
        phase = new Phase.Draining(new Work(leading.term(), giveUpAt), leading.renewAt());
    }

    /**
     * The lease is lost, or the deadline has passed: the term ends at once.
     *
     * @param giveUpAt the drain timeout of a term that ends with this; that of one that has ended already stays
     */
    void becomeLost(long giveUpAt) {
        phase = phase instanceof Phase.Draining draining
                ? new Phase.Lost(draining.work())
                : new Phase.Lost(new Work(leading("Lost").term(), giveUpAt));
    }

    /** The lease is to be given away: the work has ended; or an acquisition has succeeded that is no longer wanted. */
    void becomeHandingOver() {
        require(!(phase instanceof Phase.Leading || phase instanceof Phase.Lost), "HandingOver");
        phase = new Phase.HandingOver();
    }

    /** What is left to be released is given up; requests in flight are no longer waited for if the lock was stopped. */
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

    // ---- what it has written ---------------------------------------------------------------------------------

    /** Takes a new nonce: nothing that was written before is this process's own from now on. */
    void becomeAnew(String newNonce) {
        nonce = newNonce;
        writes = List.of();
        ownVersion = null;
        own = null;
        unconfirmed = null;
    }

    /**
     * A write is sent. Of many writes of unknown outcome the newest are kept, and the one that was last seen on the record, which is there
     * still. Another one that shows is waited out as a copy's.
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

    /** Whether a write was sent so recently that its record needs no other proof of being this process's own. */
    boolean sentRecently(String id) {
        return writes.stream().anyMatch(write -> write.id().equals(id) && write.sentAt() != LONG_AGO);
    }

    /** A write is on the record: those before it can't come there any more. */
    void seenWrite(Lease lease) {
        String id = lease.term() == null ? null : lease.term().write();
        int at = writes.stream().map(SentWrite::id).toList().lastIndexOf(id);
        writes = List.copyOf(writes.subList(Math.max(0, at), writes.size()));
    }

    /**
     * Forgets when writes were sent that are no longer recent: two states that differ in nothing else are the same.
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

    /** The work of an ended term that may still run; {@code null} when there is none. */
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

    /** Whether the monotonic clock may have stood still for longer than the term can bear. */
    static boolean suspended(Phase.Leading leading, Moment now) {
        return now.wallAhead() - leading.wallAheadUntil() > 0;
    }

    /** The running term; {@code null} when there is none, and while one is drained. */
    public @Nullable BegunTerm term() {
        return phase instanceof Phase.Leading leading ? leading.term() : null;
    }

    /** Until when the running term is valid, in monotonic nanoseconds; long ago when there is none. */
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

    /** Whether it was started and not stopped since. */
    public boolean running() {
        return !(participation instanceof Participation.Stopped);
    }

    /** Whether a term has ended and something of it is left: work to be waited for, or a lease to hand over. */
    public boolean ending() {
        return phase instanceof Phase.Draining || phase instanceof Phase.Lost || phase instanceof Phase.HandingOver;
    }

    /** Whether nothing of a term is left to end: no work to be waited for, no lease to hand over, no write of unknown outcome. */
    public boolean settled() {
        return phase instanceof Phase.Standby
                && (inFlight == null || inFlight instanceof Request.Outdated)
                && !readNeeded;
    }

    /** The lease as last seen; {@code null} before it was first seen, and when there is none. */
    public @Nullable Lease lease() {
        return observation == null ? null : observation.lease();
    }

    /** When to step with a {@link LockMachine.Event.Tick} at the latest, in monotonic nanoseconds; {@link #NEVER} when there is no need. */
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

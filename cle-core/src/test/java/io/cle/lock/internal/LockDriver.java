package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.cle.Role;
import io.cle.Timings;
import io.cle.lock.internal.LockMachine.Action;
import io.cle.lock.internal.LockMachine.Event;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.Moment;
import io.cle.model.internal.TermAnnotation;
import org.jspecify.annotations.Nullable;

/**
 * Drives one lock machine, its record and the record's other writers, step by step in virtual time. Requests stay open
 * until the test ends them. The watch delivers others' writes at once, unless it is broken.
 */
final class LockDriver {

    static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(30);
    static final Duration FALLBACK_DELAY = Duration.ofSeconds(30);

    /** More steps than any test needs at once; an endless loop fails instead of hanging. */
    private static final int MOST_STEPS = 10_000;

    private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

    private final LockConfig config;
    private LockState state;
    private long nanos;
    private long wallAhead;
    private long random;
    private int version = 100;
    private @Nullable Lease record;
    private boolean watching = true;
    private @Nullable Lease writing;
    private boolean reading;
    private final List<Action> actions = new ArrayList<>();

    private LockDriver(LockConfig config, LockState state) {
        this.config = config;
        this.state = state;
    }

    // ---- creation ------------------------------------------------------------------------------------------------

    static LockDriver of(LockConfig config) {
        return new LockDriver(config, LockState.initial());
    }

    /** Creates a coordinated lock that knows that its lease doesn't exist. */
    static LockDriver coordinated(String identity) {
        return of(coordinatedConfig(identity, "OldestCompatibilityVersion")).begin();
    }

    /** Creates a direct lock that knows that its lease doesn't exist. */
    static LockDriver direct(String identity) {
        return of(Race.direct(identity, null)).begin();
    }

    static LockConfig coordinatedConfig(String identity, String strategy) {
        Candidate template = Candidate.builder(new ObjectKey("shop", identity), LEASE)
                .strategy(strategy)
                .build();
        return new LockConfig(
                LEASE,
                identity,
                Timings.DEFAULT,
                DRAIN_TIMEOUT,
                new LockConfig.Fallback(true, FALLBACK_DELAY),
                new LockConfig.Candidacy(template, Duration.ofMinutes(5)),
                null,
                Duration.ofNanos(1000));
    }

    LockDriver begin() {
        start();
        relist();
        return this;
    }

    /** Grants the lock the lease and lets its acquisition succeed. */
    LockDriver leading() {
        grant(config.identity());
        return answerWrite();
    }

    // ---- users ---------------------------------------------------------------------------------------------------

    LockDriver start() {
        return step(new Event.WatchOpened()).step(new Event.Start("n1"));
    }

    LockDriver stop() {
        return step(new Event.Stop());
    }

    LockDriver resign() {
        return step(new Event.Resign(null));
    }

    LockDriver resign(String successor) {
        return step(new Event.Resign(successor));
    }

    /** All listeners have returned from the last revocation. */
    LockDriver drained() {
        Action.Revoke revoke = actions(Action.Revoke.class).stream()
                .reduce((unused, last) -> last)
                .orElseThrow();
        return step(new Event.Drained(revoke.term().fencingToken()));
    }

    LockDriver hearOfElection() {
        return step(new Event.ElectionStarted());
    }

    // ---- time ----------------------------------------------------------------------------------------------------

    /** Advances time, and wakes the machine whenever it is due. */
    LockDriver after(Duration duration) {
        long until = nanos + duration.toNanos();
        for (int steps = 0; state.wakeAt() <= until; steps++) {
            bound(steps);
            nanos = Math.max(nanos, state.wakeAt());
            int before = actions.size();
            step(new Event.Tick());
            if (state.wakeAt() <= nanos && actions.size() == before) {
                throw new AssertionError("woken at " + now() + ", did nothing, and asks to be woken again at once");
            }
        }
        nanos = until;
        return this;
    }

    /** Advances time while the process is frozen: no timer fires, no event arrives. */
    LockDriver freeze(Duration duration) {
        nanos += duration.toNanos();
        return this;
    }

    /** Suspends the machine: only the wall clock advances. */
    LockDriver suspend(Duration duration) {
        wallAhead += duration.toNanos();
        return this;
    }

    // ---- others --------------------------------------------------------------------------------------------------

    /** A coordinator grants the lease. */
    LockDriver grant(String holder) {
        Instant now = wall();
        return write(lease -> lease.holder(holder)
                .acquireTime(now)
                .renewTime(now)
                .leaseDuration(Duration.ofSeconds(15))
                .term(TermAnnotation.granted(holder, now, ended()))
                .electedBy("coordinated-election-controller")
                .strategy("OldestCompatibilityVersion")
                .noEndOfTerm()
                .managed(true));
    }

    /** A coordinator asks the holder to yield. */
    LockDriver askToYield(@Nullable String preferred) {
        return write(lease -> lease.endOfTerm(preferred, null));
    }

    /** Another process that follows the rules begins a term. */
    LockDriver taken(String holder, String nonce) {
        Instant now = wall();
        return write(lease -> lease.holder(holder)
                .acquireTime(now)
                .renewTime(now)
                .leaseDuration(Duration.ofSeconds(15))
                .term(TermAnnotation.begun(nonce, "w" + version, Duration.ofSeconds(15), holder, now, ended()))
                .noEndOfTerm());
    }

    /** client-go acquires the lease, and leaves all annotations unchanged. */
    LockDriver takenByPlain(String holder) {
        return write(lease ->
                lease.holder(holder).acquireTime(wall()).renewTime(wall()).leaseDuration(Duration.ofSeconds(15)));
    }

    /** The holder renews. */
    LockDriver renewed() {
        return write(lease -> lease.renewTime(wall()));
    }

    /** The holder releases by our rules: a moment after the last renewal, as no two writes have the same time. */
    LockDriver released() {
        nanos += Duration.ofMillis(1).toNanos();
        return write(lease -> lease.holder(null)
                .acquireTime(wall())
                .renewTime(wall())
                .leaseDuration(Duration.ofSeconds(1))
                .term(TermAnnotation.released(ended()))
                .electedBy(null)
                .noEndOfTerm());
    }

    /** What a record that follows the rules cites when it replaces the current one. */
    TermAnnotation.Ended ended() {
        return record == null ? TermAnnotation.Ended.NOTHING : record.endedWhenReplaced();
    }

    /** Another process writes to the lease. */
    LockDriver write(UnaryOperator<Lease.Builder> change) {
        Lease before = record == null ? Lease.builder(LEASE).build() : record;
        store(change.apply(before.toBuilder()).build());
        return showLease();
    }

    LockDriver delete() {
        record = null;
        version++;
        return watching ? step(new Event.LeaseMissing(String.valueOf(version))) : this;
    }

    /** etcd is restored from a backup with an earlier record, from which versions continue. Nothing shows that. */
    LockDriver restore(@Nullable Lease earlier) {
        record = earlier;
        version = earlier == null ? version - 50 : Integer.parseInt(Objects.requireNonNull(earlier.resourceVersion()));
        return this;
    }

    // ---- the watch -----------------------------------------------------------------------------------------------

    LockDriver breakWatch() {
        watching = false;
        return this;
    }

    /** The watch starts over with a list. */
    LockDriver relist() {
        watching = true;
        return step(record == null ? new Event.LeaseMissing(null) : new Event.LeaseSeen(record, false));
    }

    /** The watch delivers the current lease. */
    LockDriver showLease() {
        return watching && record != null ? step(new Event.LeaseSeen(record, true)) : this;
    }

    // ---- answers to the lock's own requests ----------------------------------------------------------------------

    /** Ends the open write as an API server does, by compare-and-swap; the watch delivers it afterwards. */
    LockDriver answerWrite() {
        if (apply()) {
            endWrite(new ApiResult.Ok<>(Objects.requireNonNull(record)));
            return showLease();
        }
        return endWrite(new ApiResult.Conflict<>("the object has been modified"));
    }

    /** Stores the open write as an admission policy changes it, which its answer shows. */
    LockDriver answerWriteChangedBy(UnaryOperator<Lease.Builder> policy) {
        if (!apply()) {
            return endWrite(new ApiResult.Conflict<>("the object has been modified"));
        }
        Lease stored = record();
        record = policy.apply(stored.toBuilder()).build();
        endWrite(new ApiResult.Changed<>(record, "PATCH /leases/orders: something is missing"));
        return showLease();
    }

    /** Applies the open write, without an answer or a watch event. */
    LockDriver applyWrite() {
        if (!apply()) {
            throw new AssertionError("the record has changed since the lock saw it");
        }
        return this;
    }

    /** Ends the open write with the given result. */
    LockDriver endWrite(ApiResult<Lease> result) {
        writing = null;
        return step(new Event.WriteDone(result));
    }

    LockDriver loseWrite() {
        return endWrite(new ApiResult.OutcomeUnknown<>("timed out"));
    }

    LockDriver answerRead() {
        reading = false;
        return step(new Event.ReadDone(new ApiResult.Ok<>(Optional.ofNullable(record))));
    }

    LockDriver loseRead() {
        reading = false;
        return step(new Event.ReadDone(new ApiResult.OutcomeUnknown<>("timed out")));
    }

    /** Answers all requests for a while. */
    LockDriver serve(Duration duration) {
        return serve(duration, this::answerWrite, this::answerRead);
    }

    /** Lets every request time out for a while. */
    LockDriver outage(Duration duration) {
        return serve(duration, this::loseWrite, this::loseRead);
    }

    /** Answers reads, but lets writes time out for a while, as behind an admission webhook that doesn't answer. */
    LockDriver withoutWrites(Duration duration) {
        return serve(duration, this::loseWrite, this::answerRead);
    }

    /** Answers all requests for a while, behind an admission policy that changes writes. */
    LockDriver serveChangedBy(UnaryOperator<Lease.Builder> policy, Duration duration) {
        return serve(duration, () -> answerWriteChangedBy(policy), this::answerRead);
    }

    private LockDriver serve(Duration duration, Runnable endWrite, Runnable endRead) {
        long until = nanos + duration.toNanos();
        for (int steps = 0; true; steps++) {
            bound(steps);
            if (writing != null) {
                endWrite.run();
            } else if (reading) {
                endRead.run();
            } else if (state.wakeAt() <= until) {
                after(Duration.ofNanos(Math.max(0, state.wakeAt() - nanos)));
            } else {
                nanos = until;
                return this;
            }
        }
    }

    // ---- state ---------------------------------------------------------------------------------------------------

    LockConfig config() {
        return config;
    }

    LockState state() {
        return state;
    }

    boolean leads() {
        return state.leads(now());
    }

    Role role() {
        return state.role(now());
    }

    /** The record in the API server. */
    Lease record() {
        return Objects.requireNonNull(record);
    }

    /** The open write; {@code null} if there is none. */
    @Nullable
    Lease writing() {
        return writing;
    }

    boolean reading() {
        return reading;
    }

    /** All actions of one kind so far. */
    <A extends Action> List<A> actions(Class<A> kind) {
        return actions.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    List<Action> actions() {
        return actions;
    }

    List<String> reports() {
        return actions.stream()
                .flatMap(action -> action instanceof Action.Report report
                        ? Stream.of(report.message())
                        : action instanceof Action.RequestFailed failed ? Stream.of(failed.message()) : Stream.of())
                .toList();
    }

    Moment now() {
        return new Moment(nanos, wall());
    }

    private Instant wall() {
        return EPOCH.plusNanos(nanos + wallAhead);
    }

    // ---- internals -----------------------------------------------------------------------------------------------

    private static void bound(int steps) {
        if (steps > MOST_STEPS) {
            throw new AssertionError("the lock doesn't settle");
        }
    }

    LockDriver step(Event event) {
        LockMachine.Outcome transition = LockMachine.step(config, state, event, now(), ++random);
        state = transition.state();
        for (Action action : transition.actions()) {
            actions.add(action);
            if (action instanceof Action.WriteLease write) {
                if (writing != null || reading) {
                    throw new AssertionError("a write while another request is open");
                }
                writing = write.desired();
            } else if (action instanceof Action.ReadLease) {
                if (writing != null || reading) {
                    throw new AssertionError("a read while another request is open");
                }
                reading = true;
            }
        }
        return this;
    }

    private boolean apply() {
        Lease desired = Objects.requireNonNull(writing, "nothing is being written");
        String current = record == null ? null : record.resourceVersion();
        if (!Objects.equals(current, desired.resourceVersion())) {
            return false;
        }
        store(desired);
        return true;
    }

    private void store(Lease lease) {
        record = lease.toBuilder().resourceVersion(String.valueOf(++version)).build();
    }
}

package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import io.cle.lock.internal.CandidacyMachine.Action;
import io.cle.lock.internal.CandidacyMachine.Event;
import io.cle.model.Candidate;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Drives one candidacy and its object step by step in virtual time. Requests stay open until the test ends them; the
 * watch delivers changes of the object at once.
 */
final class CandidacyDriver {

    static final Duration RENEW_INTERVAL = Duration.ofMinutes(5);
    static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

    private final LockConfig config = LockDriver.coordinatedConfig("a", "OldestCompatibilityVersion");
    private CandidacyState state = CandidacyState.initial(null);
    private long nanos;
    private int version = 100;
    private @Nullable Candidate stored;
    private @Nullable Action open;
    private final List<Action> actions = new ArrayList<>();

    CandidacyDriver announce() {
        return step(new Event.Announce());
    }

    CandidacyDriver withdraw() {
        return step(new Event.Withdraw());
    }

    /** Restarts the lock, with a new watch. */
    CandidacyDriver beginAnew() {
        state = state.afresh();
        return this;
    }

    CandidacyDriver priority(@Nullable Integer priority) {
        return step(new Event.PriorityChanged(priority));
    }

    CandidacyDriver garble() {
        return step(new Event.Malformed());
    }

    /** Announces the candidate successfully. */
    CandidacyDriver announced() {
        return announce().answer();
    }

    /** Advances time, and wakes the machine whenever it is due. */
    CandidacyDriver after(Duration duration) {
        long until = nanos + duration.toNanos();
        int wakeUps = 0;
        while (state.wakeAt() <= until) {
            if (++wakeUps > 10_000) {
                throw new AssertionError("the machine keeps asking to be woken");
            }
            nanos = Math.max(nanos, state.wakeAt());
            step(new Event.Tick());
        }
        nanos = until;
        return this;
    }

    /** A coordinator pings the candidate, by its own clock. */
    CandidacyDriver ping(Instant time) {
        store(Objects.requireNonNull(stored).toBuilder().pingTime(time).build());
        return show();
    }

    /** An administrator deletes the object. */
    CandidacyDriver delete() {
        stored = null;
        return step(new Event.Missing(Integer.toString(++version)));
    }

    /** An administrator deletes the object, but the watch doesn't deliver that. */
    CandidacyDriver deleteUnseen() {
        stored = null;
        version++;
        return this;
    }

    /** The initial list of the watch is empty. */
    CandidacyDriver findMissing() {
        return step(new Event.Missing(Integer.toString(version)));
    }

    /** Stores the open write, and returns its answer; neither that nor a watch event is delivered. */
    Candidate carryOutUnseen() {
        store(written(Objects.requireNonNull(open, "nothing is open")));
        return Objects.requireNonNull(stored);
    }

    /** etcd is restored from a backup with the given candidate, and a list shows that. */
    CandidacyDriver restore(@Nullable Candidate earlier) {
        stored = earlier;
        version = 1;
        return step(earlier == null ? new Event.Missing("1") : new Event.Seen(earlier, true));
    }

    /** etcd is restored from a backup with the given candidate, and nothing shows that. */
    CandidacyDriver restoreUnseen(Candidate earlier) {
        stored = earlier;
        version = 0;
        return this;
    }

    CandidacyDriver show() {
        return step(new Event.Seen(Objects.requireNonNull(stored), false));
    }

    /** Ends the open request as an API server does; the watch delivers the change afterwards. */
    CandidacyDriver answer() {
        Action action = Objects.requireNonNull(open, "nothing is open");
        open = null;
        if (action instanceof Action.Delete) {
            stored = null;
            return step(new Event.DeleteDone(new ApiResult.Ok<>("deleted")));
        }
        boolean creates = action instanceof Action.Create;
        if (creates == (stored != null)) {
            return step(new Event.WriteDone(
                    creates ? new ApiResult.Conflict<>("already exists") : new ApiResult.Gone<>("not found")));
        }
        store(written(action).toBuilder().pingTime(null).build());
        step(new Event.WriteDone(new ApiResult.Ok<>(Objects.requireNonNull(stored))));
        return show();
    }

    /** Answers the open write as changed by a policy; the watch delivers it afterwards. */
    CandidacyDriver answerChangedBy(UnaryOperator<Candidate.Builder> policy) {
        store(policy.apply(written(Objects.requireNonNull(open, "nothing is open")).toBuilder())
                .build());
        open = null;
        step(new Event.WriteDone(new ApiResult.Changed<>(Objects.requireNonNull(stored), "something is missing")));
        return show();
    }

    /** Stores the open write, and returns its answer; the watch delivers it, the answer is still on its way. */
    Candidate carryOut() {
        store(written(Objects.requireNonNull(open, "nothing is open")).toBuilder()
                .pingTime(null)
                .build());
        show();
        return Objects.requireNonNull(stored);
    }

    /** Stores a write whose request has already ended; the watch delivers it. */
    CandidacyDriver carryOutLate(Action write) {
        store(written(write));
        return show();
    }

    /** Another process announces itself under the same name. */
    CandidacyDriver announcedByAnother() {
        store(Objects.requireNonNull(config.candidacy()).template().toBuilder()
                .renewTime(wall().plusMillis(7))
                .build());
        return show();
    }

    /** Delivers the answer to the open write. */
    CandidacyDriver hear(Candidate answer) {
        open = null;
        return step(new Event.WriteDone(new ApiResult.Ok<>(answer)));
    }

    /** Delivers the answer to a deletion. */
    CandidacyDriver findDeleted() {
        return step(new Event.DeleteDone(new ApiResult.Ok<>("deleted")));
    }

    CandidacyDriver lose() {
        Action action = Objects.requireNonNull(open, "nothing is open");
        open = null;
        return action instanceof Action.Delete
                ? step(new Event.DeleteDone(new ApiResult.OutcomeUnknown<>("timed out")))
                : step(new Event.WriteDone(new ApiResult.OutcomeUnknown<>("timed out")));
    }

    /** Lets every request time out for a while. */
    CandidacyDriver outage(Duration duration) {
        long until = nanos + duration.toNanos();
        for (int steps = 0; true; steps++) {
            if (steps > 10_000) {
                throw new AssertionError("the candidacy doesn't settle");
            }
            if (open != null) {
                lose();
            } else if (state.wakeAt() <= until) {
                after(Duration.ofNanos(Math.max(0, state.wakeAt() - nanos)));
            } else {
                nanos = until;
                return this;
            }
        }
    }

    CandidacyState state() {
        return state;
    }

    /** The stored object; {@code null} if there is none. */
    @Nullable
    Candidate stored() {
        return stored;
    }

    /** The open request; {@code null} if there is none. */
    @Nullable
    Action open() {
        return open;
    }

    <A extends Action> List<A> actions(Class<A> kind) {
        return actions.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    Instant wall() {
        return EPOCH.plusNanos(nanos);
    }

    private static Candidate written(Action action) {
        return action instanceof Action.Create create ? create.candidate() : ((Action.Renew) action).candidate();
    }

    private void store(Candidate candidate) {
        stored =
                candidate.toBuilder().resourceVersion(String.valueOf(++version)).build();
    }

    private CandidacyDriver step(Event event) {
        CandidacyMachine.Outcome outcome = CandidacyMachine.step(config, state, event, new Moment(nanos, wall()));
        state = outcome.state();
        for (Action action : outcome.actions()) {
            actions.add(action);
            if (action instanceof Action.Create || action instanceof Action.Renew || action instanceof Action.Delete) {
                if (open != null) {
                    throw new AssertionError("a second request while one is open: " + open);
                }
                open = action;
            }
        }
        return this;
    }
}

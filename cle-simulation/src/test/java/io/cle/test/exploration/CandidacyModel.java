package io.cle.test.exploration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.cle.lock.internal.CandidacyMachine;
import io.cle.lock.internal.CandidacyMachine.Action;
import io.cle.lock.internal.CandidacyMachine.Event;
import io.cle.lock.internal.CandidacyState;
import io.cle.lock.internal.LockConfig;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Moment;
import io.cle.test.exploration.Move.Edit;
import io.cle.test.exploration.Move.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The candidacy of one process: its machine, its candidate on the API server, and a coordinator that pings it at any time. Faults: requests and
 * answers are lost or delayed, the watch is silent or begins anew, the process pauses, crashes, or withdraws and joins again, and an
 * administrator deletes the candidate. Afterwards, the candidate must soon exist and have acknowledged.
 */
@SuppressWarnings("EnumOrdinal") // a move is packed into one int, and unpacked by the same program
final class CandidacyModel implements StateSpace<CandidacyModel.State> {

    /** A renewal fails at most once after the last fault, and its back-off is a lease duration at most. */
    static final int GOAL_WITHIN = 8;

    /** Too long to be what reaches the goal. */
    private static final Duration RENEW_INTERVAL = Duration.ofSeconds(GOAL_WITHIN + 4);

    private static final int PROCESS = 0;
    private static final int COORDINATOR = 1;
    private static final ObjectKey KEY = new ObjectKey(Setting.LEASE.namespace(), "a");
    private static final List<int[]> ONE_NAME = List.of(new int[] {0});

    private final int faults;
    private final int horizon;
    private final Clocks clocks = new Clocks(List.of(Setting.SECOND, Setting.SECOND));
    private final LockConfig config = new LockConfig(
            Setting.LEASE,
            KEY.name(),
            Setting.TIMINGS,
            Setting.DRAIN_TIMEOUT,
            new LockConfig.Fallback(false, Duration.ZERO),
            new LockConfig.Candidacy(Candidate.builder(KEY, Setting.LEASE).build(), RENEW_INTERVAL),
            null,
            Duration.ofNanos(1000));

    /**
     * A request, or its answer.
     *
     * @param desired what is to be written; {@code null} if the candidate is to be deleted
     * @param answer {@code null} until the API server has handled the request
     */
    record Message(
            long id,
            boolean creates,
            @Nullable Candidate desired,
            @Nullable ApiResult<?> answer,
            boolean delayed) {}

    /** What the watch delivers: the candidate, or that it isn't there, and the version of the change or of the list. */
    record Notice(@Nullable Candidate candidate, long version) {}

    /** One state. */
    static final class State {
        int tick;
        transient long version = Clocks.FIRST_VERSION;
        int faultsLeft;

        @Nullable
        Candidate stored;

        /** {@code null} while the process is down. */
        @Nullable
        CandidacyState machine;

        /** Whether the process wants to be a candidate. */
        boolean wanted;

        List<Notice> watch = List.of();
        List<Message> network = List.of();

        /** The id of the request that it waits for; 0 if it waits for none. */
        long awaited;

        /** Whether that deletes the candidate. */
        boolean deletes;

        long sentAt;
        boolean paused;
        boolean silent;

        /** The fate of a request that the present move sends. */
        transient Kind nextRequest = Kind.REQUEST_ARRIVES;

        transient boolean sent;

        State copy() {
            State copy = new State();
            copy.tick = tick;
            copy.version = version;
            copy.faultsLeft = faultsLeft;
            copy.stored = stored;
            copy.machine = machine;
            copy.wanted = wanted;
            copy.watch = watch;
            copy.network = network;
            copy.awaited = awaited;
            copy.deletes = deletes;
            copy.sentAt = sentAt;
            copy.paused = paused;
            copy.silent = silent;
            return copy;
        }
    }

    /**
     * A candidacy that is about to begin.
     *
     * @param faults the most faults in a history
     * @param horizon after how many ticks histories end
     */
    CandidacyModel(int faults, int horizon) {
        this.faults = faults;
        this.horizon = horizon;
    }

    @Override
    public State initial() {
        State state = new State();
        state.faultsLeft = faults;
        start(state);
        return state;
    }

    private void start(State state) {
        state.machine = CandidacyState.initial(null);
        state.watch = List.of(new Notice(state.stored, state.version));
        state.wanted = true;
        step(state, new Event.Announce());
    }

    // ---- what can happen -----------------------------------------------------------------------------------------

    @Override
    public List<Successor<State>> successors(State state) {
        List<Successor<State>> successors = new ArrayList<>();
        for (Move move : prompt(state)) {
            if (move.kind() == Kind.NEXT_TICK && state.tick >= horizon) {
                continue;
            }
            follow(state, move, successors);
        }
        for (Move move : others(state)) {
            follow(state, move, successors);
        }
        return successors;
    }

    private void follow(State state, Move move, List<Successor<State>> successors) {
        Successor<State> successor = successor(state, move);
        successors.add(successor);
        if (successor.state().sent && successor.state().faultsLeft > 0) {
            successors.add(successor(state, new Move(move.kind(), PROCESS, move.argument() | Move.LOST)));
            successors.add(successor(state, new Move(move.kind(), PROCESS, move.argument() | Move.DELAYED)));
        }
    }

    private Successor<State> successor(State state, Move move) {
        try {
            return new Successor<>(move, next(state, move));
        } catch (Violation e) {
            throw new ViolatedBy(move, e);
        }
    }

    private List<Move> prompt(State state) {
        List<Move> moves = new ArrayList<>();
        CandidacyState machine = state.machine;
        for (int i = 0; i < state.network.size(); i++) {
            Message message = state.network.get(i);
            if (!message.delayed() && message.answer() == null) {
                moves.add(new Move(Kind.REQUEST_ARRIVES, PROCESS, i));
            } else if (!message.delayed() && machine != null && !state.paused) {
                moves.add(new Move(Kind.ANSWER_ARRIVES, PROCESS, i));
            }
        }
        if (machine != null && !state.paused) {
            long now = now(state).nanos();
            if (!state.watch.isEmpty() && !state.silent) {
                moves.add(new Move(Kind.OBSERVES, PROCESS, 0));
            }
            if (machine.wakeAt() <= now) {
                moves.add(new Move(Kind.WAKES_UP, PROCESS, 0));
            }
            if (state.awaited != 0
                    && now - state.sentAt >= Setting.TIMINGS.requestTimeout().toNanos()) {
                moves.add(new Move(Kind.TIMES_OUT, PROCESS, 0));
            }
        }
        if (moves.isEmpty()) {
            moves.add(new Move(Kind.NEXT_TICK, PROCESS, 0));
        }
        return moves;
    }

    /** What ends a fault, a ping, and what goes wrong. */
    private static List<Move> others(State state) {
        List<Move> moves = new ArrayList<>();
        for (int i = 0; i < state.network.size(); i++) {
            Message message = state.network.get(i);
            if (message.delayed()) {
                moves.add(new Move(Kind.ARRIVES_LATE, PROCESS, i));
            } else if (message.answer() != null && state.faultsLeft > 0) {
                moves.add(new Move(Kind.LOSE, PROCESS, i));
                moves.add(new Move(Kind.DELAY, PROCESS, i));
            }
        }
        if (state.machine == null || (!state.wanted && !state.paused)) {
            moves.add(new Move(Kind.RESTARTS, PROCESS, 0));
        }
        if (state.paused) {
            moves.add(new Move(Kind.RESUMES, PROCESS, 0));
        }
        if (state.silent) {
            moves.add(new Move(Kind.WATCH_RESUMES, PROCESS, 0));
            moves.add(new Move(Kind.WATCH_RESTARTS, PROCESS, 0));
        }
        if (state.stored != null && !state.stored.ackPending()) {
            moves.add(new Move(Kind.IS_PINGED, PROCESS, 0));
        }
        if (state.faultsLeft > 0) {
            if (state.machine != null && !state.paused) {
                moves.add(new Move(Kind.PAUSE, PROCESS, 0));
                moves.add(new Move(Kind.CRASH, PROCESS, 0));
                if (state.wanted) {
                    moves.add(new Move(Kind.STOP, PROCESS, 0));
                }
                if (!state.silent) {
                    moves.add(new Move(Kind.SILENCE, PROCESS, 0));
                    moves.add(new Move(Kind.BREAK_WATCH, PROCESS, 0));
                }
            }
            if (state.stored != null) {
                moves.add(new Move(Kind.EDIT, PROCESS, Edit.DELETE.ordinal()));
            }
        }
        return moves;
    }

    // ---- what follows --------------------------------------------------------------------------------------------

    @Override
    public State next(State before, Move move) {
        State state = before.copy();
        boolean lost = (move.argument() & Move.LOST) != 0;
        boolean delayed = (move.argument() & Move.DELAYED) != 0;
        state.nextRequest = lost ? Kind.LOSE : delayed ? Kind.DELAY : Kind.REQUEST_ARRIVES;
        state.faultsLeft -= (move.kind().fault() ? 1 : 0) + (lost || delayed ? 1 : 0);
        apply(state, move.kind(), move.argument() & ~(Move.LOST | Move.DELAYED));
        // Drops answers that are no longer awaited.
        state.network = state.network.stream()
                .filter(message -> message.answer() == null || message.id() == state.awaited)
                .toList();
        if (state.awaited == 0) {
            state.sentAt = 0;
            state.deletes = false;
        }
        return state;
    }

    private void apply(State state, Kind kind, int argument) {
        switch (kind) {
            case REQUEST_ARRIVES -> {
                Message message = state.network.get(argument);
                state.network = World.without(state.network, argument);
                state.network = World.with(state.network, handled(state, message));
            }
            case ANSWER_ARRIVES -> answered(state, argument);
            case OBSERVES -> {
                Notice notice = state.watch.get(0);
                state.watch = World.without(state.watch, 0);
                step(
                        state,
                        notice.candidate() != null
                                ? new Event.Seen(notice.candidate(), false)
                                : new Event.Missing(Long.toString(notice.version())));
            }
            case WAKES_UP -> {
                step(state, new Event.Tick());
                if (machine(state).wakeAt() <= now(state).nanos()) {
                    throw new Violation("the candidacy asks to be woken at an instant that has passed");
                }
            }
            case TIMES_OUT -> {
                state.awaited = 0;
                step(state, done(state.deletes, new ApiResult.OutcomeUnknown<Candidate>("no answer")));
            }
            case NEXT_TICK -> state.tick++;
            case LOSE -> state.network = World.without(state.network, argument);
            case DELAY, ARRIVES_LATE -> {
                Message message = state.network.get(argument);
                state.network = World.without(state.network, argument);
                state.network = World.with(
                        state.network,
                        new Message(
                                message.id(),
                                message.creates(),
                                message.desired(),
                                message.answer(),
                                kind == Kind.DELAY));
            }
            case RESTARTS -> {
                if (state.machine == null) {
                    start(state);
                } else {
                    state.wanted = true;
                    step(state, new Event.Announce());
                }
            }
            case STOP -> {
                state.wanted = false;
                step(state, new Event.Withdraw());
            }
            case CRASH -> {
                state.machine = null;
                state.awaited = 0;
                state.silent = false;
                state.watch = List.of();
            }
            case IS_PINGED -> {
                Candidate stored = Objects.requireNonNull(state.stored);
                store(
                        state,
                        stored.toBuilder()
                                .pingTime(stored.nextPing(clocks.wall(COORDINATOR, state.tick)))
                                .build());
            }
            case EDIT -> delete(state);
            case PAUSE -> state.paused = true;
            case RESUMES -> state.paused = false;
            case SILENCE -> state.silent = true;
            case WATCH_RESUMES -> state.silent = false;
            case BREAK_WATCH, WATCH_RESTARTS -> {
                state.silent = false;
                state.watch = List.of(new Notice(state.stored, state.version));
            }
            default -> throw new IllegalStateException("not for a candidacy: " + kind);
        }
    }

    private static CandidacyState machine(State state) {
        return Objects.requireNonNull(state.machine, "the process is down");
    }

    private Moment now(State state) {
        return new Moment(clocks.nanos(PROCESS, state.tick), clocks.wall(PROCESS, state.tick));
    }

    private void step(State state, Event event) {
        CandidacyMachine.Outcome outcome;
        try {
            outcome = CandidacyMachine.step(config, machine(state), event, now(state));
        } catch (IllegalStateException e) {
            throw new Violation("the candidacy fails by " + event + ": " + e.getMessage());
        }
        state.machine = outcome.state();
        for (Action action : outcome.actions()) {
            if (action instanceof Action.Create create) {
                send(state, true, create.candidate());
            } else if (action instanceof Action.Renew renew) {
                send(state, false, renew.candidate());
            } else if (action instanceof Action.Delete) {
                send(state, false, null);
            }
        }
    }

    private void send(State state, boolean creates, @Nullable Candidate desired) {
        if (state.awaited != 0) {
            throw new Violation("the candidacy sends a request while another one is under way");
        }
        long id = 1;
        for (Message message : state.network) {
            id = Math.max(id, message.id() + 1);
        }
        state.awaited = id;
        state.deletes = desired == null;
        state.sentAt = now(state).nanos();
        state.sent = true;
        Message request = new Message(id, creates, desired, null, false);
        switch (state.nextRequest) {
            case LOSE -> {}
            case DELAY -> state.network = World.with(state.network, new Message(id, creates, desired, null, true));
            default -> state.network = World.with(state.network, handled(state, request));
        }
    }

    /** A renewal is a patch: whatever is stored is renewed. */
    private static Message handled(State state, Message message) {
        Candidate desired = message.desired();
        Candidate stored = state.stored;
        ApiResult<?> answer;
        if (desired == null) {
            answer = stored == null ? new ApiResult.Gone<>("deleted") : new ApiResult.Ok<>(Optional.of(stored));
            delete(state);
        } else if (message.creates()) {
            answer = stored == null ? new ApiResult.Ok<>(store(state, desired)) : new ApiResult.Conflict<>("exists");
        } else if (stored == null) {
            answer = new ApiResult.Gone<>("deleted");
        } else {
            answer = new ApiResult.Ok<>(
                    store(state, desired.toBuilder().pingTime(stored.pingTime()).build()));
        }
        return new Message(message.id(), message.creates(), desired, answer, false);
    }

    private static Candidate store(State state, Candidate candidate) {
        state.version++;
        Candidate stored = candidate.toBuilder()
                .resourceVersion(Long.toString(state.version))
                .build();
        state.stored = stored;
        publish(state, new Notice(stored, state.version));
        return stored;
    }

    private static void delete(State state) {
        if (state.stored != null) {
            state.version++;
            state.stored = null;
            publish(state, new Notice(null, state.version));
        }
    }

    private static void publish(State state, Notice notice) {
        if (state.machine != null) {
            state.watch = World.with(state.watch, notice);
        }
    }

    private void answered(State state, int index) {
        Message message = state.network.get(index);
        state.network = World.without(state.network, index);
        if (state.awaited == message.id()) {
            state.awaited = 0;
            step(
                    state,
                    done(
                            message.desired() == null,
                            Objects.requireNonNull(message.answer(), "it arrives once the request was handled")));
        }
    }

    @SuppressWarnings("unchecked")
    private static Event done(boolean deletes, ApiResult<?> result) {
        return deletes ? new Event.DeleteDone(result) : new Event.WriteDone((ApiResult<Candidate>) result);
    }

    @Override
    public Fingerprint fingerprint(State state) {
        return fingerprint(state, state.tick);
    }

    private Fingerprint fingerprint(State state, int now) {
        return Fingerprint.of(
                (renaming, parts) -> parts.add(Tokens.of(state, clocks)),
                clocks,
                now,
                RENEW_INTERVAL.plusSeconds(1).toNanos(),
                Long.MAX_VALUE,
                false,
                ONE_NAME);
    }

    // ---- without faults from now on ------------------------------------------------------------------------------

    @Override
    public String goal() {
        return "candidate that has acknowledged, or has been withdrawn";
    }

    @Override
    public State withoutFaults(State from) {
        State state = from.copy();
        state.faultsLeft = 0;
        state.network = state.network.stream()
                .map(message ->
                        new Message(message.id(), message.creates(), message.desired(), message.answer(), false))
                .toList();
        state.paused = false;
        if (state.silent) {
            state.silent = false;
            state.watch = List.of(new Notice(state.stored, state.version));
        }
        if (state.machine == null) {
            start(state);
        }
        return state;
    }

    @Override
    public State nextWithoutFaults(State state) {
        return next(state, prompt(state).get(0));
    }

    @Override
    public Fingerprint fingerprintWithoutFaults(State state) {
        State atAnyTick = state.copy();
        atAnyTick.tick = 0;
        return fingerprint(atAnyTick, state.tick);
    }

    @Override
    public int tick(State state) {
        return state.tick;
    }

    /** Once nothing is under way, the process and the API server agree. */
    @Override
    public boolean reachesGoal(State state) {
        if (!state.network.isEmpty() || !state.watch.isEmpty()) {
            return false;
        }
        CandidacyState machine = machine(state);
        return state.wanted
                ? state.stored != null && !state.stored.ackPending() && machine.stored() != null
                : machine.withdrawn();
    }

    // ---- for a person --------------------------------------------------------------------------------------------

    @Override
    public String describe(State state) {
        Candidate stored = state.stored;
        return (stored == null ? "no candidate" : "candidate" + (stored.ackPending() ? ", pinged" : ""))
                + (state.machine == null ? "; the process is down" : state.wanted ? "" : "; it has withdrawn");
    }

    @Override
    public String describe(Move move, State before) {
        String fault = (move.argument() & Move.LOST) != 0
                ? ", and its request is lost"
                : (move.argument() & Move.DELAYED) != 0 ? ", and its request is delayed" : "";
        String what = move.kind() == Kind.EDIT ? "is deleted by an administrator" : move.kind() + fault;
        return String.format("tick %2d  %s", before.tick, what);
    }
}

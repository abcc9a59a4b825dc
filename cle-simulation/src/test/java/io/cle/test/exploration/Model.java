package io.cle.test.exploration;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.cle.ApiFormat;
import io.cle.election.internal.CandidateObservation;
import io.cle.election.internal.Decision;
import io.cle.election.internal.Election;
import io.cle.election.internal.HoldOffs;
import io.cle.election.internal.HolderPod;
import io.cle.election.internal.LastHolder;
import io.cle.election.internal.StrategyChoice;
import io.cle.election.internal.StrategyRule;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockMachine;
import io.cle.lock.internal.LockMachine.Action;
import io.cle.lock.internal.LockMachine.Event;
import io.cle.lock.internal.LockState;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.model.internal.ResourceVersions;
import io.cle.model.internal.TermAnnotation;
import io.cle.strategy.internal.Strategies;
import io.cle.test.exploration.Move.Edit;
import io.cle.test.exploration.Move.Kind;
import io.cle.test.exploration.World.Message;
import io.cle.test.exploration.World.Notice;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which one state follows from another, and what must hold in each. All that a lock or a coordinator decides is decided by
 * the shipped machines; the API server's compare and swap, the watch and the network are modelled here.
 *
 * <p>Candidates are simplified: a coordinator's ping reaches the candidate object at once, and the candidate's answer reaches the coordinator
 * once the candidate runs. A coordinator doesn't crash: it pauses, or another one takes over.
 */
@SuppressWarnings("EnumOrdinal") // a move is packed into one int, and unpacked by the same program
final class Model implements StateSpace<World> {

    private static final String GHOST = "ghost";

    private static final String ELECTOR = "elector";

    private static final LeaseObservation.Observer COORDINATOR =
            new LeaseObservation.Observer(Setting.POLICY.leaseDuration(), false);

    /** {@link World#mover}: a tick has just begun. */
    static final int TICK = -2;

    /** {@link World#mover}: it makes no difference. */
    private static final int NONE = -3;

    private final Setting setting;
    private final Clocks clocks;
    private final LockConfig[] configs;
    private final StrategyRule strategies = new StrategyRule(Strategies.builtIn());

    Model(Setting setting) {
        this.setting = setting;
        clocks = new Clocks(setting.nanosPerTick());
        configs = new LockConfig[setting.processes()];
        for (int i = 0; i < configs.length; i++) {
            configs[i] = setting.config(i);
        }
    }

    // ---- the beginning -------------------------------------------------------------------------------------------

    @Override
    public World initial() {
        World world = new World(setting.processes() + (setting.copies() ? 1 : 0));
        world.faultsLeft = setting.faults();
        if (setting.coordinated()) {
            world.coordinator = new World.Coordinator(setting.processes());
            world.coordinator.watch = List.of(snapshot(world));
        }
        for (int i = 0; i < world.processes.length; i++) {
            world.processes[i] = new World.Member();
        }
        if (setting.begin() == Setting.Begin.GHOST_LEASE) {
            store(world, ghostLease(world));
        }
        int started = setting.begin() == Setting.Begin.FIRST_PAUSES ? 2 : setting.processes();
        for (int i = 0; i < started; i++) {
            start(world, i);
            if (i == 0 && setting.begin().hasLeader()) {
                settle(world);
            }
        }
        if (setting.begin() == Setting.Begin.SETTLED) {
            settle(world);
        }
        if (setting.begin().hasLeader() && world.leader < 0) {
            throw new Violation("there is no leader to begin with: " + describe(world));
        }
        world.processes[0].paused = setting.begin() == Setting.Begin.FIRST_PAUSES;
        world.beginning = world.tick;
        if (world.firstTerm != null && world.stored != null && world.stored.confirmed()) {
            world.firstTerm = world.stored;
        }
        return world;
    }

    private Lease ghostLease(World world) {
        Instant time = clocks.wall(setting.processes(), world.tick);
        return Lease.builder(Setting.LEASE)
                .holder(GHOST)
                .leaseDuration(Duration.ofSeconds(Setting.LONGEST))
                .acquireTime(time)
                .renewTime(time)
                .build();
    }

    private void settle(World world) {
        int end = world.tick + 3;
        int latest = world.tick + Setting.LEADER_WITHIN;
        while (world.tick < end || (world.leader < 0 && world.tick < latest)) {
            apply(world, prompt(world).get(0));
            followCandidates(world);
        }
    }

    private void start(World world, int index) {
        World.Member process = world.change(index);
        process.incarnation++;
        if (process.state == null) {
            process.state = LockState.initial();
            process.watch = List.of(snapshot(world));
            step(world, index, new Event.WatchOpened());
        }
        step(world, index, new Event.Start(setting.nonce(index, process.incarnation)));
    }

    // ---- what can happen -----------------------------------------------------------------------------------------

    /**
     * Returns the successors of a state. Histories that differ only in the order of independent moves are followed once:
     *
     * <ul>
     *   <li>A request that is not delayed reaches the API server in the move that sends it: whatever could come between could as well
     *       come before.
     *   <li>If all that a process has to do is to observe, and neither a request nor its own leadership follows from that, it does so
     *       before all others move. Not with a coordinator, because it makes a difference whether it is pinged before.
     *   <li>A process pauses, crashes or loses its watch at the beginning of a tick or right after it has moved itself; an administrator
     *       edits at the beginning of a tick or right after the API server has handled a request; faults end at the beginning of a tick.
     * </ul>
     */
    @Override
    public List<Successor<World>> successors(World world) {
        List<Move> prompt = prompt(world);
        List<Move> others = new ArrayList<>();
        if (world.mover == TICK) {
            recoveries(world, others);
        }
        if (world.faultsLeft > 0) {
            faults(world, others);
            edits(world, others);
        }
        List<Successor<World>> successors = new ArrayList<>();
        List<Successor<World>> observations = new ArrayList<>();
        Successor<World> first = observationBeforeAllElse(world, prompt, observations);
        if (first != null) {
            successors.add(first);
        } else {
            for (Move move : prompt) {
                boolean ends =
                        tooLong(world) || (setting.horizon() > 0 && world.tick - world.beginning >= setting.horizon());
                if (move.kind() == Kind.NEXT_TICK && ends) {
                    continue;
                }
                Successor<World> successor = successor(world, move, observations);
                successors.add(successor);
                boolean sends = successor.state().sent && move.kind() != Kind.REQUEST_ARRIVES;
                if (sends && world.faultsLeft > 0 && mayHappen(world, Kind.LOSE)) {
                    successors.add(successor(world, new Move(move.kind(), move.on(), move.argument() | Move.LOST)));
                }
                if (sends && world.faultsLeft > 0 && mayHappen(world, Kind.DELAY)) {
                    successors.add(successor(world, new Move(move.kind(), move.on(), move.argument() | Move.DELAYED)));
                }
            }
        }
        for (Move move : others) {
            successors.add(successor(world, move));
        }
        return successors;
    }

    private Successor<World> successor(World world, Move move) {
        try {
            return new Successor<>(move, next(world, move));
        } catch (Violation e) {
            throw new ViolatedBy(move, e);
        }
    }

    private Successor<World> successor(World world, Move move, List<Successor<World>> known) {
        for (Successor<World> successor : known) {
            if (successor.move().equals(move)) {
                return successor;
            }
        }
        return successor(world, move);
    }

    /**
     * An observation that is followed before all others move.
     *
     * @param others receives observations that aren't
     */
    private @Nullable Successor<World> observationBeforeAllElse(
            World world, List<Move> prompt, List<Successor<World>> others) {
        if (setting.coordinated()) {
            return null;
        }
        for (Move move : prompt) {
            boolean observes = move.kind() == Kind.OBSERVES && world.processes[move.on()].awaited == 0;
            if (observes && isOnlyMove(move, prompt)) {
                Successor<World> successor = successor(world, move);
                if (!successor.state().sent && leads(world, move.on()) == leads(successor.state(), move.on())) {
                    return successor;
                }
                others.add(successor);
            }
        }
        return null;
    }

    private static boolean isOnlyMove(Move move, List<Move> prompt) {
        for (Move other : prompt) {
            if (other.on() == move.on() && !other.equals(move)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a fault has lasted for as long as it may. */
    private static boolean tooLong(World world) {
        for (World.Member process : world.processes) {
            if (process.faultyFor >= Setting.LONGEST_FAULT) {
                return true;
            }
        }
        return world.coordinator != null && world.coordinator.faultyFor >= Setting.LONGEST_FAULT;
    }

    /** What happens within the tick, in whatever order; the next tick, if nothing does. */
    List<Move> prompt(World world) {
        List<Move> moves = new ArrayList<>();
        for (int i = 0; i < world.network.size(); i++) {
            Message message = world.network.get(i);
            if (!message.delayed() && message.answer() == null) {
                moves.add(new Move(Kind.REQUEST_ARRIVES, message.from(), i));
            } else if (!message.delayed() && runs(world, message.from())) {
                moves.add(new Move(Kind.ANSWER_ARRIVES, message.from(), i));
            }
        }
        for (int i = 0; i < world.processes.length; i++) {
            if (runs(world, i)) {
                promptOf(world, i, moves);
            }
        }
        if (world.coordinator != null && !world.coordinator.paused) {
            promptOfCoordinator(world, world.coordinator, moves);
        }
        if (moves.isEmpty()) {
            moves.add(new Move(Kind.NEXT_TICK, Message.COORDINATOR, 0));
        }
        return moves;
    }

    private static boolean runs(World world, int process) {
        return process == Message.COORDINATOR
                ? world.coordinator != null && !world.coordinator.paused
                : world.processes[process].state != null && !world.processes[process].paused;
    }

    private void promptOf(World world, int index, List<Move> moves) {
        World.Member process = world.processes[index];
        LockState state = Objects.requireNonNull(process.state);
        long now = nanos(world, index);
        if (!process.watch.isEmpty() && !process.silent) {
            moves.add(new Move(Kind.OBSERVES, index, 0));
        }
        if (state.wakeAt() <= now) {
            moves.add(new Move(Kind.WAKES_UP, index, 0));
        }
        long timeout =
                configs[original(world, index)].timings().requestTimeout().toNanos();
        if (process.awaited != 0 && now - process.sentAt >= timeout) {
            moves.add(new Move(Kind.TIMES_OUT, index, 0));
        }
        if (process.draining != 0 && !process.slowWork) {
            moves.add(new Move(Kind.WORK_STOPS, index, 0));
        }
        if (process.announced && process.pinged) {
            moves.add(new Move(Kind.ACKNOWLEDGES, index, 0));
        }
    }

    private void promptOfCoordinator(World world, World.Coordinator coordinator, List<Move> moves) {
        if (!coordinator.watch.isEmpty() && !coordinator.silent) {
            moves.add(new Move(Kind.OBSERVES, Message.COORDINATOR, 0));
        }
        long now = nanos(world, Message.COORDINATOR);
        if (coordinator.awaited == 0 && coordinator.recheckAt <= now) {
            moves.add(new Move(Kind.WAKES_UP, Message.COORDINATOR, 0));
        }
        if (coordinator.awaited != 0
                && now - coordinator.sentAt >= Setting.TIMINGS.requestTimeout().toNanos()) {
            moves.add(new Move(Kind.TIMES_OUT, Message.COORDINATOR, 0));
        }
    }

    /** What ends a fault, at any time. */
    private void recoveries(World world, List<Move> moves) {
        for (int i = 0; i < world.network.size(); i++) {
            Message message = world.network.get(i);
            if (message.delayed()) {
                moves.add(new Move(Kind.ARRIVES_LATE, message.from(), i));
            }
        }
        for (int i = 0; i < world.processes.length; i++) {
            World.Member process = world.processes[i];
            if (process.state == null) {
                if (i < setting.processes()) {
                    moves.add(new Move(Kind.RESTARTS, i, 0));
                }
            } else {
                recoveriesOf(i, process.paused, process.silent, moves);
                if (!process.state.started() && !process.paused) {
                    moves.add(new Move(Kind.RESTARTS, i, 0));
                }
                if (process.unfit && !process.paused) {
                    moves.add(new Move(Kind.FIT, i, 0));
                }
                if (process.slowWork && process.draining != 0) {
                    moves.add(new Move(Kind.SLOW_WORK_STOPS, i, 0));
                }
            }
        }
        if (world.coordinator != null) {
            recoveriesOf(Message.COORDINATOR, world.coordinator.paused, world.coordinator.silent, moves);
        }
    }

    private static void recoveriesOf(int index, boolean paused, boolean silent, List<Move> moves) {
        if (paused) {
            moves.add(new Move(Kind.RESUMES, index, 0));
        }
        if (silent) {
            moves.add(new Move(Kind.WATCH_RESUMES, index, 0));
            moves.add(new Move(Kind.WATCH_RESTARTS, index, 0));
        }
    }

    private void faults(World world, List<Move> moves) {
        for (int i = 0; i < world.network.size(); i++) {
            Message message = world.network.get(i);
            if (!message.delayed() && message.answer() != null && world.mover == message.from()) {
                fault(world, Kind.LOSE, message.from(), i, moves);
                fault(world, Kind.DELAY, message.from(), i, moves);
            }
        }
        for (int i = 0; i < world.processes.length; i++) {
            if (runs(world, i) && (world.mover == i || world.mover == TICK)) {
                faultsOf(world, i, moves);
                if (setting.copies() && world.copyOf < 0) {
                    moves.add(new Move(Kind.COPY, i, 0));
                }
            }
        }
        World.Coordinator coordinator = world.coordinator;
        if (coordinator != null && !coordinator.paused && (world.mover == Message.COORDINATOR || world.mover == TICK)) {
            fault(world, Kind.PAUSE, Message.COORDINATOR, 0, moves);
            fault(world, Kind.REPLACE_COORDINATOR, Message.COORDINATOR, 0, moves);
            if (!coordinator.silent) {
                fault(world, Kind.SILENCE, Message.COORDINATOR, 0, moves);
                fault(world, Kind.BREAK_WATCH, Message.COORDINATOR, 0, moves);
            }
        }
    }

    private void edits(World world, List<Move> moves) {
        if (!world.mayEdit && world.mover != TICK) {
            return;
        }
        for (Edit edit : Edit.values()) {
            boolean possible = (world.stored != null || edit.creates())
                    && (edit != Edit.END_CLAIMS || (world.stored != null && noneCanLead(world)));
            if (possible
                    && setting.mayHappen(edit, world.happened)
                    && !Objects.equals(edited(world, world.stored, edit), world.stored)) {
                moves.add(new Move(Kind.EDIT, Message.COORDINATOR, edit.ordinal()));
            }
        }
    }

    /** Whether no process leads, or can begin a term by an earlier request. */
    private boolean noneCanLead(World world) {
        return !hasLeader(world)
                && world.network.isEmpty()
                && Arrays.stream(world.processes).noneMatch(Model::mayBegin);
    }

    private void fault(World world, Kind kind, int on, int argument, List<Move> moves) {
        if (mayHappen(world, kind)) {
            moves.add(new Move(kind, on, argument));
        }
    }

    private boolean mayHappen(World world, Kind kind) {
        return setting.mayHappen(kind, world.happened);
    }

    private void faultsOf(World world, int index, List<Move> moves) {
        World.Member process = world.processes[index];
        fault(world, Kind.PAUSE, index, 0, moves);
        fault(world, Kind.CRASH, index, 0, moves);
        if (!process.silent) {
            fault(world, Kind.SILENCE, index, 0, moves);
            fault(world, Kind.BREAK_WATCH, index, 0, moves);
        }
        if (process.draining != 0 && !process.slowWork) {
            fault(world, Kind.SLOW_WORK, index, 0, moves);
        }
        if (process.granted != 0) {
            fault(world, Kind.RESIGN, index, 0, moves);
        }
        if (Objects.requireNonNull(process.state, "a process that runs has a state")
                .running()) {
            fault(world, Kind.STOP, index, 0, moves);
            fault(world, Kind.REPLACE_API, index, 0, moves);
        }
        if (!process.unfit) {
            fault(world, Kind.UNFIT, index, 0, moves);
        }
    }

    // ---- what follows --------------------------------------------------------------------------------------------

    @Override
    public World next(World world, Move move) {
        World next = world.copy();
        apply(next, move);
        followCandidates(next);
        check(next);
        boolean mayEdit = next.faultsLeft > 0 && setting.edits(next.happened);
        next.mayEdit = next.sent && mayEdit;
        if (!(next.mover == TICK && (mayEdit || recoverable(next))) && !mayFail(next)) {
            next.mover = NONE;
        }
        forgetWhatMakesNoDifference(next);
        return next;
    }

    /** Whether a fault other than an edit may come. */
    private boolean mayFail(World world) {
        List<Move> faults = new ArrayList<>();
        if (world.faultsLeft > 0 && world.mover != NONE) {
            faults(world, faults);
        }
        return !faults.isEmpty();
    }

    /** Drops what no check uses and what can't arrive any more, so that equal states are recognized. */
    private void forgetWhatMakesNoDifference(World world) {
        for (int i = world.network.size() - 1; i >= 0; i--) {
            if (!mayMatter(world, world.network.get(i))) {
                world.network = World.without(world.network, i);
            }
        }
        if (world.unmarked.length > 0) {
            world.unmarked = Arrays.stream(world.unmarked)
                    .filter(version ->
                            Arrays.stream(world.processes).anyMatch(process -> hasOlderTerm(process, version)))
                    .toArray();
        }
        boolean unmarks = (world.faultsLeft > 0 && setting.unmarks(world.happened)) || world.unmarked.length > 0;
        if (unmarks) {
            noteObservedTerms(world);
        }
        for (int i = 0; i < world.processes.length; i++) {
            World.Member process = world.processes[i];
            if (process.observedTerm != 0 && !(unmarks && isGranted(world, process.observedTerm))) {
                world.change(i).observedTerm = 0;
            }
            if (!mayBegin(process) && (process.lastWrite != 0 || process.shares != 0)) {
                world.change(i).lastWrite = 0;
                world.change(i).shares = 0;
            }
        }
        if (!unmarks) {
            world.leader = Math.min(world.leader, 0);
            world.runningTerm = null;
        }
        if (!maybe(world, Edit.PUT_BACK_TERM, Edit.RECREATE_TERM)) {
            world.firstTerm = null;
        }
        if (!maybe(world, Edit.PUT_BACK_RELEASE, Edit.RECREATE_RELEASE)) {
            world.firstRelease = null;
        }
        if (!maybe(world, Edit.PUT_BACK_GRANT, Edit.RECREATE_GRANT)) {
            world.firstGrant = null;
        }
    }

    private static boolean isGranted(World world, long token) {
        for (World.Member process : world.processes) {
            if (process.granted == token) {
                return true;
            }
        }
        return false;
    }

    /** Whether a term of a process began before a version, or may begin by a write before it. */
    private static boolean hasOlderTerm(World.Member process, long version) {
        return (process.granted != 0 && process.granted < version)
                || (mayBegin(process) && process.lastWrite < version);
    }

    /** Whether a term may begin by a write that was sent: its answer hasn't come, or the record may still show it. */
    private static boolean mayBegin(World.Member process) {
        return process.awaited != 0 || (process.state != null && process.granted == 0 && !process.state.settled());
    }

    /** Whether a message may still matter: its process waits for the answer, or its write can still succeed. */
    private static boolean mayMatter(World world, Message message) {
        boolean awaited = message.from() == Message.COORDINATOR
                ? Objects.requireNonNull(world.coordinator).awaited == message.id()
                : world.processes[message.from()].awaited == message.id();
        if (awaited) {
            return true;
        }
        Lease desired = message.desired();
        if (message.answer() != null || desired == null) {
            return false;
        }
        Lease stored = world.stored;
        return desired.resourceVersion() == null
                ? stored == null || world.faultsLeft > 0
                : stored != null && desired.resourceVersion().equals(stored.resourceVersion());
    }

    private boolean recoverable(World world) {
        List<Move> recoveries = new ArrayList<>();
        recoveries(world, recoveries);
        return !recoveries.isEmpty();
    }

    private void apply(World world, Move move) {
        int on = move.on();
        boolean lost = (move.argument() & Move.LOST) != 0;
        boolean delayed = (move.argument() & Move.DELAYED) != 0;
        world.sent = move.kind() == Kind.REQUEST_ARRIVES || move.kind() == Kind.EDIT;
        world.nextRequest = lost ? Kind.LOSE : delayed ? Kind.DELAY : Kind.REQUEST_ARRIVES;
        int argument = move.argument() & ~(Move.LOST | Move.DELAYED);
        if (move.kind().fault() || lost || delayed) {
            world.faultsLeft--;
            Kind fault = move.kind().fault() ? move.kind() : lost ? Kind.LOSE : Kind.DELAY;
            world.happened = fault == Kind.EDIT
                    ? setting.noted(world.happened, Edit.values()[move.argument()])
                    : setting.noted(world.happened, fault);
        }
        if (world.faultsLeft == 0) {
            world.happened = 0;
        }
        if (move.kind().fault()) {
            // It happens right after what moved last.
        } else if (move.kind() == Kind.NEXT_TICK) {
            world.mover = TICK;
        } else if (move.kind().prompt) {
            world.mover = on;
        }
        switch (move.kind()) {
            case REQUEST_ARRIVES -> arrive(world, argument);
            case ANSWER_ARRIVES -> answer(world, argument);
            case NEXT_TICK -> {
                world.tick++;
                age(world);
            }
            case LOSE -> world.network = World.without(world.network, move.argument());
            case DELAY, ARRIVES_LATE -> {
                Message message = world.network.get(move.argument());
                world.network = World.without(world.network, move.argument());
                world.send(message.delayed(move.kind() == Kind.DELAY));
            }
            case EDIT -> edit(world, Edit.values()[move.argument()]);
            case COPY -> copy(world, on);
            default -> {
                if (on == Message.COORDINATOR) {
                    applyToCoordinator(world, world.changeCoordinator(), move);
                } else {
                    applyToProcess(world, world.change(on), move);
                }
            }
        }
    }

    private static void age(World world) {
        for (int i = 0; i < world.processes.length; i++) {
            World.Member process = world.processes[i];
            if (process.paused || process.silent || process.slowWork) {
                world.change(i).faultyFor++;
            } else if (process.faultyFor > 0) {
                world.change(i).faultyFor = 0;
            }
        }
        World.Coordinator coordinator = world.coordinator;
        if (coordinator != null && (coordinator.paused || coordinator.silent)) {
            world.changeCoordinator().faultyFor++;
        } else if (coordinator != null && coordinator.faultyFor > 0) {
            world.changeCoordinator().faultyFor = 0;
        }
    }

    private void applyToProcess(World world, World.Member process, Move move) {
        int on = move.on();
        switch (move.kind()) {
            case OBSERVES -> {
                Notice notice = process.watch.get(0);
                process.watch = World.without(process.watch, 0);
                observe(world, on, notice);
            }
            case WAKES_UP -> {
                step(world, on, new Event.Tick());
                if (Objects.requireNonNull(world.processes[on].state).wakeAt() <= nanos(world, on)) {
                    throw new Violation(name(world, on) + " asks to be woken at an instant that has passed");
                }
            }
            case TIMES_OUT -> {
                process.awaited = 0;
                process.sentAt = 0;
                step(world, on, unanswered(process));
            }
            case SLOW_WORK_STOPS -> process.slowWork = false;
            case WORK_STOPS -> {
                long token = process.draining;
                process.draining = 0;
                process.drainingSince = 0;
                step(world, on, new Event.Drained(token));
            }
            case ACKNOWLEDGES -> {
                process.pinged = false;
                process.candidateVersion++;
                step(world, on, new Event.ElectionStarted());
            }
            case RESUMES -> process.paused = false;
            case WATCH_RESUMES -> process.silent = false;
            case WATCH_RESTARTS, BREAK_WATCH -> {
                process.silent = false;
                process.watch = List.of(snapshot(world));
            }
            case RESTARTS -> start(world, on);
            case SILENCE -> process.silent = true;
            case PAUSE -> process.paused = true;
            case CRASH -> crash(process);
            case SLOW_WORK -> process.slowWork = true;
            case RESIGN -> step(world, on, new Event.Resign(null));
            case STOP -> step(world, on, new Event.Stop());
            case REPLACE_API -> step(world, on, new Event.ApiReplaced());
            case UNFIT, FIT -> {
                process.unfit = move.kind() == Kind.UNFIT;
                step(world, on, new Event.FitnessChanged(process.unfit ? "it is unfit" : null));
            }
            default -> throw new IllegalStateException("not for a process: " + move);
        }
    }

    /** Its requests may still arrive; their answers are treated as lost. */
    private static void crash(World.Member process) {
        process.state = null;
        process.silent = false;
        process.unfit = false;
        process.watch = List.of();
        process.awaited = 0;
        process.granted = 0;
        process.draining = 0;
        process.slowWork = false;
        process.observedTerm = 0;
        process.refusedFor = null;
        process.toldTerm = 0;
        process.shares = 0;
        process.wroteAlone = false;
    }

    /**
     * Copies a process with its memory and its clocks (safety.md#own-record). The copy's connections are new: its watch begins with a list, and
     * the answer to a request under way doesn't come.
     */
    private void copy(World world, int index) {
        int slot = setting.processes();
        world.copyOf = index;
        World.Member copy = world.change(index).copied();
        copy.watch = List.of(snapshot(world));
        copy.silent = false;
        copy.shares = copy.awaited;
        world.processes[slot] = copy;
    }

    private Event unanswered(World.Member process) {
        return process.reads
                ? new Event.ReadDone(new ApiResult.OutcomeUnknown<>("no answer"))
                : new Event.WriteDone(new ApiResult.OutcomeUnknown<>("no answer"));
    }

    // ---- the lock ------------------------------------------------------------------------------------------------

    private long nanos(World world, int index) {
        return clocks.nanos(clock(world, index), world.tick);
    }

    private Moment now(World world, int index) {
        return new Moment(nanos(world, index), clocks.wall(clock(world, index), world.tick));
    }

    private int clock(World world, int index) {
        return index == Message.COORDINATOR ? setting.processes() : original(world, index);
    }

    /** The process itself; of a copy the process that was copied, whose clocks, identity and configuration it has. */
    private int original(World world, int index) {
        return index == setting.processes() ? world.copyOf : index;
    }

    /** Its name among the processes, for a person. */
    private String name(World world, int index) {
        if (index == setting.processes() && world.copyOf >= 0) {
            return "the copy of " + setting.identity(world.copyOf);
        }
        return setting.isTwin(index) ? "the twin of " + setting.identity(index) : setting.identity(index);
    }

    private String identity(World world, int index) {
        return setting.identity(original(world, index));
    }

    @Override
    public Fingerprint fingerprint(World world) {
        return fingerprint(world, setting.horizon() > 0);
    }

    private Fingerprint fingerprint(World world, boolean untilHorizon) {
        return Fingerprint.of(
                (renaming, parts) -> {
                    world.collect(renaming, clocks, parts);
                    if (untilHorizon) {
                        parts.add(Tokens.of(world.tick - world.beginning, clocks));
                    }
                },
                clocks,
                world.tick,
                setting.longAgo(),
                Setting.LONGEST / 2 * Setting.SECOND,
                setting.exactTimes(),
                setting.renamings());
    }

    private void observe(World world, int on, Notice notice) {
        if (notice.snapshot()) {
            Lease stored = notice.lease();
            step(world, on, stored == null ? new Event.LeaseMissing(null) : new Event.LeaseSeen(stored, false));
        } else {
            Lease lease = notice.lease();
            step(
                    world,
                    on,
                    lease == null
                            ? new Event.LeaseMissing(Long.toString(notice.version()))
                            : new Event.LeaseSeen(lease, true));
        }
    }

    private void step(World world, int on, Event event) {
        World.Member process = world.processes[on];
        long lastWrite = process.lastWrite;
        LockMachine.Outcome transition;
        try {
            transition = LockMachine.step(
                    configs[original(world, on)],
                    Objects.requireNonNull(process.state),
                    event,
                    now(world, on),
                    random(world));
        } catch (IllegalStateException e) {
            throw new Violation(name(world, on) + " fails by " + event + ": " + e.getMessage());
        }
        process.state = transition.state();
        if (showsAnothers(world, on)) {
            process.refusedFor = null;
            process.toldTerm = 0;
        }
        for (Action action : transition.actions()) {
            // The API server handles a request at once, and changes the processes that watch.
            process = world.processes[on];
            if (action instanceof Action.WriteLease write) {
                send(world, on, write.desired());
            } else if (action instanceof Action.ReadLease) {
                send(world, on, null);
            } else if (action instanceof Action.Grant grant) {
                begun(world, on, grant.term().fencingToken(), lastWrite);
            } else if (action instanceof Action.Revoke revoke) {
                long token = revoke.term().fencingToken();
                if (process.granted != token) {
                    throw new Violation(
                            name(world, on) + " has term " + token + " revoked, and was granted " + process.granted);
                }
                process.granted = 0;
                process.draining = token;
                process.drainingSince = nanos(world, on);
            } else if (action instanceof Action.Announce) {
                announce(world, on, true);
            } else if (action instanceof Action.Withdraw) {
                announce(world, on, false);
            } else if (action instanceof Action.FindOthers) {
                step(world, on, new Event.OthersFound(new ApiResult.Ok<>(others(world, on))));
            }
        }
        startOver(world, on);
    }

    /** Opens the watch of another API once the process has settled. */
    private void startOver(World world, int on) {
        LockState state = Objects.requireNonNull(world.processes[on].state);
        if (state.startsOver() && state.settled() && !state.running()) {
            World.Member process = world.processes[on];
            process.silent = false;
            process.watch = List.of(snapshot(world));
            step(world, on, new Event.WatchClosed());
            step(world, on, new Event.WatchOpened());
        }
    }

    private List<Candidate> others(World world, int on) {
        List<Candidate> others = new ArrayList<>();
        for (int i = 0; i < setting.processes(); i++) {
            if (i != on && world.processes[i].announced) {
                others.add(Candidate.builder(new ObjectKey("shop", setting.identity(i)), Setting.LEASE)
                        .renewTime(clocks.wall(clock(world, on), world.tick))
                        .build());
            }
        }
        return others;
    }

    /**
     * Notes which processes know of the running term: they have observed a record of it, before or after its leader learned that it had begun, or
     * were refused the creation of its lease.
     */
    private static void noteObservedTerms(World world) {
        String running = world.runningTerm;
        for (int i = 0; i < world.processes.length && running != null; i++) {
            World.Member process = world.processes[i];
            boolean observed = process.state != null && running.equals(termOf(process.state.lease()));
            if (i != world.leader && observed && process.observedTerm != world.token) {
                world.change(i).observedTerm = world.token;
            }
            if (i != world.leader && running.equals(termOf(process.refusedFor)) && process.toldTerm != world.token) {
                world.change(i).toldTerm = world.token;
            }
        }
    }

    /** Each number is drawn once. */
    private static long random(World world) {
        return Setting.FIRST_WRITE + world.draws++;
    }

    /** Whether a process has seen a record of the lease that isn't of a term of its own. */
    private boolean showsAnothers(World world, int on) {
        Lease known = Objects.requireNonNull(world.processes[on].state).lease();
        return known != null && !(known.confirmed() && known.heldBy(identity(world, on)));
    }

    private void announce(World world, int on, boolean announced) {
        World.Member process = world.processes[on];
        if (setting.coordinated() && (announced || process.announced)) {
            process.announced = announced;
            process.pinged = false;
            process.candidateVersion++;
        }
    }

    private void send(World world, int on, @Nullable Lease desired) {
        World.Member process = world.processes[on];
        if (process.awaited != 0) {
            throw new Violation(name(world, on) + " sends a request while another one is under way");
        }
        process.awaited = world.freeId(on);
        process.shares = 0;
        process.reads = desired == null;
        process.sentAt = nanos(world, on);
        transmit(world, new Message(on, process.awaited, desired, null, null, false));
    }

    private void transmit(World world, Message request) {
        world.sent = true;
        switch (world.nextRequest) {
            case LOSE -> {}
            case DELAY -> world.send(request.delayed(true));
            default -> world.send(request.answered(handle(world, request), world.stored));
        }
    }

    private void begun(World world, int on, long token, long lastWrite) {
        World.Member process = world.processes[on];
        if (process.granted != 0) {
            throw new Violation(
                    name(world, on) + " is granted term " + token + " before " + process.granted + " was revoked");
        }
        long written = lastWrite == 0 ? process.lastWrite : lastWrite;
        if (written == 0 || token < written) {
            throw new Violation(name(world, on) + " begins term " + token + " after its write of version " + written);
        }
        boolean copied = token == world.token && world.leader >= 0 && together(world, on, world.leader);
        if (token <= world.token && !copied && !world.everUnmarked) {
            throw new Violation("the fencing token does not grow: " + name(world, on) + " leads with " + token
                    + " after " + world.token);
        }
        process.granted = token;
        world.token = Math.max(world.token, token);
        world.leader = on;
        world.runningTerm =
                termOf(Objects.requireNonNull(process.state, "it runs").lease());
    }

    // ---- the API server ------------------------------------------------------------------------------------------

    private static long version(Lease lease) {
        return ResourceVersions.toNumber(lease.resourceVersion());
    }

    private void arrive(World world, int index) {
        Message message = world.network.get(index);
        Message answered = message.answered(handle(world, message), world.stored);
        world.network = World.without(world.network, index);
        world.send(answered);
    }

    private ApiResult<?> handle(World world, Message message) {
        Lease desired = message.desired();
        Lease stored = world.stored;
        if (desired == null) {
            return new ApiResult.Ok<>(Optional.ofNullable(stored));
        }
        if (desired.resourceVersion() == null) {
            if (stored != null) {
                return new ApiResult.Conflict<>("exists");
            }
        } else if (stored == null) {
            return new ApiResult.Gone<>("deleted");
        } else if (!desired.resourceVersion().equals(stored.resourceVersion())) {
            return new ApiResult.Conflict<>("changed");
        }
        Lease next = store(world, desired);
        if (message.from() == Message.COORDINATOR) {
            boolean asks = stored != null
                    && next.endOfTerm()
                    && !(stored.endOfTerm() && Objects.equals(stored.preferredHolder(), next.preferredHolder()));
            if (asks && stored.electedBy() == null) {
                throw new Violation("the coordinator asks " + stored.holder()
                        + " to yield, although no coordinator has elected it and it follows none");
            }
        } else {
            written(world, message.from(), stored, next);
            sharedWritten(world, message);
        }
        return new ApiResult.Ok<>(next);
    }

    private void written(World world, int by, @Nullable Lease before, Lease after) {
        World.Member process = world.change(by);
        process.lastWrite = world.version;
        boolean handsOver = before != null
                && before.heldBy(identity(world, by))
                && !after.heldBy(identity(world, by))
                && before.term() != null;
        if (handsOver && process.granted != 0) {
            throw new Violation(
                    name(world, by) + " hands the lease over before its listeners learn of the end of the term");
        }
        boolean works =
                process.draining != 0 && nanos(world, by) - process.drainingSince < Setting.DRAIN_TIMEOUT.toNanos();
        if (handsOver && works) {
            throw new Violation(name(world, by) + " hands the lease over while its work runs");
        }
    }

    /** A request under way when its process was copied belongs to both. */
    private void sharedWritten(World world, Message message) {
        int slot = setting.processes();
        if (message.from() == world.copyOf && world.processes[slot].shares == message.id()) {
            world.change(slot).lastWrite = world.version;
        } else if (world.copyOf >= 0 && original(world, message.from()) == world.copyOf) {
            world.change(message.from()).wroteAlone = true;
        }
    }

    private Lease store(World world, Lease desired) {
        Lease before = world.stored;
        world.version++;
        // No decision uses the number of transitions.
        Lease next = desired.toBuilder()
                .transitions(0)
                .resourceVersion(Long.toString(world.version))
                .uid(before == null ? Long.toString(world.version) : before.uid())
                .build();
        world.stored = next;
        keepCopies(world, next);
        publish(world, new Notice(next, world.version));
        return next;
    }

    /** Keeps the first record of each kind since the beginning of the history, as long as an administrator may put it back. */
    private void keepCopies(World world, Lease next) {
        boolean released =
                !next.held() && next.term() != null && next.term().ended().after() != null;
        if (world.firstTerm == null && next.confirmed() && maybe(world, Edit.PUT_BACK_TERM, Edit.RECREATE_TERM)) {
            world.firstTerm = next;
        } else if (world.firstRelease == null
                && released
                && maybe(world, Edit.PUT_BACK_RELEASE, Edit.RECREATE_RELEASE)) {
            world.firstRelease = next;
        } else if (world.firstGrant == null
                && next.granted()
                && maybe(world, Edit.PUT_BACK_GRANT, Edit.RECREATE_GRANT)) {
            world.firstGrant = next;
        }
    }

    private boolean maybe(World world, Edit one, Edit another) {
        return world.faultsLeft > 0
                && (setting.mayHappen(one, world.happened) || setting.mayHappen(another, world.happened));
    }

    /** The id of the term, or of the preemption, that a record's annotation is of; {@code null} if there is none. */
    private static @Nullable String termOf(@Nullable Lease lease) {
        return lease == null || lease.term() == null ? null : lease.term().term();
    }

    private static void publish(World world, Notice notice) {
        for (int i = 0; i < world.processes.length; i++) {
            if (world.processes[i].state != null) {
                World.Member process = world.change(i);
                process.watch = World.with(process.watch, notice);
            }
        }
        if (world.coordinator != null) {
            World.Coordinator coordinator = world.changeCoordinator();
            coordinator.watch = World.with(coordinator.watch, notice);
        }
    }

    /** What a watch begins with. */
    private static Notice snapshot(World world) {
        return new Notice(world.stored, 0);
    }

    private void answer(World world, int index) {
        Message message = world.network.get(index);
        world.network = World.without(world.network, index);
        ApiResult<?> result = Objects.requireNonNull(message.answer());
        if (message.from() == Message.COORDINATOR) {
            World.Coordinator coordinator = world.changeCoordinator();
            if (coordinator.awaited == message.id()) {
                coordinator.awaited = 0;
                coordinatorWrote(world, coordinator, result);
            }
            return;
        }
        World.Member process = world.change(message.from());
        if (process.awaited != message.id()) {
            return;
        }
        process.awaited = 0;
        process.sentAt = 0;
        answer(world, message, result);
    }

    @SuppressWarnings("unchecked")
    private void answer(World world, Message message, ApiResult<?> result) {
        if (message.desired() == null) {
            ApiResult<Optional<Lease>> read = (ApiResult<Optional<Lease>>) result;
            step(world, message.from(), new Event.ReadDone(read));
        } else {
            world.processes[message.from()].refusedFor = message.refusedFor();
            step(world, message.from(), new Event.WriteDone((ApiResult<Lease>) result));
        }
    }

    // ---- the administrator ---------------------------------------------------------------------------------------

    private void edit(World world, Edit edit) {
        Lease before = world.stored;
        Lease edited = edited(world, before, edit);
        long unmarkedAt = world.version + 1;
        if (before != null && (edited == null || edit.recreates())) {
            world.version++;
            world.stored = null;
            publish(world, new Notice(null, world.version));
        }
        if (edited != null) {
            store(world, edited);
            if (edit == Edit.ELECTOR_COMES_AND_GOES) {
                store(world, released(world, edited));
            }
        }
        if (termOf(before) != null && !Objects.equals(termOf(before), termOf(edited))) {
            world.unmarked = World.with(world.unmarked, unmarkedAt);
            world.everUnmarked = true;
            for (int i = 0; i < world.processes.length && world.copyOf >= 0; i++) {
                world.change(i).wroteAlone = false;
            }
        }
    }

    /** Returns the edited record; {@code null} if the edit deletes it. */
    private @Nullable Lease edited(World world, @Nullable Lease stored, Edit edit) {
        // Without a duration, a record that gets a holder has one of a second.
        Lease bare = Lease.builder(Setting.LEASE)
                .leaseDuration(Duration.ofSeconds(1))
                .build();
        Lease object = stored == null ? bare : stored;
        return switch (edit) {
            case DELETE -> null;
            case REPLACE_BY_BARE, RECREATE_BARE -> inPlaceOf(stored, bare);
            case PUT_BACK_TERM, RECREATE_TERM -> inPlaceOf(stored, world.firstTerm == null ? object : world.firstTerm);
            case PUT_BACK_RELEASE, RECREATE_RELEASE ->
                inPlaceOf(stored, world.firstRelease == null ? object : world.firstRelease);
            case PUT_BACK_GRANT, RECREATE_GRANT ->
                inPlaceOf(stored, world.firstGrant == null ? object : world.firstGrant);
            default -> editedFields(world, object, edit);
        };
    }

    private static Lease inPlaceOf(@Nullable Lease stored, Lease object) {
        return object.toBuilder()
                .resourceVersion(stored == null ? null : stored.resourceVersion())
                .uid(stored == null ? null : stored.uid())
                .build();
    }

    private Lease editedFields(World world, Lease lease, Edit edit) {
        Lease.Builder next = lease.toBuilder();
        boolean yields = setting.coordinated() || setting.cluster() == Setting.Cluster.PRIORITIZED;
        switch (edit) {
            case CLEAR_HOLDER -> next.holder(null);
            case NAME_A -> next.holder(setting.identity(0));
            case NAME_B -> next.holder(setting.identity(1));
            case NAME_C -> {
                if (setting.processes() > 2) {
                    next.holder(setting.identity(2));
                }
            }
            case NAME_GHOST -> next.holder(GHOST);
            case NAME_ELECTOR -> next.holder(ELECTOR);
            case REMOVE_TERM_ANNOTATION -> next.term(null);
            case REMOVE_ALL_ANNOTATIONS ->
                next.term(null)
                        .electedBy(null)
                        .strategy(null)
                        .recordedStrategy(null)
                        .holderKey(null)
                        .noEndOfTerm();
            case SHORTEN_DURATION -> next.leaseDuration(Duration.ofSeconds(1));
            case LENGTHEN_DURATION -> next.leaseDuration(Duration.ofSeconds(Setting.LONGEST_EDITED));
            case SET_LONGEST_DURATION -> next.leaseDuration(Duration.ofSeconds(Setting.LONGEST));
            case CORRECT_DURATION -> next.leaseDuration(Setting.TIMINGS.leaseDuration());
            case SHORTEN_TERM -> editTerm(lease, next, Duration.ofSeconds(1), null);
            case LINE_IN_TERM -> editTerm(lease, next, null, lease.resourceVersion());
            case REMOVE_ACQUIRE_TIME -> next.acquireTime(null);
            case REMOVE_RENEW_TIME -> next.renewTime(null);
            case REMOVE_SPEC ->
                next.holder(null)
                        .leaseDuration(Duration.ofSeconds(1))
                        .acquireTime(null)
                        .renewTime(null);
            case END_CLAIMS ->
                next.holder(null)
                        .term(TermAnnotation.released(
                                new TermAnnotation.Ended(TermAnnotation.Ended.ALL, lease.resourceVersion())));
            case END_CLAIMS_OF_OLD ->
                next.holder(null)
                        .term(TermAnnotation.released(new TermAnnotation.Ended(
                                TermAnnotation.Ended.ALL, Long.toString(Clocks.FIRST_VERSION))));
            case ASK_TO_YIELD_TO_A, ASK_TO_YIELD_TO_B, ASK_TO_YIELD_TO_GHOST -> {
                if (yields) {
                    int preferred = edit.ordinal() - Edit.ASK_TO_YIELD_TO_A.ordinal();
                    next.endOfTerm(preferred == 2 ? GHOST : setting.identity(preferred), null);
                }
            }
            case SET_NO_COORDINATION -> {
                if (setting.coordinated()) {
                    next.strategy("NoCoordination");
                }
            }
            case ELECTOR_ACQUIRES, ELECTOR_COMES_AND_GOES -> {
                if (!lease.held()) {
                    next.holder(ELECTOR)
                            .leaseDuration(Setting.TIMINGS.leaseDuration())
                            .acquireTime(electorsTime(world, lease))
                            .renewTime(electorsTime(world, lease));
                } else if (lease.heldBy(ELECTOR)) {
                    next.renewTime(electorsTime(world, lease));
                }
            }
            default -> throw new IllegalStateException(edit + " is not of a field");
        }
        return next.build();
    }

    private static void editTerm(
            Lease lease, Lease.Builder next, @Nullable Duration duration, @Nullable String endedAfter) {
        TermAnnotation term = lease.term();
        if (term != null && term.term() != null) {
            next.term(new TermAnnotation(
                    term.term(),
                    term.preempts(),
                    term.write(),
                    duration == null ? term.duration() : duration,
                    term.holder(),
                    term.acquireTime(),
                    endedAfter == null
                            ? term.ended()
                            : new TermAnnotation.Ended(TermAnnotation.Ended.ALL, endedAfter)));
        }
    }

    /** What client-go's elector leaves when it releases a lease. */
    private Lease released(World world, Lease held) {
        return held.toBuilder()
                .holder(null)
                .leaseDuration(Duration.ofSeconds(1))
                .acquireTime(electorsTime(world, held))
                .renewTime(electorsTime(world, held))
                .build();
    }

    /** By the clock of an elector of client-go: the coordinator's, which no other process has where candidates race. */
    private Instant electorsTime(World world, Lease lease) {
        Instant now = clocks.wall(setting.processes(), world.tick);
        Instant last = lease.renewTime();
        return last != null && last.equals(now) ? now.plusNanos(1000) : now;
    }

    // ---- the coordinator -----------------------------------------------------------------------------------------

    private void applyToCoordinator(World world, World.Coordinator coordinator, Move move) {
        Moment now = coordinatorNow(world);
        switch (move.kind()) {
            case OBSERVES -> {
                Notice notice = coordinator.watch.get(0);
                coordinator.watch = World.without(coordinator.watch, 0);
                if (notice.snapshot()) {
                    coordinatorSees(coordinator, notice.lease(), now, false);
                } else {
                    coordinatorSees(coordinator, notice.lease(), now, true);
                }
                decide(world, coordinator);
            }
            case WAKES_UP -> decide(world, coordinator);
            case TIMES_OUT -> {
                coordinator.awaited = 0;
                coordinatorWrote(world, coordinator, new ApiResult.OutcomeUnknown<Lease>("no answer"));
            }
            case RESUMES -> coordinator.paused = false;
            case WATCH_RESUMES -> coordinator.silent = false;
            case WATCH_RESTARTS, BREAK_WATCH -> {
                coordinator.silent = false;
                coordinator.watch = List.of(snapshot(world));
            }
            case SILENCE -> coordinator.silent = true;
            case PAUSE -> coordinator.paused = true;
            case REPLACE_COORDINATOR -> replace(world, coordinator);
            default -> throw new IllegalStateException("not for a coordinator: " + move);
        }
    }

    /** Another coordinator takes over. It knows only what it lists, and gets no answers to its predecessor's requests. */
    private void replace(World world, World.Coordinator coordinator) {
        coordinator.silent = false;
        coordinator.awaited = 0;
        coordinator.sentAt = 0;
        coordinator.lease = null;
        coordinator.lastHolder = LastHolder.UNKNOWN;
        coordinator.recheckAt = Long.MAX_VALUE;
        coordinator.watch = List.of(snapshot(world));
        for (int i = 0; i < world.processes.length; i++) {
            World.Member process = world.processes[i];
            coordinator.candidateVersions[i] = process.candidateVersion;
            coordinator.candidates[i] = process.announced
                    ? CandidateObservation.first(candidate(process, i), coordinatorNow(world), false)
                    : null;
        }
    }

    private Moment coordinatorNow(World world) {
        return now(world, Message.COORDINATOR);
    }

    private static void coordinatorSees(
            World.Coordinator coordinator, @Nullable Lease lease, Moment now, boolean contiguous) {
        LeaseObservation known = coordinator.lease;
        boolean older = lease != null
                && known != null
                && known.lease() != null
                && ResourceVersions.older(lease.resourceVersion(), known.lease().resourceVersion());
        if (older) {
            return;
        }
        coordinator.lease = known == null
                ? LeaseObservation.first(lease, now, COORDINATOR)
                : known.seen(lease, now, contiguous, COORDINATOR);
        if (lease != null) {
            coordinator.lastHolder = coordinator.lastHolder.seen(lease);
        }
    }

    private void followCandidates(World world) {
        boolean changed = true;
        while (changed && world.coordinator != null && !world.coordinator.paused) {
            changed = false;
            World.Coordinator coordinator = world.changeCoordinator();
            for (int i = 0; i < world.processes.length; i++) {
                if (coordinator.candidateVersions[i] != world.processes[i].candidateVersion) {
                    observeCandidate(world, coordinator, i, coordinatorNow(world));
                    changed = true;
                }
            }
            if (changed) {
                decide(world, coordinator);
            }
        }
    }

    private void observeCandidate(World world, World.Coordinator coordinator, int index, Moment now) {
        World.Member process = world.processes[index];
        coordinator.candidateVersions[index] = process.candidateVersion;
        CandidateObservation known = coordinator.candidates[index];
        if (!process.announced) {
            coordinator.candidates[index] = null;
            if (known != null) {
                coordinator.lastHolder = coordinator.lastHolder.gone(setting.identity(index), now);
            }
            return;
        }
        Candidate candidate = candidate(process, index);
        coordinator.lastHolder = coordinator.lastHolder.stands(candidate.identity());
        // Renew times are versions here, and all are treated as now.
        Moment renewed = new Moment(now.nanos(), Objects.requireNonNull(candidate.renewTime()));
        coordinator.candidates[index] =
                known == null ? CandidateObservation.first(candidate, renewed, true) : known.seen(candidate, renewed);
    }

    private Candidate candidate(World.Member process, int index) {
        Instant renewed = Instant.ofEpochSecond(process.candidateVersion);
        return setting.candidate(index).toBuilder()
                .resourceVersion(Long.toString(process.candidateVersion))
                .renewTime(renewed)
                .pingTime(process.pinged ? renewed.plusNanos(1000) : null)
                .build();
    }

    private void coordinatorWrote(World world, World.Coordinator coordinator, ApiResult<?> result) {
        Moment now = coordinatorNow(world);
        Lease fresh = result instanceof ApiResult.Ok<?> ok ? (Lease) ok.value() : world.stored;
        coordinatorSees(coordinator, fresh, now, result instanceof ApiResult.Ok<?>);
        decide(world, coordinator);
    }

    private void decide(World world, World.Coordinator coordinator) {
        coordinator.recheckAt = Long.MAX_VALUE;
        List<CandidateObservation> candidates =
                Arrays.stream(coordinator.candidates).filter(Objects::nonNull).toList();
        if (coordinator.awaited != 0 || coordinator.lease == null || candidates.isEmpty()) {
            return;
        }
        Moment now = coordinatorNow(world);
        Lease lease = coordinator.lease.lease();
        StrategyChoice strategy = strategies.choose(
                lease,
                Optional.empty(),
                Optional.empty(),
                candidates.stream().map(CandidateObservation::candidate).toList(),
                ApiFormat.CRD);
        Decision decision = new Election(
                        Setting.LEASE,
                        coordinator.lease,
                        candidates,
                        strategy,
                        coordinator.lastHolder,
                        HolderPod.NOT_LOOKED_AT,
                        HoldOffs.NONE,
                        Setting.POLICY,
                        now)
                .decide();
        coordinator.recheckAt = decision.recheckAt();
        if (decision instanceof Decision.Elect elect) {
            write(world, coordinator, elect.desired());
        } else if (decision instanceof Decision.EndTerm endTerm) {
            write(world, coordinator, endTerm.desired());
        } else if (decision instanceof Decision.ForgetPreferred forget) {
            write(world, coordinator, forget.desired());
        } else if (decision instanceof Decision.RecordStrategy recorded) {
            write(world, coordinator, recorded.desired());
        } else if (decision instanceof Decision.Ping ping) {
            ping.candidates().forEach(candidate -> ping(world, coordinator, candidate, now));
        }
    }

    private void write(World world, World.Coordinator coordinator, Lease desired) {
        coordinator.awaited = world.freeId(Message.COORDINATOR);
        coordinator.sentAt = nanos(world, Message.COORDINATOR);
        transmit(world, new Message(Message.COORDINATOR, coordinator.awaited, desired, null, null, false));
    }

    private void ping(World world, World.Coordinator coordinator, Candidate candidate, Moment now) {
        int index = candidate.identity().charAt(0) - 'a';
        coordinator.candidates[index] =
                Objects.requireNonNull(coordinator.candidates[index]).pinged(now);
        World.Member process = world.change(index);
        if (process.announced) {
            process.pinged = true;
            process.candidateVersion++;
        }
    }

    // ---- what must hold ------------------------------------------------------------------------------------------

    private boolean leads(World world, int index) {
        LockState state = world.processes[index].state;
        return state != null && state.leads(now(world, index));
    }

    private void check(World world) {
        for (int i = 0; i < world.processes.length; i++) {
            for (int j = i + 1; j < world.processes.length; j++) {
                if (leads(world, i)
                        && leads(world, j)
                        && !(excused(world, i, j) || (together(world, i, j) && nothingSeparatesThem(world, i, j)))) {
                    throw new Violation(name(world, i) + " with token " + world.processes[i].granted + " and "
                            + name(world, j) + " with token " + world.processes[j].granted
                            + " lead at one instant");
                }
            }
        }
    }

    private boolean together(World world, int one, int another) {
        return original(world, one) == original(world, another);
    }

    /**
     * safety.md#own-record: a process and its copy share a term until one of them has renewed, and the other one's last renewal has expired. If
     * the term annotation is removed meanwhile, the record distinguishes them only by the next renewal.
     */
    private static boolean nothingSeparatesThem(World world, int one, int another) {
        World.Member first = world.processes[one];
        World.Member second = world.processes[another];
        return first.granted == second.granted && !(first.wroteAlone && second.wroteAlone);
    }

    /**
     * An administrator has deleted the record of a running term, or removed its term annotation, and the newer leader has never observed that
     * term: no record could show it ({@code docs/safety.md} lists what is not promised).
     */
    private static boolean excused(World world, int one, int another) {
        boolean oneIsOlder = world.processes[one].granted < world.processes[another].granted;
        World.Member older = world.processes[oneIsOlder ? one : another];
        World.Member newer = world.processes[oneIsOlder ? another : one];
        boolean unmarked =
                Arrays.stream(world.unmarked).anyMatch(version -> older.granted < version && version < newer.granted);
        return unmarked && newer.observedTerm != older.granted && newer.toldTerm != older.granted;
    }

    /** Whether some process leads. */
    boolean hasLeader(World world) {
        for (int i = 0; i < world.processes.length; i++) {
            if (leads(world, i)) {
                return true;
            }
        }
        return false;
    }

    // ---- without faults from now on ------------------------------------------------------------------------------

    @Override
    public String goal() {
        return "leader";
    }

    @Override
    public boolean reachesGoal(World world) {
        return hasLeader(world);
    }

    @Override
    public World withoutFaults(World from) {
        if (hasLeader(from) || (setting.horizon() == 0 && isWithoutFaults(from))) {
            return from;
        }
        World world = from.copy();
        world.faultsLeft = 0;
        world.happened = 0;
        world.mover = NONE;
        if (world.network.stream().anyMatch(Message::delayed)) {
            world.network = world.network.stream()
                    .map(message -> message.delayed(false))
                    .toList();
        }
        for (int i = 0; i < world.processes.length; i++) {
            endFaults(world, i);
        }
        World.Coordinator faulty = world.coordinator;
        if (faulty != null && (faulty.paused || faulty.silent || faulty.faultyFor > 0)) {
            World.Coordinator coordinator = world.changeCoordinator();
            coordinator.faultyFor = 0;
            coordinator.paused = false;
            if (coordinator.silent) {
                coordinator.silent = false;
                coordinator.watch = List.of(snapshot(world));
            }
        }
        forgetWhatMakesNoDifference(world);
        return world;
    }

    /** Whether a state is as {@link #nextWithoutFaults} leaves it. */
    private static boolean isWithoutFaults(World world) {
        boolean without = world.faultsLeft == 0 && world.mover == NONE;
        for (World.Member process : world.processes) {
            without = without
                    && !process.paused
                    && !process.silent
                    && !process.slowWork
                    && !process.unfit
                    && process.faultyFor == 0
                    && process.state != null
                    && process.state.running();
        }
        World.Coordinator coordinator = world.coordinator;
        return without
                && (coordinator == null || (!coordinator.paused && !coordinator.silent && coordinator.faultyFor == 0))
                && world.network.stream().noneMatch(Message::delayed);
    }

    private void endFaults(World world, int index) {
        World.Member faulty = world.processes[index];
        if (faulty.paused || faulty.silent || faulty.slowWork || faulty.faultyFor > 0) {
            World.Member process = world.change(index);
            process.faultyFor = 0;
            process.paused = false;
            process.slowWork = false;
            if (process.silent) {
                process.silent = false;
                process.watch = List.of(snapshot(world));
            }
        }
        if (faulty.unfit) {
            World.Member process = world.change(index);
            process.unfit = false;
            step(world, index, new Event.FitnessChanged(null));
        }
        LockState state = world.processes[index].state;
        if ((state == null || !state.started()) && index < setting.processes()) {
            start(world, index);
        }
    }

    /** If a claim runs for longer than a leader is waited for, an administrator ends it by the documented line. */
    @Override
    public World nextWithoutFaults(World world) {
        Move move = prompt(world).get(0);
        if (move.kind() != Kind.NEXT_TICK || !aLongClaimRuns(world)) {
            return next(world, move);
        }
        World next = world.copy();
        edit(next, world.stored == null ? Edit.REPLACE_BY_BARE : Edit.END_CLAIMS);
        forgetWhatMakesNoDifference(next);
        return next;
    }

    private boolean aLongClaimRuns(World world) {
        Lease stored = world.stored;
        boolean longRecord =
                stored != null && stored.held() && stored.leaseDuration().toSeconds() >= Setting.LONGEST;
        boolean ended = stored != null
                && stored.term() != null
                && TermAnnotation.Ended.ALL.equals(stored.term().ended().term());
        return (longRecord || (setting.hasLongTerms() && !ended)) && noneCanLead(world);
    }

    @Override
    public Fingerprint fingerprintWithoutFaults(World world) {
        return fingerprint(world, false);
    }

    @Override
    public int tick(World world) {
        return world.tick;
    }

    // ---- for a person --------------------------------------------------------------------------------------------

    @Override
    public String describe(World world) {
        StringBuilder text = new StringBuilder();
        Lease stored = world.stored;
        text.append(
                stored == null
                        ? "no record"
                        : "record v" + number(stored) + " holder=" + stored.holder() + " seconds="
                                + stored.leaseDuration().toSeconds() + " term=" + stored.term()
                                + (stored.endOfTerm() ? " yield to " + stored.preferredHolder() : ""));
        for (int i = 0; i < world.processes.length; i++) {
            if (leads(world, i)) {
                text.append("; ").append(name(world, i)).append(" leads");
            }
        }
        return text.toString();
    }

    private static long number(Lease lease) {
        return version(lease) - Clocks.FIRST_VERSION;
    }

    @Override
    public String describe(Move move, World before) {
        String who = move.kind() == Kind.NEXT_TICK
                ? ""
                : move.kind() == Kind.EDIT
                        ? "administrator"
                        : move.on() == Message.COORDINATOR ? "coordinator" : name(before, move.on());
        String what = move.kind() == Kind.EDIT
                ? Edit.values()[move.argument()].name()
                : move.kind().name();
        boolean message = switch (move.kind()) {
            case REQUEST_ARRIVES, ANSWER_ARRIVES, ARRIVES_LATE, LOSE, DELAY -> true;
            default -> false;
        };
        String fault = (move.argument() & Move.LOST) != 0 && move.kind().prompt
                ? ", and its request is lost"
                : (move.argument() & Move.DELAYED) != 0 && move.kind().prompt ? ", and its request is delayed" : "";
        return String.format(
                "tick %2d  %-13s %s%s%s", before.tick, who, what, message ? about(move, before) : "", fault);
    }

    private static String about(Move move, World before) {
        Message message = before.network.get(move.argument() & ~(Move.LOST | Move.DELAYED));
        String kind = message.answer() == null ? "request " : "answer ";
        Lease desired = message.desired();
        String result = message.answer() == null
                ? ""
                : ": " + message.answer().getClass().getSimpleName();
        return " (" + kind
                + (desired == null
                        ? "read"
                        : "write holder=" + desired.holder() + " over v"
                                + (desired.resourceVersion() == null ? "none" : number(desired)))
                + result + ")";
    }
}

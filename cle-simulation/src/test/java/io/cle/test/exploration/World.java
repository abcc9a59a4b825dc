package io.cle.test.exploration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

import io.cle.election.internal.CandidateObservation;
import io.cle.election.internal.LastHolder;
import io.cle.lock.internal.LockState;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import org.jspecify.annotations.Nullable;

/** One state of the explored cluster: the record, the processes, what is under way between them, and what the checker remembers. */
final class World {

    transient int tick;

    /** The tick at which the history begins. */
    transient int beginning;

    int faultsLeft;

    /** The kinds of faults that have happened, if each may happen once, as a set of bits. */
    long happened;

    /** The version of the API server's last change. */
    long version = Clocks.FIRST_VERSION;

    @Nullable
    Lease stored;

    Member[] processes;

    @Nullable
    Coordinator coordinator;

    List<Message> network = List.of();

    /** What moved last; the next fault concerns it. See {@link Model#moves}. */
    int mover = Model.TICK;

    /** Whether the last move sent a request, or had the API server handle something. */
    transient boolean sent;

    /** The fate of a request that the present move sends. */
    transient Move.Kind nextRequest = Move.Kind.REQUEST_ARRIVES;

    /** Whether an administrator may edit before the next move. */
    boolean mayEdit;

    /** The fencing token of the term that began last; 0 before the first. */
    long token;

    /** The process whose term began last; -1 before the first. */
    int leader = -1;

    /** The id of the term that began last, in the term annotation; {@code null} before the first, and once it makes no difference. */
    @Nullable
    String runningTerm;

    /** The versions at which an administrator removed a term's annotation or deleted the record, while an older term may still run. */
    long[] unmarked = {};

    /** Whether there ever was such an edit. */
    boolean everUnmarked;

    /** The first record of a term, or the one at the beginning, as long as an administrator may put it back. */
    @Nullable
    Lease firstTerm;

    /** The first release; likewise. */
    @Nullable
    Lease firstRelease;

    /** The first grant; likewise. */
    @Nullable
    Lease firstGrant;

    /** The process that was copied; the copy is the last one. -1 if none was. */
    int copyOf = -1;

    /** How many random numbers were drawn; each is drawn once. */
    transient long draws;

    World(int processes) {
        this.processes = new Member[processes];
    }

    private World(World other) {
        tick = other.tick;
        beginning = other.beginning;
        happened = other.happened;
        faultsLeft = other.faultsLeft;
        version = other.version;
        stored = other.stored;
        processes = other.processes.clone();
        coordinator = other.coordinator;
        network = other.network;
        mover = other.mover;
        token = other.token;
        leader = other.leader;
        runningTerm = other.runningTerm;
        unmarked = other.unmarked;
        everUnmarked = other.everUnmarked;
        firstTerm = other.firstTerm;
        firstRelease = other.firstRelease;
        firstGrant = other.firstGrant;
        copyOf = other.copyOf;
        draws = other.draws;
    }

    World copy() {
        return new World(this);
    }

    /** All that makes a difference besides the processes, the coordinator and the network. The next version is larger than all others anyway. */
    private Tokens tokens(Clocks clocks) {
        Tokens tokens = Tokens.of(stored, clocks);
        tokens.plain(faultsLeft);
        tokens.plain(happened);
        tokens.process(mover);
        tokens.process(leader);
        tokens.add(mayEdit);
        tokens.add(runningTerm);
        tokens.number(token);
        tokens.add(everUnmarked);
        tokens.add(unmarked);
        tokens.add(firstTerm);
        tokens.add(firstRelease);
        tokens.add(firstGrant);
        tokens.process(copyOf);
        return tokens;
    }

    /** All parts of this world, in the order of the new names of its processes. */
    void collect(int[] renaming, Clocks clocks, List<Tokens> parts) {
        parts.add(tokens(clocks));
        int[] former = new int[renaming.length];
        for (int i = 0; i < renaming.length; i++) {
            former[renaming[i]] = i;
        }
        for (int process : former) {
            parts.add(processes[process].tokens(clocks));
        }
        for (int copy = former.length; copy < processes.length; copy++) {
            parts.add(processes[copy].tokens(clocks));
        }
        if (coordinator != null) {
            parts.add(coordinator.tokens(clocks));
        }
        for (int i = Message.COORDINATOR; i < processes.length; i++) {
            int from = i >= 0 && i < former.length ? former[i] : i;
            for (Message message : network) {
                if (message.from() == from) {
                    parts.add(message.tokens(clocks));
                }
            }
        }
    }

    /** A process of this world, to be changed. */
    Member change(int process) {
        processes[process] = new Member(processes[process]);
        return processes[process];
    }

    /** The coordinator of this world, to be changed. */
    Coordinator changeCoordinator() {
        coordinator = new Coordinator(Objects.requireNonNull(coordinator));
        return coordinator;
    }

    static long[] with(long[] values, long value) {
        long[] longer = Arrays.copyOf(values, values.length + 1);
        longer[values.length] = value;
        return longer;
    }

    static <T> List<T> with(List<T> list, T element) {
        List<T> longer = new ArrayList<>(list.size() + 1);
        longer.addAll(list);
        longer.add(element);
        return List.copyOf(longer);
    }

    /** Adds a message, in an order that does not depend on which was sent first. */
    void send(Message message) {
        List<Message> messages = new ArrayList<>(network);
        messages.add(message);
        messages.sort(Comparator.comparingInt(Message::from).thenComparingLong(Message::id));
        network = List.copyOf(messages);
    }

    /** An id that no message of a process still under way has. */
    long freeId(int from) {
        long free = 1;
        for (Message message : network) {
            if (message.from() == from) {
                free = Math.max(free, message.id() + 1);
            }
        }
        return free;
    }

    static <T> List<T> without(List<T> list, int index) {
        List<T> shorter = new ArrayList<>(list);
        shorter.remove(index);
        return List.copyOf(shorter);
    }

    /**
     * A request on its way to the API server, or its answer on its way back.
     *
     * @param from the process; {@link #COORDINATOR} for the coordinator
     * @param id unique among a process's requests
     * @param desired what is to be written; {@code null} for a read
     * @param answer {@code null} until the API server has handled the request
     * @param refusedFor the record that was there, if the lease was to be created; {@code null} otherwise
     * @param delayed whether it may arrive at any time, rather than within the tick
     */
    record Message(
            int from,
            long id,
            @Nullable Lease desired,
            @Nullable ApiResult<?> answer,
            @Nullable Lease refusedFor,
            boolean delayed) {

        static final int COORDINATOR = -1;

        Message answered(ApiResult<?> result, @Nullable Lease stored) {
            boolean creation = desired != null && desired.resourceVersion() == null;
            return new Message(
                    from, id, desired, result, creation && result instanceof ApiResult.Conflict ? stored : null, false);
        }

        Message delayed(boolean isDelayed) {
            return new Message(from, id, desired, answer, refusedFor, isDelayed);
        }

        Tokens tokens(Clocks clocks) {
            Tokens tokens = Tokens.of(desired, clocks);
            tokens.add(answer);
            tokens.add(refusedFor);
            tokens.process(from);
            tokens.plain(id);
            tokens.add(delayed);
            return tokens;
        }
    }

    /**
     * What a watch delivers.
     *
     * @param lease the record; {@code null} if there is none any more, or, in a snapshot, none at all
     * @param version that of the change; 0 for a snapshot, with which a watch begins
     */
    record Notice(@Nullable Lease lease, long version) {
        boolean snapshot() {
            return version == 0;
        }
    }

    /** A process with a lock in it. */
    static final class Member {

        /** {@code null} while it is down. */
        @Nullable
        LockState state;

        /** How often it was started; each start has its own nonce. */
        transient int incarnation;

        private transient @Nullable Tokens tokens;
        boolean paused;

        /** Whether its watch delivers nothing. */
        boolean silent;

        /** Whether its application is unfit to lead. */
        boolean unfit;

        /** For how many ticks it has been paused, or its watch silent, or its work slow to stop. */
        int faultyFor;

        List<Notice> watch = List.of();

        /** The id of the request that it waits for; 0 if it waits for none. */
        long awaited;

        /** Whether that is a read. */
        boolean reads;

        long sentAt;

        /** The token of the term that its listeners were granted; 0 if there is none. */
        long granted;

        /** The token of the term whose work has to end; 0 if there is none. */
        long draining;

        long drainingSince;
        boolean slowWork;

        /** Whether its candidate object exists. */
        boolean announced;

        boolean pinged;
        long candidateVersion = Clocks.FIRST_VERSION;
        long lastWrite;

        /** The token of the last term of another process that it has observed while it ran. */
        long observedTerm;

        /** The record for which its creation of the lease was refused, until it has seen one; {@code null} if there is none. */
        @Nullable
        Lease refusedFor;

        /** The token of the term which that record was of while it ran; 0 if there is none. */
        long toldTerm;

        /** Of a copy: the id of the request that was under way when it was made; 0 if there was none, or it has sent another one since. */
        long shares;

        /** Whether it has written the record since the copying that it took part in, and no edit has undone that. */
        boolean wroteAlone;

        Member() {}

        Member copied() {
            return new Member(this);
        }

        /** Its tokens; it isn't changed any more. */
        Tokens tokens(Clocks clocks) {
            if (tokens == null) {
                tokens = Tokens.of(this, clocks);
            }
            return tokens;
        }

        private Member(Member other) {
            state = other.state;
            incarnation = other.incarnation;
            paused = other.paused;
            silent = other.silent;
            unfit = other.unfit;
            faultyFor = other.faultyFor;
            watch = other.watch;
            awaited = other.awaited;
            reads = other.reads;
            sentAt = other.sentAt;
            granted = other.granted;
            draining = other.draining;
            drainingSince = other.drainingSince;
            slowWork = other.slowWork;
            announced = other.announced;
            pinged = other.pinged;
            candidateVersion = other.candidateVersion;
            lastWrite = other.lastWrite;
            observedTerm = other.observedTerm;
            refusedFor = other.refusedFor;
            toldTerm = other.toldTerm;
            shares = other.shares;
            wroteAlone = other.wroteAlone;
        }
    }

    /** A coordinator: what it has observed, and what it waits for. */
    static final class Coordinator {

        private transient @Nullable Tokens tokens;
        boolean paused;
        boolean silent;
        int faultyFor;
        List<Notice> watch = List.of();

        @Nullable
        LeaseObservation lease;

        /** By process; {@code null} for one that has no candidate object. */
        @Nullable
        CandidateObservation[] candidates;

        long[] candidateVersions;
        LastHolder lastHolder = LastHolder.UNKNOWN;
        long recheckAt = Long.MAX_VALUE;
        long awaited;
        long sentAt;

        Coordinator(int processes) {
            candidates = new CandidateObservation[processes];
            candidateVersions = new long[processes];
            Arrays.fill(candidateVersions, Clocks.FIRST_VERSION);
        }

        /** Its tokens; it isn't changed any more. */
        Tokens tokens(Clocks clocks) {
            if (tokens == null) {
                tokens = Tokens.of(this, clocks);
            }
            return tokens;
        }

        private Coordinator(Coordinator other) {
            paused = other.paused;
            silent = other.silent;
            faultyFor = other.faultyFor;
            watch = other.watch;
            lease = other.lease;
            candidates = other.candidates.clone();
            candidateVersions = other.candidateVersions.clone();
            lastHolder = other.lastHolder;
            recheckAt = other.recheckAt;
            awaited = other.awaited;
            sentAt = other.sentAt;
        }
    }
}

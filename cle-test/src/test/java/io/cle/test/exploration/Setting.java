package io.cle.test.exploration;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.cle.election.internal.ElectionPolicy;
import io.cle.lock.KeyComparisons;
import io.cle.lock.LockConfig;
import io.cle.lock.LockKind;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.Timings;

/**
 * What is explored.
 *
 * <p>Time is discrete, in ticks of a second; the timings are the smallest whose durations all differ: a lease of three ticks, a renew
 * deadline of two, a request timeout and a retry period of one.
 *
 * @param cluster how candidates come to a leader
 * @param processes how many candidates there are, two or three
 * @param faults the most faults in a history
 * @param nanosPerTick how many nanoseconds pass within a tick by the monotonic clock of each process
 * @param settled whether the history begins with a leader that all know, rather than before the first start
 * @param copies whether a process may be copied, once, as a fault
 */
record Setting(Cluster cluster, int processes, int faults, List<Long> nanosPerTick, boolean settled, boolean copies) {

    static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    static final long SECOND = 1_000_000_000L;
    static final Timings TIMINGS = new Timings(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofSeconds(1));
    static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(2);
    static final ElectionPolicy POLICY =
            new ElectionPolicy(Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ZERO);

    /** For how many ticks a process is paused, its watch silent or its work slow to stop, at most. */
    static final int LONGEST_FAULT = 4;

    /** Within how many ticks without faults some process leads. */
    static final int LEADER_WITHIN = 12;

    /**
     * How fast the clock of a standby is that acquires the lease in the very tick in which the leader's validity ends: two ticks after the
     * last renewal, by a lease of three seconds and up to 150 ms of jitter. A little faster would make no difference, because processes move
     * at ticks only; twice as fast is a tick too early.
     */
    private static final long FASTEST = 1_600_000_000L;

    private static final List<int[]> TWO = List.of(new int[] {0, 1}, new int[] {1, 0});
    private static final List<int[]> THREE = List.of(
            new int[] {0, 1, 2},
            new int[] {0, 2, 1},
            new int[] {1, 0, 2},
            new int[] {1, 2, 0},
            new int[] {2, 0, 1},
            new int[] {2, 1, 0});

    /** Of the hashes that the jitter is made of, this one is chosen. */
    private static final int SPREAD = 0x8000;

    private static final Map<String, String> NONCES = new ConcurrentHashMap<>();

    /** The first number that is drawn for a write, whose id is made of it. */
    static final long FIRST_WRITE = 0x7EA5_0000_0000_0000L;

    private static final String IDS_OF_WRITES = "7ea5";
    private static final int LENGTH_OF_WRITE = 16;

    /** How candidates come to a leader. */
    enum Cluster {
        /** They race for the record. */
        RACE,
        /** They race for the record, and those of higher keys take it from those of lower ones. */
        PRIORITIZED,
        /** A coordinator elects. */
        COORDINATED
    }

    /** Two processes, and histories of any length. */
    static Setting of(Cluster cluster, int faults) {
        return new Setting(cluster, 2, faults, List.of(SECOND, SECOND, SECOND, SECOND), true, false);
    }

    /** The settings in which mutations are looked for. */
    static List<Setting> ofMutations() {
        return List.of(
                of(Cluster.RACE, 1),
                of(Cluster.RACE, 1).withClocksAtTheLimit(),
                of(Cluster.RACE, 1).withCopies(),
                of(Cluster.PRIORITIZED, 1),
                of(Cluster.COORDINATED, 1),
                of(Cluster.RACE, 2),
                of(Cluster.RACE, 2).withClocksAtTheLimit(),
                of(Cluster.PRIORITIZED, 2),
                of(Cluster.RACE, 3));
    }

    Setting withClocksAtTheLimit() {
        return new Setting(cluster, processes, faults, List.of(SECOND, FASTEST, SECOND, SECOND), settled, copies);
    }

    Setting withClocksBeyondTheLimit() {
        return new Setting(cluster, processes, faults, List.of(SECOND, 2 * FASTEST, SECOND, SECOND), settled, copies);
    }

    Setting fromTheStart() {
        return new Setting(cluster, processes, faults, nanosPerTick, false, copies);
    }

    Setting withProcesses(int count) {
        return new Setting(cluster, count, faults, nanosPerTick, settled, copies);
    }

    /** How many clocks there are: those of the processes, and the coordinator's. */
    int clocks() {
        return nanosPerTick.size();
    }

    /**
     * Longer than all durations that a machine adds to an instant of the past, so that two instants before that come to the same. The longest is
     * the lease duration of an edit. With keys it is four hold-offs of a process that has yielded once.
     */
    long longAgo() {
        return (cluster == Cluster.PRIORITIZED ? 25 : 6) * SECOND;
    }

    /**
     * The ways to name the processes that make no difference: all of them if the processes are alike, otherwise the one in which each keeps its
     * name.
     */
    List<int[]> renamings() {
        List<int[]> all = processes == 2 ? TWO : THREE;
        boolean alike =
                cluster == Cluster.RACE && nanosPerTick.stream().distinct().count() == 1;
        return alike ? all : all.subList(0, 1);
    }

    /**
     * The nonce of a process that was started so often. All of them spread their attempts by the same jitter. It is shorter than a tick, and so makes no
     * difference to what can happen, but would to the instants in a state.
     */
    String nonce(int process, int starts) {
        return NONCES.computeIfAbsent(identity(process) + starts, unused -> findNonce(identity(process), starts));
    }

    private static String findNonce(String identity, int number) {
        int found = 0;
        int tried = 0;
        String nonce = "";
        while (found < number) {
            nonce = "n" + ++tried;
            found += ((identity + '/' + nonce).hashCode() * 0x9E3779B9) >>> 16 == SPREAD ? 1 : 0;
        }
        return nonce;
    }

    /** Whether a text is a nonce, or the id of a write. */
    static boolean isName(String text) {
        boolean nonce = text.length() > 1 && text.charAt(0) == 'n' && Character.isDigit(text.charAt(1));
        return nonce || (text.length() == LENGTH_OF_WRITE && text.startsWith(IDS_OF_WRITES));
    }

    /** Whether a text is the identity of a process. */
    static boolean isIdentity(String text) {
        return text.length() == 1 && text.charAt(0) >= 'a' && text.charAt(0) <= 'c';
    }

    /** The same with the fault that a process is copied. */
    Setting withCopies() {
        return new Setting(cluster, processes, faults, nanosPerTick, settled, true);
    }

    boolean coordinated() {
        return cluster == Cluster.COORDINATED;
    }

    /** The identity of a process: {@code a}, {@code b}, {@code c}. */
    String identity(int process) {
        return String.valueOf((char) ('a' + process));
    }

    LockConfig config(int process) {
        Candidate template = candidate(process);
        return new LockConfig(
                LEASE,
                identity(process),
                coordinated() ? LockKind.COORDINATED : LockKind.DIRECT,
                TIMINGS,
                DRAIN_TIMEOUT,
                new LockConfig.Fallback(coordinated(), coordinated() ? Duration.ofSeconds(3) : Duration.ZERO),
                coordinated() ? new LockConfig.Candidacy(template, Duration.ofMinutes(5)) : null,
                cluster == Cluster.PRIORITIZED
                        ? new LockConfig.Takeover(
                                String.valueOf(process + 1), KeyComparisons.largestNumber(), Duration.ofSeconds(1))
                        : null,
                Duration.ofNanos(1000));
    }

    /** What a process announces: each has a higher priority than the one before, so that terms are ended in its favour. */
    Candidate candidate(int process) {
        return Candidate.builder(new ObjectKey(LEASE.namespace(), identity(process)), LEASE)
                .priority(process + 1)
                .strategy("HighestPriority")
                .build();
    }

    @Override
    public String toString() {
        return cluster + ", " + processes + " processes, " + faults + (faults == 1 ? " fault" : " faults")
                + (nanosPerTick.get(1) == SECOND ? "" : ", clocks at a ratio of " + nanosPerTick.get(1) / 1e9)
                + (settled ? "" : ", from the start")
                + (copies ? ", a process may be copied" : "");
    }
}

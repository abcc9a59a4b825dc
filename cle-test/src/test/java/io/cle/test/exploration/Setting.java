package io.cle.test.exploration;

import java.time.Duration;
import java.util.List;

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
 */
record Setting(Cluster cluster, int processes, int faults, List<Long> nanosPerTick, boolean settled) {

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
        return new Setting(cluster, 2, faults, List.of(SECOND, SECOND, SECOND, SECOND), true);
    }

    /** The settings in which mutations are looked for. */
    static List<Setting> ofMutations() {
        return List.of(
                of(Cluster.RACE, 1),
                of(Cluster.RACE, 1).withClocksAtTheLimit(),
                of(Cluster.PRIORITIZED, 1),
                of(Cluster.COORDINATED, 1),
                of(Cluster.RACE, 2),
                of(Cluster.RACE, 2).withClocksAtTheLimit(),
                of(Cluster.PRIORITIZED, 2),
                of(Cluster.RACE, 3));
    }

    Setting withClocksAtTheLimit() {
        return new Setting(cluster, processes, faults, List.of(SECOND, FASTEST, SECOND, SECOND), settled);
    }

    Setting withClocksBeyondTheLimit() {
        return new Setting(cluster, processes, faults, List.of(SECOND, 2 * FASTEST, SECOND, SECOND), settled);
    }

    Setting fromTheStart() {
        return new Setting(cluster, processes, faults, nanosPerTick, false);
    }

    Setting withProcesses(int count) {
        return new Setting(cluster, count, faults, nanosPerTick, settled);
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
                + (settled ? "" : ", from the start");
    }
}

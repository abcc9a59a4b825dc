package io.cle.test.simulation.scenario;

import java.time.Duration;
import java.util.SplittableRandom;

import io.cle.Timings;
import io.cle.model.ObjectKey;

/**
 * What a simulated cluster consists of, and its faults. Immutable; a seed chooses all of it, and a test can change it.
 *
 * @param kind how a leader is elected
 * @param candidates how many there are at first
 * @param coordinators how many there are
 * @param timings the three durations of every lock
 * @param strategy the strategy that candidates ask for
 * @param faults faults of the network
 * @param processFaults faults of processes, watches, clocks and the API server
 * @param faultsLast for how long there are faults
 * @param mixedTimings whether candidates differ in their durations
 * @param clockSkew whether wall clocks are skewed by hours; kube-apiserver's own controller, which relies on them, then elects no
 *     candidate or the wrong one, so that only safety is checked if it elects
 */
public record Scenario(
        ClusterKind kind,
        int candidates,
        int coordinators,
        Timings timings,
        String strategy,
        NetworkFaults faults,
        ProcessFaults processFaults,
        Duration faultsLast,
        boolean mixedTimings,
        boolean clockSkew) {

    /**
     * Faults of processes, watches, clocks and the API server: how many seconds pass between two of a kind, on average; 0 if there are
     * none.
     *
     * @param pauses a process pauses for up to two and a half lease durations
     * @param crashes a process crashes in the middle of a task, and is started again under the same or another name
     * @param twins a second process is started under the name of one that pauses or is partitioned from the API server
     * @param cuts a process is partitioned from the API server
     * @param stops a candidate stops in good order, or resigns, and joins again
     * @param outages the API server is down, and may have compacted its history when it is back
     * @param watches a watch falls silent or breaks, or the history is compacted
     * @param clocks a clock is set or changes its rate
     * @param administrators an administrator edits or deletes a lease, a candidate or a configuration
     * @param usurpers a coordinator coordinates without being elected to
     * @param arrivals another candidate joins, or changes its priority
     * @param suspends a machine is suspended for longer than its lease; clocks are then set ahead only, because a step back hides it
     */
    public record ProcessFaults(
            int pauses,
            int crashes,
            int twins,
            int cuts,
            int stops,
            int outages,
            int watches,
            int clocks,
            int administrators,
            int usurpers,
            int arrivals,
            int suspends) {

        /** No faults. */
        public static final ProcessFaults NONE = new ProcessFaults(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

        private static ProcessFaults random(SplittableRandom random, int suspends) {
            return new ProcessFaults(
                    some(random, 10),
                    some(random, 10),
                    some(random, 30),
                    some(random, 12),
                    some(random, 15),
                    some(random, 30),
                    some(random, 8),
                    some(random, 10),
                    some(random, 10),
                    some(random, 20),
                    some(random, 15),
                    suspends);
        }

        private static int some(SplittableRandom random, int seconds) {
            return random.nextBoolean() ? 0 : seconds + random.nextInt(2 * seconds);
        }
    }

    /** The lease that the candidates want to lead. */
    public static final ObjectKey LEASE = new ObjectKey("shop", "orders");

    /** The timings that are tried: the defaults mostly, and others whose ratios differ. */
    private static final Timings[] TIMINGS = {
        Timings.DEFAULT,
        Timings.DEFAULT,
        new Timings(Duration.ofSeconds(6), Duration.ofSeconds(4), Duration.ofSeconds(1)),
        new Timings(Duration.ofSeconds(10), Duration.ofSeconds(9), Duration.ofSeconds(2)),
        new Timings(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(500)),
    };

    /**
     * How many of them, from the first on, are safe for client-go's elector. Its renew deadline runs from a retry period after its last renewal;
     * with a deadline close to the lease duration, it still leads when another process may have acquired the lease.
     */
    private static final int SAFE_FOR_PLAIN = 3;

    /** One seed in so many suspends machines. */
    private static final int SUSPENDING = 7;

    private static final int SECONDS_BETWEEN_SUSPENDS = 15;

    /** The scenario of a seed: up to five candidates mostly, up to fifty at times. */
    public static Scenario of(ClusterKind kind, long seed) {
        SplittableRandom random = new SplittableRandom(seed ^ 0x5ce9a210L);
        int candidates = random.nextInt(50) == 0 ? 6 + random.nextInt(45) : 1 + random.nextInt(5);
        return of(kind, seed, candidates);
    }

    /** The scenario of a seed and a candidate count. */
    public static Scenario of(ClusterKind kind, long seed, int candidates) {
        SplittableRandom random = new SplittableRandom(seed);
        int coordinators = !kind.coordinated() ? 0 : random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(2);
        // Nobody races for a lease of a group, so that there is no leader without a coordinator.
        int fewestCoordinators = kind.grouped() ? 1 : 0;
        return new Scenario(
                kind,
                candidates,
                Math.max(fewestCoordinators, coordinators),
                TIMINGS[random.nextInt(kind == ClusterKind.MIGRATION ? SAFE_FOR_PLAIN : TIMINGS.length)],
                kind.strategies().get(random.nextInt(kind.strategies().size())),
                NetworkFaults.random(random, kind == ClusterKind.MIGRATION),
                ProcessFaults.random(random, seed % SUSPENDING == 0 ? SECONDS_BETWEEN_SUSPENDS : 0),
                Duration.ofSeconds(random.nextLong(20, 60)),
                kind != ClusterKind.MIGRATION && random.nextInt(5) == 0 && kind != ClusterKind.RESTORED,
                kind != ClusterKind.NATIVE || random.nextInt(3) == 0);
    }

    /** The timings of some candidate. */
    public Timings someTimings(SplittableRandom choice) {
        return mixedTimings ? TIMINGS[choice.nextInt(TIMINGS.length)] : timings;
    }

    /** The largest ratio of clock rates that all timings in use tolerate. */
    public double toleratedClockRateRatio() {
        double ratio = timings.toleratedClockRateRatio();
        for (Timings other : mixedTimings ? TIMINGS : new Timings[0]) {
            ratio = Math.min(ratio, other.toleratedClockRateRatio());
        }
        return ratio;
    }

    /** Whether it is known which candidate must lead in the end. */
    public boolean comesToALeader() {
        return kind != ClusterKind.NATIVE || !clockSkew;
    }

    /** The same with other timings. */
    public Scenario with(Timings other) {
        return new Scenario(
                kind,
                candidates,
                coordinators,
                other,
                strategy,
                faults,
                processFaults,
                faultsLast,
                mixedTimings,
                clockSkew);
    }

    /** The same with other faults of the network. */
    public Scenario with(NetworkFaults other) {
        return new Scenario(
                kind,
                candidates,
                coordinators,
                timings,
                strategy,
                other,
                processFaults,
                faultsLast,
                mixedTimings,
                clockSkew);
    }

    /** The same with other faults of processes. */
    public Scenario with(ProcessFaults other) {
        return new Scenario(
                kind, candidates, coordinators, timings, strategy, faults, other, faultsLast, mixedTimings, clockSkew);
    }
}

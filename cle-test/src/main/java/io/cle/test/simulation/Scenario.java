package io.cle.test.simulation;

import java.time.Duration;
import java.util.SplittableRandom;

import io.cle.model.Timings;

/**
 * What a simulated cluster is made of and what befalls it. Immutable; all of it is chosen by a seed, and can be changed.
 *
 * @param kind how candidates come to a leader
 * @param candidates how many there are at first
 * @param coordinators how many there are
 * @param timings the three durations of every lock
 * @param strategy the strategy that candidates ask for
 * @param faults what goes wrong on the network
 * @param troubles what befalls processes, the API server and clocks
 * @param faultsLast for how long things go wrong
 * @param mixedTimings whether candidates differ in their durations
 * @param clocksOff whether wall clocks are off by hours; kube-apiserver's own controller, which goes by them, then elects nobody or
 *     the wrong one, so that only safety is checked where it elects
 */
public record Scenario(
        ClusterKind kind,
        int candidates,
        int coordinators,
        Timings timings,
        String strategy,
        Faults faults,
        Troubles troubles,
        Duration faultsLast,
        boolean mixedTimings,
        boolean clocksOff) {

    /**
     * What befalls processes, the API server and clocks: how many seconds pass between two of a kind, on average; 0 where it never
     * happens.
     *
     * @param pauses a process stands still, for up to two and a half lease durations
     * @param crashes a process dies in the middle of something, and is started again under the same or another name
     * @param twins a process is started under the name of one that stands still or is cut off, and is not dead
     * @param cuts a process is cut off from the API server
     * @param stops a process is stopped in good order, or resigns, and stands again
     * @param outages the API server is away, and may have forgotten its history when it's back
     * @param watches a watch falls silent, breaks, or the history is forgotten
     * @param clocks a clock is set or changes its rate
     * @param administrators somebody edits or deletes a lease, a candidate or a configuration
     * @param usurpers a coordinator begins to believe, wrongly, that it coordinates
     * @param arrivals another candidate comes, or changes its priority
     */
    public record Troubles(
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
            int arrivals) {

        /** Nothing befalls anybody. */
        public static final Troubles NONE = new Troubles(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

        private static Troubles random(SplittableRandom random) {
            return new Troubles(
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
                    some(random, 15));
        }

        private static int some(SplittableRandom random, int seconds) {
            return random.nextBoolean() ? 0 : seconds + random.nextInt(2 * seconds);
        }
    }

    /** The timings that are tried: the defaults mostly, and others whose ratios differ. */
    private static final Timings[] TIMINGS = {
        Timings.DEFAULT,
        Timings.DEFAULT,
        new Timings(Duration.ofSeconds(6), Duration.ofSeconds(4), Duration.ofSeconds(1)),
        new Timings(Duration.ofSeconds(10), Duration.ofSeconds(9), Duration.ofSeconds(2)),
        new Timings(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(500)),
    };

    /**
     * The first so many leave client-go's elector the room it needs: it counts its renew deadline from a retry period after its last
     * renewal, so that with a deadline close to the lease duration it leads on when others may have taken over.
     */
    private static final int SAFE_FOR_PLAIN = 3;

    /** The scenario of a seed: up to five candidates mostly, up to fifty at times. */
    public static Scenario of(ClusterKind kind, long seed) {
        SplittableRandom random = new SplittableRandom(seed ^ 0x5ce9a210L);
        int candidates = random.nextInt(50) == 0 ? 6 + random.nextInt(45) : 1 + random.nextInt(5);
        return of(kind, seed, candidates);
    }

    /** The scenario of a seed, with so many candidates. */
    public static Scenario of(ClusterKind kind, long seed, int candidates) {
        SplittableRandom random = new SplittableRandom(seed);
        int coordinators = !kind.coordinated() ? 0 : random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(2);
        return new Scenario(
                kind,
                candidates,
                coordinators,
                TIMINGS[random.nextInt(kind == ClusterKind.MIGRATION ? SAFE_FOR_PLAIN : TIMINGS.length)],
                kind.strategies().get(random.nextInt(kind.strategies().size())),
                Faults.random(random, kind == ClusterKind.MIGRATION),
                Troubles.random(random),
                Duration.ofSeconds(random.nextLong(20, 60)),
                kind != ClusterKind.MIGRATION && random.nextInt(5) == 0,
                kind != ClusterKind.NATIVE || random.nextInt(3) == 0);
    }

    /** Some candidate's durations. */
    Timings someTimings(SplittableRandom choice) {
        return mixedTimings ? TIMINGS[choice.nextInt(TIMINGS.length)] : timings;
    }

    /** By what factor clocks may differ in their rates, for all that are in use. */
    double toleratedClockRateRatio() {
        double ratio = timings.toleratedClockRateRatio();
        for (Timings other : mixedTimings ? TIMINGS : new Timings[0]) {
            ratio = Math.min(ratio, other.toleratedClockRateRatio());
        }
        return ratio;
    }

    /** Whether it can be told who has to lead in the end. */
    boolean comesToALeader() {
        return kind != ClusterKind.NATIVE || !clocksOff;
    }

    /** The same with other timings. */
    public Scenario with(Timings other) {
        return new Scenario(
                kind, candidates, coordinators, other, strategy, faults, troubles, faultsLast, mixedTimings, clocksOff);
    }

    /** The same with other faults of the network. */
    public Scenario with(Faults other) {
        return new Scenario(
                kind,
                candidates,
                coordinators,
                timings,
                strategy,
                other,
                troubles,
                faultsLast,
                mixedTimings,
                clocksOff);
    }

    /** The same with other troubles. */
    public Scenario with(Troubles other) {
        return new Scenario(
                kind, candidates, coordinators, timings, strategy, faults, other, faultsLast, mixedTimings, clocksOff);
    }

    /** The same with another strategy. */
    public Scenario withStrategy(String other) {
        return new Scenario(
                kind, candidates, coordinators, timings, other, faults, troubles, faultsLast, mixedTimings, clocksOff);
    }
}

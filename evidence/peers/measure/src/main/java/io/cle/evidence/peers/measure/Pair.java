package io.cle.evidence.peers.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

import io.cle.evidence.process.Event;

/** A leader of a contestant, and another replica that would follow it. */
record Pair(Contestant contestant, Replica leader, Replica standby) {

    private static final Duration SETTLED = Duration.ofSeconds(6);
    private static final Duration PHASES = Duration.ofSeconds(2);
    private static final Duration APART = Duration.ofMillis(500);

    /**
     * Starts a pair of every elector, all beside each other, and lets them settle. What is measured with them takes many seconds, in which they do
     * nearly nothing.
     *
     * @param rows those that are lost for a contestant which doesn't get so far
     */
    static List<Pair> ofAll(String scenario, int trial, Arena arena, Results results, Row... rows)
            throws InterruptedException {
        List<Pair> pairs = new ArrayList<>();
        if (trial == 1 && arena.contestants(trial).contains(Contestant.COORDINATED)) {
            arena.startCoordinator();
        }
        for (Contestant contestant : arena.contestants(trial)) {
            if (contestant.elects()) {
                try {
                    String lease = scenario + "-" + contestant.lease(trial);
                    Replica leader = arena.start(contestant, lease, "a", "1.0.0");
                    leader.process().await("granted", Arena.PATIENCE);
                    Replica standby = arena.start(contestant, lease, "b", "1.0.0");
                    standby.process().await("boot", Arena.PATIENCE);
                    pairs.add(new Pair(contestant, leader, standby));
                } catch (IllegalStateException e) {
                    Scenario.lost(contestant, trial, results, e, rows);
                }
            }
        }
        Scenario.pause(SETTLED, PHASES);
        return pairs;
    }

    /** Attacks one after the other, at moments that no renewals or polls go by; returns when each was. */
    static Map<Pair, Long> attack(List<Pair> pairs, ToLongFunction<Pair> attack) throws InterruptedException {
        Map<Pair, Long> moments = new LinkedHashMap<>();
        for (Pair pair : pairs) {
            Scenario.pause(Duration.ZERO, APART);
            moments.put(pair, attack.applyAsLong(pair));
        }
        return moments;
    }

    /** Whether the standby leads, and nobody else. */
    boolean handedOver() {
        return standby.leads() && !leader.leads();
    }

    /** How the lease was led during an interval. */
    Led led(long from, long to) {
        List<List<Event>> events =
                List.of(leader.process().events(), standby.process().events());
        return Led.during(from, to, events);
    }
}

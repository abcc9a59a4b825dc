package io.cle.evidence.peers.measure;

import java.time.Duration;

import io.cle.evidence.process.Event;

/** A candidate comes, another one (where that matters: a better one) comes, and the leader gets SIGTERM. */
final class Handover implements Scenario {

    private static final Row[] ROWS = {
        Row.FIRST, Row.BETTER, Row.BETTER_NONE, Row.SIGTERM, Row.MEMORY, Row.THREADS, Row.START
    };
    // A coordinator needn't ask a candidate that has renewed in the last 5 s.
    private static final Duration SETTLED = Duration.ofSeconds(6);
    private static final Duration PHASES = Duration.ofSeconds(2);

    @Override
    public void trial(int trial, Arena arena, Results results) throws InterruptedException {
        if (trial == 1 && arena.contestants(trial).contains(Contestant.COORDINATED)) {
            arena.startCoordinator();
        }
        for (Contestant contestant : arena.contestants(trial)) {
            try {
                turn(contestant, trial, arena, results);
            } catch (IllegalStateException e) {
                Scenario.lost(contestant, trial, results, e, ROWS);
            } finally {
                arena.endAll();
            }
        }
    }

    private static void turn(Contestant contestant, int trial, Arena arena, Results results)
            throws InterruptedException {
        String lease = "handover-" + contestant.lease(trial);
        Replica first = arena.start(contestant, lease, "a", "1.1.0");
        if (!contestant.elects()) {
            arena.await("the application", () -> first.startMillis().isPresent());
            Scenario.pause(SETTLED, PHASES);
            cost(first, contestant, trial, arena, results);
            return;
        }
        Event boot = first.process().await("boot", Arena.PATIENCE);
        Event granted = first.process().await("granted", Arena.PATIENCE);
        results.add(Row.FIRST, contestant, trial, granted.millisSince(boot));

        Replica second = arena.start(contestant, lease, "b", "1.0.0");
        Event secondBoot = second.process().await("boot", Arena.PATIENCE);
        boolean yields = Row.BETTER.appliesTo(contestant);
        if (yields) {
            Event taken = second.process().await("granted", Arena.PATIENCE);
            results.add(Row.BETTER, contestant, trial, taken.millisSince(secondBoot));
            Event revoked = first.process().await("revoked", Arena.PATIENCE);
            results.add(Row.BETTER_NONE, contestant, trial, taken.millisSince(revoked));
        }
        Scenario.pause(SETTLED, PHASES);
        Replica leader = yields ? second : first;
        Replica heir = yields ? first : second;
        cost(leader, contestant, trial, arena, results);
        long told = leader.process().terminate();
        Event inherited = heir.process().await("granted", told, Arena.PATIENCE);
        results.add(Row.SIGTERM, contestant, trial, inherited.millisSince(told));
    }

    private static void cost(Replica replica, Contestant contestant, int trial, Arena arena, Results results) {
        replica.process()
                .status("VmRSS")
                .ifPresent(kib -> results.add(Row.MEMORY, contestant, trial, kib * 1024 / 1e6));
        replica.process()
                .status("Threads")
                .ifPresent(count -> results.add(Row.THREADS, contestant, trial, (double) count));
        arena.await("the application", () -> replica.startMillis().isPresent());
        results.add(Row.START, contestant, trial, replica.startMillis().orElseThrow());
    }
}

package io.cle.evidence.peers.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.cle.evidence.process.Pause;

/** Ten candidates for one lease, and nothing happens: what they ask of the API server, or the database, in a minute. */
final class Rest implements Scenario {

    private static final int CANDIDATES = 10;
    private static final Duration SETTLED = Duration.ofSeconds(15);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Override
    public int trials(Options options) {
        return 1;
    }

    @Override
    public void trial(int trial, Arena arena, Results results) throws InterruptedException {
        long server = requestsOfAMinute(arena);
        long coordinator = 0;
        if (arena.contestants(trial).contains(Contestant.COORDINATED)) {
            arena.startCoordinator();
            Pause.of(SETTLED);
            coordinator = Math.max(0, requestsOfAMinute(arena) - server);
            results.remark("Of the requests of this project, coordinated, " + coordinator
                    + " are the coordinator's, which has as many whether there is one lease or none.");
        }
        for (Contestant contestant : arena.contestants(trial)) {
            Row row = contestant.needsDatabase() ? Row.TRANSACTIONS : Row.REQUESTS;
            if (row.appliesTo(contestant)) {
                long others = contestant == Contestant.COORDINATED ? server : server + coordinator;
                try {
                    results.add(row, contestant, trial, measure(contestant, others, arena));
                } catch (IllegalStateException e) {
                    Scenario.lost(contestant, trial, results, e, row);
                } finally {
                    arena.endAll();
                }
            }
        }
    }

    private static double measure(Contestant contestant, long others, Arena arena) throws InterruptedException {
        List<Replica> candidates = new ArrayList<>();
        for (int i = 0; i < CANDIDATES; i++) {
            candidates.add(arena.start(contestant, "rest-" + contestant.lease(1), "r" + i, "1.0.0"));
        }
        for (Replica candidate : candidates) {
            candidate.process().await("boot", Arena.PATIENCE);
        }
        Pause.of(SETTLED);
        if (contestant.needsDatabase()) {
            long before = arena.postgres().transactions();
            Pause.of(MINUTE);
            return (double) (arena.postgres().transactions() - before);
        }
        return (double) Math.max(0, requestsOfAMinute(arena) - others);
    }

    private static long requestsOfAMinute(Arena arena) throws InterruptedException {
        var before = arena.requests();
        Pause.of(MINUTE);
        return arena.requests().since(before).total();
    }
}

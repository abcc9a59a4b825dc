package io.cle.evidence.peers.measure;

import java.util.List;

/** All leaders are killed, and their standbys take over when they may. */
final class Kill implements Scenario {

    @Override
    public void trial(int trial, Arena arena, Results results) throws InterruptedException {
        List<Pair> pairs = Pair.ofAll("kill", trial, arena, results, Row.SIGKILL);
        for (var killed :
                Pair.attack(pairs, pair -> pair.leader().process().kill()).entrySet()) {
            Pair pair = killed.getKey();
            try {
                double millis = pair.standby()
                        .process()
                        .await("granted", killed.getValue(), Arena.PATIENCE)
                        .millisSince(killed.getValue());
                results.add(Row.SIGKILL, pair.contestant(), trial, millis);
            } catch (IllegalStateException e) {
                Scenario.lost(pair.contestant(), trial, results, e, Row.SIGKILL);
            }
        }
        arena.endAll();
    }
}

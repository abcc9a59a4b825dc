package io.cle.evidence.benchmark;

import io.cle.evidence.process.Contender;
import io.cle.evidence.process.Pause;
import io.cle.evidence.process.UnixTime;

/**
 * Eight processes share 64 shards, and their work takes 30 s to end. One receives SIGTERM, and then all are upgraded. The
 * coordinator starts when all processes run: otherwise the first process would lead all shards, and drain most of them.
 */
final class DrainedShardScenario implements Scenario {

    private static final String OLD = "1.0.0";

    @Override
    public void trial(int number, Lab lab, Results results) throws InterruptedException {
        ShardedService service = new ShardedService(
                lab,
                "drained" + number,
                "--candidate.drain=30s",
                "--cle.drain-timeout=60s",
                "--spring.lifecycle.timeout-per-shutdown-phase=90s");
        ShardCosts costs = results.shards();
        long since = UnixTime.now();
        long last = service.startAll(OLD);
        Contender coordinator = lab.startCoordinator();
        service.awaitBalance(since, last);

        Pause.untilCandidatesAreAsked();
        long told = service.stopOldest();
        costs.add(ShardEvent.DRAINED_STOP, service.awaitBalance(told, told));

        since = UnixTime.now();
        long joined = service.awaitCandidate(service.start(OLD));
        service.awaitBalance(since, joined);
        Pause.untilCandidatesAreAsked();
        costs.add(ShardEvent.DRAINED_UPGRADE, service.upgrade("1.1.0"));
        service.end();
        lab.end(coordinator);
    }
}

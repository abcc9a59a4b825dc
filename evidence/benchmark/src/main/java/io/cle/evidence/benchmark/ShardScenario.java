package io.cle.evidence.benchmark;

import io.cle.evidence.process.Pause;
import io.cle.evidence.process.UnixTime;

/** Eight processes share 64 shards. A ninth joins, one receives SIGTERM, one is killed, and all are upgraded. */
final class ShardScenario implements Scenario {

    private static final String OLD = "1.0.0";

    @Override
    public void trial(int number, Lab lab, Results results) throws InterruptedException {
        ShardedService service = new ShardedService(lab, "orders" + number);
        ShardCosts costs = results.shards();
        long since = UnixTime.now();
        long last = service.startAll(OLD);
        costs.add(ShardEvent.START, service.awaitBalance(since, last));

        Pause.untilCandidatesAreAsked();
        since = UnixTime.now();
        long joined = service.awaitCandidate(service.start(OLD));
        costs.add(ShardEvent.JOIN, service.awaitBalance(since, joined));

        Pause.untilCandidatesAreAsked();
        long told = service.stopOldest();
        costs.add(ShardEvent.STOP, service.awaitBalance(told, told));

        Pause.untilCandidatesAreAsked();
        long killed = service.killOldest();
        costs.add(ShardEvent.KILL, service.awaitBalance(killed, killed));

        since = UnixTime.now();
        joined = service.awaitCandidate(service.start(OLD));
        service.awaitBalance(since, joined);
        Pause.untilCandidatesAreAsked();
        costs.add(ShardEvent.UPGRADE, service.upgrade("1.1.0"));
        service.end();
    }
}

package io.cle.evidence.benchmark;

import java.time.Duration;

import io.cle.evidence.process.Contender;
import io.cle.evidence.process.Event;
import io.cle.evidence.process.Pause;

/** A direct lock on a Lease: released when its holder gets SIGTERM, expired when its holder is killed. */
final class DirectScenario implements Scenario {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Override
    public void trial(int number, Lab lab, Results results) throws InterruptedException {
        String lease = "direct-" + number;
        Contender first = start(lease, "a", lab);
        first.await("granted", PATIENCE);
        Contender second = start(lease, "b", lab);
        second.await("boot", PATIENCE);
        Pause.of(Duration.ofSeconds(3));
        long told = first.terminate();
        Event granted = second.await("granted", told, PATIENCE);
        results.add(Line.DIRECT_RELEASED, granted.millisSince(first.await("revoked", PATIENCE)));

        Contender third = start(lease, "c", lab);
        third.await("boot", PATIENCE);
        Pause.of(Duration.ofSeconds(4));
        long killed = second.kill();
        long expiry = lab.expiry(lease);
        results.add(
                Line.DIRECT_EXPIRED, third.await("granted", killed, PATIENCE).millisSince(expiry));
        lab.end(first, second, third);
    }

    private static Contender start(String lease, String identity, Lab lab) {
        return lab.ours(lease, identity, "1.1.0", "--cle.resource-lock=leases");
    }
}

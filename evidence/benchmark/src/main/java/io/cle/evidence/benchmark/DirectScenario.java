package io.cle.evidence.benchmark;

import java.time.Duration;

import io.cle.evidence.benchmark.Results.Contestant;
import io.cle.evidence.process.Contender;
import io.cle.evidence.process.Event;
import io.cle.evidence.process.Pause;

/** A direct lock on a Lease: released by one that gets SIGTERM, expired when one is killed. */
final class DirectScenario implements Scenario {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A candidate for a lease, by its identity. */
    private interface Starter {
        Contender start(String lease, String identity);
    }

    @Override
    public void trial(int number, Lab lab, Results results) throws InterruptedException {
        Starter ours = (lease, identity) -> lab.ours(lease, identity, "1.1.0", "--cle.resource-lock=leases");
        run("direct-" + number, ours, lab, results, Contestant.OURS);
        run("direct-client-java-" + number, lab::clientJava, lab, results, Contestant.CLIENT_JAVA);
    }

    private static void run(String lease, Starter starter, Lab lab, Results results, Contestant contestant)
            throws InterruptedException {
        Contender first = starter.start(lease, "a");
        first.await("granted", PATIENCE);
        Contender second = starter.start(lease, "b");
        second.await("boot", PATIENCE);
        Pause.of(Duration.ofSeconds(3));
        long told = first.terminate();
        Event granted = second.await("granted", told, PATIENCE);
        results.add(Line.DIRECT_RELEASED, contestant, granted.millisSince(first.await("revoked", PATIENCE)));

        Contender third = starter.start(lease, "c");
        third.await("boot", PATIENCE);
        Pause.of(Duration.ofSeconds(4));
        long killed = second.kill();
        long expiry = lab.expiry(lease);
        results.add(
                Line.DIRECT_EXPIRED,
                contestant,
                third.await("granted", killed, PATIENCE).millisSince(expiry));
        lab.end(first, second, third);
    }
}

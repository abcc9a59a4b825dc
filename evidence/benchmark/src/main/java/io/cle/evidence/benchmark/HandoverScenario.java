package io.cle.evidence.benchmark;

import java.time.Duration;

import io.cle.evidence.process.Contender;
import io.cle.evidence.process.Event;
import io.cle.evidence.process.Pause;

/** A candidate joins, a better one joins, the leader gets SIGTERM, and another leader is killed. */
final class HandoverScenario implements Scenario {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Override
    public void trial(int number, Lab lab, Results results) throws InterruptedException {
        String lease = "ours-" + number;
        Contender old = lab.ours(lease, "a", "1.1.0");
        handOver(old, lease, lab, results, Line.FIRST, Line.BETTER, Line.BETTER_GAP, Line.TERMINATED);

        Contender victim = lab.ours(lease, "c", "1.0.0");
        victim.await("granted", PATIENCE);
        Pause.of(Duration.ofSeconds(4));
        long killed = victim.kill();
        long expiry = lab.expiry(lease);
        Event granted = old.await("granted", killed, PATIENCE);
        results.add(Line.KILLED, granted.millisSince(killed));
        results.add(Line.AFTER_EXPIRY, granted.millisSince(expiry));
        lab.end(old, victim);
    }

    /**
     * Measures the time until a process leads, its hand-over to a better candidate, and the time until it leads again
     * after that one, which has led for some seconds, gets SIGTERM.
     *
     * @param old has just been started; leads at the end
     */
    static void handOver(
            Contender old, String lease, Lab lab, Results results, Line first, Line better, Line gap, Line terminated)
            throws InterruptedException {
        Event oldBoot = old.await("boot", PATIENCE);
        results.add(first, old.await("granted", PATIENCE).millisSince(oldBoot));

        Contender successor = lab.ours(lease, "b", "1.0.0");
        Event boot = successor.await("boot", PATIENCE);
        Event granted = successor.await("granted", PATIENCE);
        Event revoked = old.await("revoked", PATIENCE);
        results.add(better, granted.millisSince(boot));
        results.add(gap, granted.millisSince(revoked));

        // Otherwise the start time of the successor's JVM would decide whether the next leader has to be pinged first.
        Pause.untilCandidatesAreAsked();
        long signalled = successor.terminate();
        Event grantedAgain = old.await("granted", signalled, PATIENCE);
        results.add(terminated, grantedAgain.millisSince(signalled));
        lab.end(successor);
    }
}

package io.cle.evidence.benchmark;

import java.time.Duration;

import io.cle.evidence.process.Contender;

/** The hand-overs of {@link HandoverScenario}, with candidates and a coordinator that start from an AOT cache. */
final class AotCacheScenario implements Scenario {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Override
    public void trial(int number, Lab lab, Results results) throws InterruptedException {
        String lease = "cached-" + number;
        Contender old = lab.ours(lease, "a", "1.1.0");
        HandoverScenario.handOver(
                old, lease, lab, results, Line.AOT_FIRST, Line.AOT_BETTER, Line.AOT_BETTER_GAP, Line.AOT_TERMINATED);
        lab.end(old);
    }

    /**
     * Trains the caches of a lab: one candidate is elected, hands over to a better one, leads again and ends, and then
     * the coordinator ends. Both write their caches when they end.
     */
    static void train(Lab lab, AotCache candidate, AotCache coordinator) throws InterruptedException {
        lab.runCoordinator(coordinator.training());
        Contender trained = lab.startCoordinator();
        lab.runCandidates(candidate.training());
        Contender old = lab.ours("training", "a", "1.1.0");
        old.await("granted", PATIENCE);
        lab.runCandidates(candidate.untrained());
        Contender successor = lab.ours("training", "b", "1.0.0");
        successor.await("granted", PATIENCE);
        long signalled = successor.terminate();
        old.await("granted", signalled, PATIENCE);
        lab.end(successor);
        old.terminate();
        old.awaitExit(PATIENCE);
        trained.terminate();
        trained.awaitExit(PATIENCE);
        lab.end(old, trained);
        lab.runCandidates(candidate.cached());
        lab.runCoordinator(coordinator.cached());
    }
}

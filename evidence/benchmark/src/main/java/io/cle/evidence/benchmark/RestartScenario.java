package io.cle.evidence.benchmark;

import java.time.Duration;
import java.util.List;

import io.cle.ApiFormat;
import io.cle.evidence.process.Contender;
import io.cle.model.ObjectKey;

/**
 * The coordinator is restarted while five thousand leases of three candidates each have leaders. One more lease waits
 * for a leader; when it has one, the coordinator coordinates.
 */
final class RestartScenario implements Scenario {

    private static final int LEASES = 5_000;
    private static final int RESTARTS = 3;
    private static final Duration END = Duration.ofSeconds(30);

    /** Each trial would need a separate API server. */
    @Override
    public int trials(Options options) {
        return 1;
    }

    @Override
    public void trial(int number, Lab lab, Results results) throws InterruptedException {
        Contender coordinator = lab.startCoordinator();
        try (FakeCandidates fakes = new FakeCandidates(lab, ApiFormat.CRD)) {
            fakes.watch();
            List<ObjectKey> leases = FakeCandidates.leases(LEASES, "lease-");
            fakes.announce(leases);
            fakes.awaitElected(leases);
            for (int i = 1; i <= RESTARTS; i++) {
                coordinator.terminate();
                coordinator.awaitExit(END);
                lab.end(coordinator);
                ObjectKey waiting = new ObjectKey(Lab.NAMESPACE, "waiting-" + i);
                fakes.announce(List.of(waiting));
                long begin = System.nanoTime();
                coordinator = lab.startCoordinator();
                long elected = fakes.awaitElected(List.of(waiting))[0];
                results.add(Line.RESTART, FakeCandidates.seconds(begin, elected));
            }
        }
    }
}

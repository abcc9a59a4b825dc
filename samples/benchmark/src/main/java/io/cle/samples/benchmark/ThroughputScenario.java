package io.cle.samples.benchmark;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;

import io.cle.model.ObjectKey;
import io.cle.samples.benchmark.Results.Contestant;

/** Many leases are elected from nothing: from the first candidate's announcement until the last lease has a holder. */
final class ThroughputScenario implements Scenario {

    private static final int CANDIDATES = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration WATCHES_BEGIN = Duration.ofSeconds(2);

    private final Line line;
    private final int leases;
    private final int leasesOfANamespace;

    ThroughputScenario(Line line, int leases, int leasesOfANamespace) {
        this.line = line;
        this.leases = leases;
        this.leasesOfANamespace = leasesOfANamespace;
    }

    /** Each trial would need an API server of its own. */
    @Override
    public int trials(Options options) {
        return 1;
    }

    @Override
    public void trial(int number, Lab lab, Results results) throws InterruptedException {
        for (int i = 0; i < leases; i += leasesOfANamespace) {
            lab.namespace(namespace(i));
        }
        try (FakeCandidates fakes = new FakeCandidates(lab)) {
            fakes.watch();
            Pause.of(WATCHES_BEGIN);
            RequestCount before = lab.requests();
            long begin = System.nanoTime();
            for (int i = 0; i < leases; i++) {
                for (int candidate = 0; candidate < CANDIDATES; candidate++) {
                    fakes.announce(new ObjectKey(namespace(i), "lease-" + i), candidate);
                }
            }
            fakes.awaitAnnounced();
            double announced = (System.nanoTime() - begin) / 1e9;
            Map<ObjectKey, Long> electedAt = fakes.awaitElected(leases, PATIENCE);
            if (electedAt.isEmpty()) {
                throw new IllegalStateException("nobody was elected within " + PATIENCE);
            }
            double elected = (Collections.max(electedAt.values()) - begin) / 1e9;
            results.add(line, Contestant.OURS, electedAt.size() / elected);
            results.remark(String.format(
                    "%,d of %,d leases elected after %.1f s; announcing their %,d candidates alone took %.1f s of that (%d failed); "
                            + "%,d acknowledgements were asked for. Requests: %s.",
                    electedAt.size(),
                    leases,
                    elected,
                    leases * CANDIDATES,
                    announced,
                    fakes.failures(),
                    fakes.acknowledgements(),
                    lab.requests().since(before).byVerbAndResource()));
        }
    }

    private String namespace(int lease) {
        return "leases-" + lease / leasesOfANamespace;
    }
}

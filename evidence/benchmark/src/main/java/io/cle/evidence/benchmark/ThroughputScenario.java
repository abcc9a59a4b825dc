package io.cle.evidence.benchmark;

import java.util.List;

import io.cle.ApiFormat;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.memory.RequestCounts;

/**
 * Many leases are elected from nothing, measured from the first candidate's announcement until the last lease has a
 * holder. Some others are elected first ({@link FakeCandidates#warmUp(Lab)}).
 */
final class ThroughputScenario implements Scenario {

    private final Line line;
    private final ApiFormat format;
    private final int leases;
    private final int leasesOfANamespace;

    ThroughputScenario(Line line, ApiFormat format, int leases, int leasesOfANamespace) {
        this.line = line;
        this.format = format;
        this.leases = leases;
        this.leasesOfANamespace = leasesOfANamespace;
    }

    /** Each trial would need a separate API server. */
    @Override
    public int trials(Options options) {
        return 1;
    }

    @Override
    public void trial(int number, Lab lab, Results results) throws InterruptedException {
        List<ObjectKey> all = FakeCandidates.leases(lab, leases, leasesOfANamespace, "leases-");
        try (FakeCandidates fakes = new FakeCandidates(lab, format)) {
            fakes.watch();
            fakes.warmUp(lab);
            RequestCounts before = lab.requests();
            ProcessorTime usedBefore = ProcessorTime.now();
            long begin = System.nanoTime();
            double announced = fakes.announce(all);
            long[] times = fakes.awaitElected(all);
            double seconds = FakeCandidates.seconds(begin, times[times.length - 1]);
            ProcessorTime used = ProcessorTime.now();
            results.add(line, times.length / seconds);
            results.remark(String.format(
                    "%,d of %,d leases elected after %.1f s; announcing their %,d candidates alone took %.1f s of that (%d failed); "
                            + "%,d acknowledgements were asked for. Before that %,d others, to warm up. Processor time: %s. Requests: %s.",
                    times.length,
                    leases,
                    seconds,
                    leases * FakeCandidates.OF_A_LEASE,
                    announced,
                    fakes.failures(),
                    fakes.acknowledgements(),
                    FakeCandidates.WARM_UP,
                    used.since(usedBefore),
                    lab.requests().since(before)));
        }
    }
}

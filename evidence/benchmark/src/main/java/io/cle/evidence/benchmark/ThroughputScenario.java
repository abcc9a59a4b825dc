package io.cle.evidence.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.cle.ApiFormat;
import io.cle.evidence.process.Pause;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.memory.RequestCounts;

/**
 * Many leases are elected from nothing: from the first candidate's announcement until the last lease has a holder. Some others are elected
 * before: coordinators run for weeks, and a JVM compiles for some seconds of work.
 */
final class ThroughputScenario implements Scenario {

    private static final int CANDIDATES = 3;
    static final int WARM_UP = 1_000;
    static final double NANOS = 1e9;
    static final Duration PATIENCE = Duration.ofMinutes(5);
    static final Duration WATCHES_BEGIN = Duration.ofSeconds(2);

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

    /** Each trial would need an API server of its own. */
    @Override
    public int trials(Options options) {
        return 1;
    }

    @Override
    public void trial(int number, Lab lab, Results results) throws InterruptedException {
        List<ObjectKey> all = new ArrayList<>();
        for (int i = 0; i < leases; i += leasesOfANamespace) {
            String namespace = "leases-" + i / leasesOfANamespace;
            lab.namespace(namespace);
            for (int j = i; j < Math.min(leases, i + leasesOfANamespace); j++) {
                all.add(new ObjectKey(namespace, "lease-" + j));
            }
        }
        try (FakeCandidates fakes = new FakeCandidates(lab, format)) {
            fakes.watch();
            Pause.of(WATCHES_BEGIN);
            warmUp(fakes);
            RequestCounts before = lab.requests();
            ProcessorTime usedBefore = ProcessorTime.now();
            long begin = System.nanoTime();
            double announced = announce(fakes, all);
            long[] times = fakes.awaitElected(all, PATIENCE);
            double seconds = (times[times.length - 1] - begin) / NANOS;
            ProcessorTime used = ProcessorTime.now();
            results.add(line, times.length / seconds);
            results.remark(String.format(
                    "%,d of %,d leases elected after %.1f s; announcing their %,d candidates alone took %.1f s of that (%d failed); "
                            + "%,d acknowledgements were asked for. Before that %,d others, to warm up. Processor time: %s. Requests: %s.",
                    times.length,
                    leases,
                    seconds,
                    leases * CANDIDATES,
                    announced,
                    fakes.failures(),
                    fakes.acknowledgements(),
                    WARM_UP,
                    used.since(usedBefore),
                    lab.requests().since(before)));
        }
    }

    /** Elects {@link #WARM_UP} leases. */
    static void warmUp(FakeCandidates fakes) throws InterruptedException {
        List<ObjectKey> leases = leases(WARM_UP, "warm-up-");
        announce(fakes, leases);
        fakes.awaitElected(leases, PATIENCE);
    }

    /** So many leases of {@link Lab#NAMESPACE}. */
    static List<ObjectKey> leases(int count, String prefix) {
        return IntStream.range(0, count)
                .mapToObj(i -> new ObjectKey(Lab.NAMESPACE, prefix + i))
                .toList();
    }

    /** Announces the candidates of leases, and returns after how many seconds the last announcement was answered. */
    static double announce(FakeCandidates fakes, List<ObjectKey> leases) throws InterruptedException {
        long begin = System.nanoTime();
        for (ObjectKey lease : leases) {
            for (int candidate = 0; candidate < CANDIDATES; candidate++) {
                fakes.announce(lease, candidate);
            }
        }
        fakes.awaitAnnounced();
        return (System.nanoTime() - begin) / NANOS;
    }
}

package io.cle.evidence.benchmark;

import java.time.Duration;
import java.util.function.IntFunction;
import java.util.stream.LongStream;

import io.cle.evidence.process.Pause;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.memory.RequestCounts;

/**
 * Many leases are elected from nothing: from the first candidate's announcement until the last lease has a holder. Some others are elected
 * before: coordinators run for weeks, and a JVM compiles for some seconds of work.
 */
final class ThroughputScenario implements Scenario {

    private static final int CANDIDATES = 3;
    private static final int WARM_UP = 1_000;
    private static final double NANOS = 1e9;
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
            elect(fakes, WARM_UP, i -> new ObjectKey(Lab.NAMESPACE, "warm-up-" + i), 0);
            RequestCounts before = lab.requests();
            Elected elected = elect(fakes, leases, i -> new ObjectKey(namespace(i), "lease-" + i), WARM_UP);
            results.add(line, elected.count() / elected.seconds());
            results.remark(String.format(
                    "%,d of %,d leases elected after %.1f s; announcing their %,d candidates alone took %.1f s of that (%d failed); "
                            + "%,d acknowledgements were asked for. Before that %,d others, to warm up. Requests: %s.",
                    elected.count(),
                    leases,
                    elected.seconds(),
                    leases * CANDIDATES,
                    elected.announced(),
                    fakes.failures(),
                    fakes.acknowledgements(),
                    WARM_UP,
                    lab.requests().since(before)));
        }
    }

    /**
     * What an election of many leases came to.
     *
     * @param count how many have a holder
     * @param seconds from the first announcement until the last holder
     * @param announced from the first announcement until the last one was answered
     */
    private record Elected(long count, double seconds, double announced) {}

    private static Elected elect(FakeCandidates fakes, int count, IntFunction<ObjectKey> leases, int electedBefore)
            throws InterruptedException {
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            for (int candidate = 0; candidate < CANDIDATES; candidate++) {
                fakes.announce(leases.apply(i), candidate);
            }
        }
        fakes.awaitAnnounced();
        double announced = (System.nanoTime() - begin) / NANOS;
        long[] times = fakes.awaitElected(electedBefore + count, PATIENCE).values().stream()
                .mapToLong(time -> time - begin)
                .filter(time -> time > 0)
                .toArray();
        if (times.length == 0) {
            throw new IllegalStateException("no candidate was elected within " + PATIENCE);
        }
        return new Elected(times.length, LongStream.of(times).max().orElseThrow() / NANOS, announced);
    }

    private String namespace(int lease) {
        return "leases-" + lease / leasesOfANamespace;
    }
}

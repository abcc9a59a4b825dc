package io.cle.evidence.benchmark;

import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

import io.cle.ApiFormat;
import io.cle.evidence.process.Contender;
import io.cle.evidence.process.Pause;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.memory.RequestCounts;

/**
 * A thousand leases wait for a coordinator, which has lost its own lease while their candidates announce themselves:
 * unlike in {@link ThroughputScenario}, announcements don't limit the rate of elections.
 */
final class WaitingScenario implements Scenario {

    private static final int LEASES = 1_000;
    private static final Duration STEPS_DOWN = Duration.ofSeconds(2);

    /** Longer than it takes to announce the candidates. */
    private static final int OCCUPIED_SECONDS = 45;

    private static final String COORDINATORS_LEASE =
            "/apis/coordination.k8s.io/v1/namespaces/default/leases/coordinated-election-controller";

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
            fakes.warmUp(lab);
            occupy(lab);
            Pause.of(STEPS_DOWN);
            List<ObjectKey> leases = FakeCandidates.leases(LEASES, "lease-");
            fakes.announce(leases);
            RequestCounts before = lab.requests();
            ProcessorTime usedBefore = ProcessorTime.now();
            long[] times = fakes.awaitElected(leases);
            double seconds = FakeCandidates.seconds(times[0], times[times.length - 1]);
            ProcessorTime used = ProcessorTime.now();
            results.add(Line.ELECTIONS_WAITING, times.length / seconds);
            OptionalLong threads = coordinator.status("Threads");
            results.remark(String.format(
                    "%,d of %,d leases that waited for a coordinator were elected within %.1f s. The coordinator had %s threads, those of the JVM itself "
                            + "among them. Processor time: %s. Requests: %s.",
                    times.length,
                    LEASES,
                    seconds,
                    threads.isPresent() ? threads.getAsLong() : "an unknown number of",
                    used.since(usedBefore),
                    lab.requests().since(before)));
        }
    }

    /** Makes another process the holder of the coordinators' lease, which never renews it: no coordinator elects until the lease has expired. */
    private static void occupy(Lab lab) {
        int code = lab.api()
                .patch(COORDINATORS_LEASE, "application/merge-patch+json", """
                {"spec": {"holderIdentity": "another", "leaseDurationSeconds": %d, "acquireTime": "2026-01-01T00:00:00.000000Z"}}""".formatted(OCCUPIED_SECONDS))
                .code();
        if (code != HttpURLConnection.HTTP_OK) {
            throw new IllegalStateException("the coordinators' lease could not be written: " + code);
        }
    }
}

package io.cle.evidence.benchmark;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import com.google.gson.JsonObject;
import io.cle.evidence.process.Contender;
import io.cle.test.apiserver.memory.ApiServerRequest;

/**
 * One namespace has thousands of candidates, half of them large, and the best one keeps changing; meanwhile a lease of
 * another namespace is handed over. The coordinator runs with the memory that its manifest allows.
 */
final class FloodScenario implements Scenario {

    private static final String NAMESPACE = "flood";
    private static final String CANDIDATES =
            "/apis/coordination.cle.io/v1alpha1/namespaces/" + NAMESPACE + "/leasecandidates";
    private static final int LARGE = 2_000;
    private static final int SMALL = 2_000;
    private static final int FLAPPING = 100;
    private static final int LARGE_BYTES = 64 * 1024;
    private static final int CONNECTIONS = 4;
    private static final int WARM_UP = 2;

    /** Short enough that the coordinator always has changes to handle, and long enough that kube-apiserver doesn't keep both cores busy. */
    private static final Duration BETWEEN_CHANGES = Duration.ofMillis(20);

    /** The limit and the options of deploy/base/coordinator.yaml. */
    private static final Map<String, String> AS_DEPLOYED =
            Map.of("JAVA_TOOL_OPTIONS", "-XX:MaxRAM=768m -XX:MaxRAMPercentage=70 -XX:+ExitOnOutOfMemoryError");

    /** Each trial would need a separate API server. */
    @Override
    public int trials(Options options) {
        return 1;
    }

    @Override
    public void trial(int number, Lab lab, Results results) throws InterruptedException {
        Contender coordinator = lab.startCoordinator(0, AS_DEPLOYED);
        for (int i = 0; i < WARM_UP; i++) {
            handOver(lab, "warm-up-" + i, new Results());
        }
        lab.namespace(NAMESPACE);
        long refused = create(lab);
        AtomicLong changes = new AtomicLong();
        try (Flapping flapping = new Flapping(lab, changes)) {
            for (int i = 0; i < Options.DEFAULT_TRIALS; i++) {
                handOver(lab, "other-" + i, results);
            }
            flapping.check();
        }
        coordinator.status("VmHWM").ifPresent(kib -> results.add(Line.FLOOD_MEMORY, kib / 1024.0));
        results.remark(String.format(
                "Flood: %,d candidates of %d KiB and %,d small ones of one lease, of which kube-apiserver refused %,d; the versions of %d of them "
                        + "changed %,d times during the hand-overs. The coordinator's memory is limited to 768 MiB, as in its manifest.",
                LARGE, LARGE_BYTES / 1024, SMALL, refused, FLAPPING, changes.get()));
    }

    private static void handOver(Lab lab, String lease, Results results) throws InterruptedException {
        Contender old = lab.ours(lease, "a", "1.1.0");
        HandoverScenario.handOver(
                old, lease, lab, results, Line.FLOOD_FIRST, Line.FLOOD_BETTER, Line.FLOOD_GAP, Line.FLOOD_TERMINATED);
        lab.end(old);
    }

    private static long create(Lab lab) throws InterruptedException {
        String padding = "x".repeat(LARGE_BYTES);
        AtomicLong refused = new AtomicLong();
        ExecutorService connections = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            List<Future<?>> created = new ArrayList<>();
            for (int i = 0; i < LARGE + SMALL; i++) {
                JsonObject candidate = candidate(i, i < SMALL ? "" : padding);
                created.add(connections.submit(() -> {
                    if (lab.api().post(CANDIDATES, candidate).code() != 201) {
                        refused.incrementAndGet();
                    }
                }));
            }
            for (Future<?> one : created) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("the flood could not be made", e);
        } finally {
            connections.shutdownNow();
        }
        return refused.get();
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.MICROS).toString();
    }

    private static String name(int number) {
        return "hostile-" + number;
    }

    private static JsonObject candidate(int number, String padding) {
        return Lab.parse("""
                {"apiVersion": "coordination.cle.io/v1alpha1", "kind": "LeaseCandidate",
                 "metadata": {"name": "%s", "labels": {"binary-version": "1.1.0", "compatibility-version": "1.1.0"},
                              "annotations": {"example.com/padding": "%s"}},
                 "spec": {"canLeadLease": "%s/hostile", "strategy": "OldestCompatibilityVersion",
                          "leaseDurationSeconds": 3600, "renewTime": "%s"}}""".formatted(name(number), padding, NAMESPACE, now()));
    }

    /** Keeps changing which of the small candidates is the best one, on a separate thread. */
    private static final class Flapping implements AutoCloseable {

        private final Thread thread;
        private volatile boolean over;
        private volatile int failed;

        Flapping(Lab lab, AtomicLong changes) {
            thread = new Thread(() -> flap(lab, changes), "flapping");
            thread.setDaemon(true);
            thread.start();
        }

        private void flap(Lab lab, AtomicLong changes) {
            for (int i = 0; !over; i++) {
                String version = "1." + (i / FLAPPING % 2) + "." + i;
                int code = lab.api()
                        .patch(CANDIDATES + "/" + name(i % FLAPPING), ApiServerRequest.MERGE_PATCH, """
                                {"metadata": {"labels": {"binary-version": "%s", "compatibility-version": "%s"}},
                                 "spec": {"renewTime": "%s"}}""".formatted(
                                        version, version, now()))
                        .code();
                if (code == 200) {
                    changes.incrementAndGet();
                } else {
                    failed = code;
                }
                LockSupport.parkNanos(BETWEEN_CHANGES.toNanos());
            }
        }

        void check() {
            if (failed != 0 || !thread.isAlive()) {
                throw new IllegalStateException("the candidates don't flap; the last code was " + failed);
            }
        }

        /** Its daemon thread may still have a request in flight. */
        @Override
        public void close() {
            over = true;
        }
    }
}

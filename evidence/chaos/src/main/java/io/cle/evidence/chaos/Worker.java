package io.cle.evidence.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

import io.cle.ApiFormat;
import io.cle.ResourceLock;
import io.cle.Timings;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.client.CandidateClient;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.lock.internal.Entropy;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.Version;

/**
 * One replica, in a separate process: a candidate that checks as often as it can whether it leads and, while it does,
 * writes to the shared file under its token. Instants are by {@link System#nanoTime()}, which on Linux is one clock for
 * all processes of a machine, and independent of the wall clock. The checker detects if it isn't, because a term would
 * begin before its process.
 */
final class Worker {

    /** The lease for which all are candidates. */
    static final ObjectKey LEASE = new ObjectKey("default", "chaos");

    /** Short, so that many terms fit into a run. */
    static final Timings TIMINGS = new Timings(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofMillis(500));

    private static final long LOOK_EVERY_NANOS = 2_000_000;
    private static final int APPEND_EVERY_LOOKS = 60;

    /** The name of the shared file. */
    static final String FENCED = "fenced";

    /** The suffix of the file with a process's terms, after the identity. */
    static final String TERMS = ".terms";

    private Worker() {}

    /** Runs until the process ends. The arguments are identity, version and directory; {@code KUBECONFIG} selects the API server. */
    static void run(List<String> args) throws IOException {
        String identity = args.get(0);
        Path directory = Path.of(args.get(2));
        LockThreads threads = LockThreads.create("chaos");
        ObjectClient client = new ObjectClient(
                OkHttpTransport.to(KubernetesAccess.find()), threads.loop(), new Random(), TIMINGS.requestTimeout());
        LeaseLock lock = new LeaseLock(
                config(identity, Version.parse(args.get(1))),
                new LockStores(LeaseClient.of(client, ApiFormat.CRD, null), new CandidateClient(client, ApiFormat.CRD))
                        .always(),
                Entropy.system(),
                threads);
        Runtime.getRuntime().addShutdownHook(new Thread(lock::close));
        lock.start();
        work(lock, identity, directory);
    }

    private static LockConfig config(String identity, Version version) {
        Candidate template = Candidate.builder(new ObjectKey(LEASE.namespace(), identity), LEASE)
                .binaryVersion(version)
                .compatibilityVersion(version)
                .validity(Duration.ofMinutes(2))
                .build();
        return new LockConfig(
                LEASE,
                identity,
                TIMINGS,
                Duration.ofSeconds(2),
                new LockConfig.Fallback(true, Duration.ofSeconds(10)),
                new LockConfig.Candidacy(template, Duration.ofMinutes(1)),
                null,
                LockConfig.renewTimeStepOf(ResourceLock.COORDINATEDLEASES));
    }

    private static void work(LeaseLock lock, String identity, Path directory) throws IOException {
        FencedFile file = new FencedFile(directory.resolve(FENCED));
        try (TermRecorder recorder = new TermRecorder(directory.resolve(identity + TERMS))) {
            for (long look = 0; ; look++) {
                long begun = System.nanoTime();
                OptionalLong token = lock.fencingToken();
                long ended = System.nanoTime();
                if (token.isPresent()) {
                    recorder.leading(token.getAsLong(), begun, ended);
                    if (look % APPEND_EVERY_LOOKS == 0) {
                        file.append(token.getAsLong(), identity, begun);
                    }
                }
                LockSupport.parkNanos(LOOK_EVERY_NANOS);
            }
        }
    }
}

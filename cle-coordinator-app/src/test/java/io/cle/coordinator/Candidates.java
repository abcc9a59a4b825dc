package io.cle.coordinator;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import io.cle.ApiFormat;
import io.cle.Timings;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.client.CandidateClient;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.lock.internal.Entropy;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.Version;

/** Creates candidates for leases, like those of applications with the starter. */
final class Candidates implements AutoCloseable {

    private final KubernetesTransport transport;
    private final LockThreads threads = LockThreads.create("candidates");
    private final ObjectClient client;
    private final ApiFormat format;
    private final String strategy;
    private Timings timings = Timings.DEFAULT;
    private boolean racing;

    Candidates(KubernetesAccess access, ApiFormat format) {
        this(access, format, "OldestCompatibilityVersion");
    }

    /** Creates candidates that ask for a strategy. */
    Candidates(KubernetesAccess access, ApiFormat format, String strategy) {
        this.strategy = strategy;
        this.transport = OkHttpTransport.to(access);
        this.format = format;
        this.client = new ObjectClient(
                transport, threads.loop(), ThreadLocalRandom.current(), Timings.DEFAULT.requestTimeout());
    }

    /** Sets the timings of candidates created from now on. */
    Candidates with(Timings other) {
        timings = other;
        return this;
    }

    /** Lets candidates created from now on race almost at once for a lease that no coordinator grants. */
    Candidates racing() {
        racing = true;
        return this;
    }

    /** Creates a candidate of a version, which joins once it is started. */
    LeaseLock candidate(ObjectKey lease, String name, String version) {
        return candidate(lease, name, version, strategy);
    }

    /** Creates a candidate of a version that asks for a strategy. */
    LeaseLock candidate(ObjectKey lease, String name, String version, String wish) {
        Candidate template = Candidate.builder(new ObjectKey(lease.namespace(), name), lease)
                .binaryVersion(Version.parse(version))
                .compatibilityVersion(Version.parse(version))
                .strategy(wish)
                .build();
        LockConfig config = new LockConfig(
                lease,
                name,
                timings,
                Duration.ofSeconds(5),
                new LockConfig.Fallback(racing, Duration.ofSeconds(racing ? 1 : 30)),
                new LockConfig.Candidacy(template, Duration.ofMinutes(5)),
                null,
                Duration.ofNanos(1000));
        return new LeaseLock(
                config,
                new LockStores(LeaseClient.of(client, format, null), new CandidateClient(client, format)).always(),
                Entropy.system(),
                threads);
    }

    @Override
    public void close() {
        threads.close();
        transport.close();
    }
}

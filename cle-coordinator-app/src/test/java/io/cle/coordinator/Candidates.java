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

/** Applications that are candidates for leases, as the starter makes them. */
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

    /** Applications that ask for a strategy. */
    Candidates(KubernetesAccess access, ApiFormat format, String strategy) {
        this.strategy = strategy;
        this.transport = OkHttpTransport.to(access);
        this.format = format;
        this.client = new ObjectClient(
                transport, threads.loop(), ThreadLocalRandom.current(), Timings.DEFAULT.requestTimeout());
    }

    /** Has those that are made from now on hold their leases for so long. */
    Candidates with(Timings other) {
        timings = other;
        return this;
    }

    /** Has those that are made from now on race for a lease that no coordinator gives away, almost at once. */
    Candidates racing() {
        racing = true;
        return this;
    }

    /** One of a version, which stands once it's started. */
    LeaseLock candidate(ObjectKey lease, String name, String version) {
        return candidate(lease, name, version, strategy);
    }

    /** One of a version, with a wish of its own. */
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

package io.cle.spring.lock;

import java.util.random.RandomGenerator;

import io.cle.api.ApiFormat;
import io.cle.kubernetes.KubernetesApis;
import io.cle.kubernetes.KubernetesTransport;
import io.cle.lock.LockConfig;
import io.cle.model.PodRef;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.LeaseLock;
import io.cle.runtime.LockThreads;
import io.cle.spring.properties.LeaseSettings;
import org.jspecify.annotations.Nullable;

/** Makes locks on leases in a cluster. */
public final class KubernetesLeaseLockFactory implements LeaseLockFactory {

    private final KubernetesTransport transport;
    private final LockThreads threads;
    private final RandomGenerator random;
    private final String nonce;
    private final @Nullable PodRef pod;

    /**
     * Makes a factory.
     *
     * @param transport the door to the API server
     * @param threads are shared by all its locks
     * @param random for the jitter of retries
     * @param nonce tells this process from others of the same identity
     * @param pod the pod that owns the candidates, where it is known
     */
    public KubernetesLeaseLockFactory(
            KubernetesTransport transport,
            LockThreads threads,
            RandomGenerator random,
            String nonce,
            @Nullable PodRef pod) {
        this.transport = transport;
        this.threads = threads;
        this.random = random;
        this.nonce = nonce;
        this.pod = pod;
    }

    @Override
    public CoordinatedLeaseLock create(LeaseSettings settings) {
        LockConfig config = LockConfigs.of(settings, pod);
        KubernetesApis apis = new KubernetesApis(
                transport, threads.loop(), random, settings.timings().requestTimeout());
        return new LeaseLock(
                config,
                apis.leases(ApiFormat.CRD),
                config.candidacy() == null ? null : apis.candidates(ApiFormat.CRD),
                nonce,
                threads.loop(),
                threads.callbacks());
    }
}

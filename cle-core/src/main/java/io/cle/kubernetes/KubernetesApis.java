package io.cle.kubernetes;

import java.time.Duration;
import java.util.random.RandomGenerator;

import io.cle.api.CandidateStore;
import io.cle.api.LeaseStore;
import io.cle.runtime.EventLoop;

/**
 * Makes the stores of all wire formats. Results and events of everything made here arrive on one event loop. Thread-safe, as
 * is what it makes.
 */
public final class KubernetesApis {

    private final ObjectClient client;

    /**
     * A maker of stores.
     *
     * @param transport the door to the API server
     * @param loop where results and events arrive
     * @param random for the jitter of retries
     * @param requestTimeout how long a request may take, see {@link io.cle.model.Timings#requestTimeout()}
     */
    public KubernetesApis(
            KubernetesTransport transport, EventLoop loop, RandomGenerator random, Duration requestTimeout) {
        client = new ObjectClient(transport, loop, random, requestTimeout);
    }

    /** Candidates of the crd format. */
    public CandidateStore crdCandidates() {
        return new JsonCandidateStore(client, new CrdCandidateCodec());
    }

    /**
     * Leases of the crd format, and of direct locks on Leases: the two are written the same way, so that holders of both kinds
     * share them (lock's rule 9).
     */
    public LeaseStore crdLeases() {
        return new JsonLeaseStore(client, new AnnotatedLeaseCodec());
    }
}

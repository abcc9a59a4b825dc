package io.cle.test.interop;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.api.Subscription;
import io.cle.kubernetes.ApiRequest;
import io.cle.kubernetes.ApiResponse;
import io.cle.kubernetes.DirectLock;
import io.cle.kubernetes.KubernetesApis;
import io.cle.kubernetes.KubernetesTransport;
import io.cle.lock.LockConfig;
import io.cle.lock.LockKind;
import io.cle.model.ObjectKey;
import io.cle.model.Timings;
import io.cle.runtime.LeaseLock;
import io.cle.runtime.LockThreads;

/** Our direct lock with all that belongs to it. */
final class OurElector implements AutoCloseable {

    private static final Timings TIMINGS = new Timings(Timing.LEASE, Timing.DEADLINE, Timing.RETRY);

    private final LockThreads threads = LockThreads.create("ours");
    private final Cuttable transport;
    private final LeaseLock lock;

    private OurElector(Server server, DirectLock kind, ObjectKey key, String identity) {
        transport = new Cuttable(server.transport().get());
        LockConfig config = new LockConfig(
                key,
                identity,
                LockKind.DIRECT,
                TIMINGS,
                Duration.ofSeconds(1),
                new LockConfig.Fallback(false, Duration.ZERO),
                null,
                null,
                kind == DirectLock.LEASES ? Duration.ofNanos(1_000) : Duration.ofSeconds(1));
        KubernetesApis apis =
                new KubernetesApis(transport, threads.loop(), new SplittableRandom(1), TIMINGS.requestTimeout());
        String nonce = UUID.randomUUID().toString().replace("-", "");
        lock = new LeaseLock(config, apis.leases(kind), null, nonce, threads.loop(), threads.callbacks());
    }

    /** Starts one that stands for a record at once. */
    static OurElector start(Server server, DirectLock kind, ObjectKey key, String identity) {
        OurElector started = new OurElector(server, kind, key, identity);
        started.lock.start();
        return started;
    }

    boolean leads() {
        return lock.isLeader();
    }

    /** From now on none of its reads and writes arrives: it loses the record by its renew deadline. */
    void cut() {
        transport.cut = true;
    }

    @Override
    public void close() {
        lock.close();
        threads.close();
        transport.close();
    }

    private static final class Cuttable implements KubernetesTransport {

        private final KubernetesTransport transport;
        private volatile boolean cut;

        private Cuttable(KubernetesTransport transport) {
            this.transport = transport;
        }

        @Override
        public CompletionStage<ApiResponse> send(ApiRequest request) {
            return cut
                    ? CompletableFuture.completedFuture(new ApiResponse.Unanswered("the test has cut the connection"))
                    : transport.send(request);
        }

        @Override
        public Subscription watch(ApiRequest request, WatchStream stream) {
            return transport.watch(request, stream);
        }

        @Override
        public void close() {
            transport.close();
        }
    }
}

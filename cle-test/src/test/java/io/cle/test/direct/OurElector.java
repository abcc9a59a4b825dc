package io.cle.test.direct;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.cle.LeadershipListener;
import io.cle.LockSnapshot;
import io.cle.ResourceLock;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.Timings;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.lock.internal.Entropy;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.model.ObjectKey;
import io.cle.store.internal.Subscription;
import org.jspecify.annotations.Nullable;

/** Our direct lock with its threads, transport and work. */
final class OurElector implements AutoCloseable {

    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(5);

    private final LockThreads threads = LockThreads.create("ours");
    private final Cuttable transport;
    private final LeaseLock lock;
    private final List<String> story = new CopyOnWriteArrayList<>();
    private boolean closed;
    private volatile CompletableFuture<Void> work = CompletableFuture.completedFuture(null);

    private OurElector(
            Server server,
            ResourceLock kind,
            ObjectKey key,
            String identity,
            Timings timings,
            LockConfig.@Nullable Takeover takeover) {
        transport = new Cuttable(server.transport().get());
        LockConfig config = new LockConfig(
                key,
                identity,
                timings,
                DRAIN_TIMEOUT,
                new LockConfig.Fallback(false, Duration.ZERO),
                null,
                takeover,
                kind == ResourceLock.LEASES ? Duration.ofNanos(1_000) : Duration.ofSeconds(1));
        ObjectClient client =
                new ObjectClient(transport, threads.loop(), new SplittableRandom(1), timings.requestTimeout());
        lock = new LeaseLock(
                config, new LockStores(LeaseClient.of(client, kind, null), null).always(), Entropy.system(), threads);
        lock.addListener(new LeadershipListener() {
            @Override
            public void onGranted(Term term) {
                story.add("leads");
            }

            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                story.add("revoked: " + reason);
            }

            @Override
            public CompletionStage<Void> drained(Term term) {
                return work;
            }
        });
    }

    /** Starts an elector, which is a candidate for the record at once. */
    static OurElector start(
            Server server,
            ResourceLock kind,
            ObjectKey key,
            String identity,
            Timings timings,
            LockConfig.@Nullable Takeover takeover) {
        OurElector started = new OurElector(server, kind, key, identity, timings, takeover);
        started.lock.start();
        return started;
    }

    String identity() {
        return lock.snapshot().identity();
    }

    boolean leads() {
        return lock.isLeader();
    }

    /** Whether it has observed this holder of the record. */
    boolean follows(String holder) {
        return lock.leader().filter(holder::equals).isPresent();
    }

    /** Returns its events so far: {@code leads}, {@code revoked: END_OF_TERM} and the like. */
    List<String> story() {
        return story;
    }

    /** Makes the work of its terms continue after their end, until the returned future is completed. */
    CompletableFuture<Void> keepWorking() {
        work = new CompletableFuture<>();
        return work;
    }

    /** Returns the history on its endpoint, oldest first. */
    List<String> history() {
        return lock.snapshot().history().stream()
                .map(LockSnapshot.HistoryEntry::what)
                .toList();
    }

    /** Returns the number of requests sent, without watches. */
    int requests() {
        return transport.sent.get();
    }

    /** Drops all its reads and writes from now on: it loses the record by its renew deadline. */
    void cut() {
        transport.cut = true;
    }

    /** Stops it in an orderly way. Idempotent. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        lock.close();
        threads.close();
        transport.close();
    }

    private static final class Cuttable implements KubernetesTransport {

        private final KubernetesTransport transport;
        private final AtomicInteger sent = new AtomicInteger();
        private volatile boolean cut;

        private Cuttable(KubernetesTransport transport) {
            this.transport = transport;
        }

        @Override
        public CompletionStage<ApiResponse> send(ApiRequest request) {
            sent.incrementAndGet();
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

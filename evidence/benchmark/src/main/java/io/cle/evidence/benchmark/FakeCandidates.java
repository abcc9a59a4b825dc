package io.cle.evidence.benchmark;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.cle.ApiFormat;
import io.cle.election.internal.api.CoordinatorClient;
import io.cle.evidence.process.Pause;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.LockThreads;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.Version;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;
import io.cle.store.internal.WatchEvent;

/**
 * Candidates of thousands of leases in one process: they announce themselves, acknowledge pings, and begin a term when
 * elected, which then lasts. Their state is confined to an event loop.
 */
final class FakeCandidates implements AutoCloseable {

    /**
     * How many leases are elected to warm up: coordinators run for weeks, whereas a JVM needs some seconds of work to compile.
     */
    static final int WARM_UP = 1_000;

    /** The number of candidates per lease. */
    static final int OF_A_LEASE = 3;

    private static final int OF_A_NAMESPACE = 100;
    private static final int UNDER_WAY = 100;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration WATCHES_BEGIN = Duration.ofSeconds(2);
    private static final double NANOS_PER_SECOND = 1e9;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofHours(1);
    private static final String NONCE = "fake";

    private final KubernetesTransport transport;
    private final LockThreads threads = LockThreads.create("fakes");
    private final CoordinatorClient api;
    private final Semaphore underWay = new Semaphore(UNDER_WAY);
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong acknowledgements = new AtomicLong();
    private final Map<ObjectKey, Long> electedAt = new HashMap<>();

    /** Creates candidates in a format, on the API server of a lab. */
    FakeCandidates(Lab lab, ApiFormat format) {
        transport = new OkHttpTransport(KubernetesAccess.of(lab.server().kubeconfig()), "cle-benchmark");
        api = new CoordinatorClient(
                new ObjectClient(transport, threads.loop(), new SplittableRandom(), TIMEOUT),
                ResourceType.candidates(format),
                Set.of(),
                "benchmark");
    }

    /** Returns {@code count} leases of {@link Lab#NAMESPACE}. */
    static List<ObjectKey> leases(int count, String prefix) {
        return IntStream.range(0, count)
                .mapToObj(i -> new ObjectKey(Lab.NAMESPACE, prefix + i))
                .toList();
    }

    /** Creates namespaces for leases, and returns the leases. */
    static List<ObjectKey> leases(Lab lab, int count, int ofANamespace, String prefix) {
        List<ObjectKey> leases = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String namespace = prefix + i / ofANamespace;
            if (i % ofANamespace == 0) {
                lab.namespace(namespace);
            }
            leases.add(new ObjectKey(namespace, "lease-" + i));
        }
        return leases;
    }

    /** Returns the seconds between two times of {@link System#nanoTime()}. */
    static double seconds(long begin, long end) {
        return (end - begin) / NANOS_PER_SECOND;
    }

    /** Starts the watches, without which no candidate can answer, and waits for them. */
    void watch() throws InterruptedException {
        api.watchLeases(CoordinatorClient.ALL_NAMESPACES, this::onLease);
        api.watchCandidates(CoordinatorClient.ALL_NAMESPACES, this::onCandidate);
        Pause.of(WATCHES_BEGIN);
    }

    /** Waits until {@link #WARM_UP} leases are elected, few per namespace: kube-apiserver reads all candidates of a namespace for each lease. */
    void warmUp(Lab lab) throws InterruptedException {
        List<ObjectKey> leases = leases(lab, WARM_UP, OF_A_NAMESPACE, "warm-up-");
        announce(leases);
        awaitElected(leases);
    }

    /** Announces {@link #OF_A_LEASE} candidates per lease. Returns the seconds until the last announcement was answered. */
    double announce(List<ObjectKey> leases) throws InterruptedException {
        long begin = System.nanoTime();
        for (ObjectKey lease : leases) {
            for (int candidate = 0; candidate < OF_A_LEASE; candidate++) {
                announce(lease, candidate);
            }
        }
        awaitAnnounced();
        return seconds(begin, System.nanoTime());
    }

    /** Announces a candidate; waits while too many announcements are in flight. */
    void announce(ObjectKey lease, int number) throws InterruptedException {
        if (!underWay.tryAcquire(TIMEOUT.toMillis() * 2, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("the API server doesn't answer");
        }
        Version version = Version.parse("1." + (number + 1) + ".0");
        Candidate candidate = Candidate.builder(new ObjectKey(lease.namespace(), lease.name() + "-" + number), lease)
                .binaryVersion(version)
                .compatibilityVersion(version)
                .renewTime(threads.loop().clock().wall())
                .build();
        api.candidates().create(candidate).thenAccept(result -> {
            underWay.release();
            if (!(result instanceof ApiResult.Ok<Candidate>)) {
                failures.incrementAndGet();
            }
        });
    }

    /** Waits until all announcements are answered. */
    void awaitAnnounced() throws InterruptedException {
        if (!underWay.tryAcquire(UNDER_WAY, TIMEOUT.toMillis() * 2, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("the API server doesn't answer");
        }
        underWay.release(UNDER_WAY);
    }

    /** Returns the number of failed announcements. */
    long failures() {
        return failures.get();
    }

    /** Returns how often a candidate was pinged. */
    long acknowledgements() {
        return acknowledgements.get();
    }

    /**
     * Waits until all of the leases have had a holder since this object was created, or for five minutes.
     *
     * @return when each lease with a holder got its first one, by {@link System#nanoTime()}, the earliest first
     */
    long[] awaitElected(Collection<ObjectKey> leases) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        synchronized (electedAt) {
            for (long left = PATIENCE.toNanos(); left > 0 && !electedAt.keySet().containsAll(leases); ) {
                TimeUnit.NANOSECONDS.timedWait(electedAt, Math.max(left, 1_000_000));
                left = deadline - System.nanoTime();
            }
            long[] times = leases.stream()
                    .filter(electedAt::containsKey)
                    .mapToLong(electedAt::get)
                    .sorted()
                    .toArray();
            if (times.length == 0) {
                throw new IllegalStateException("no candidate was elected within " + PATIENCE);
            }
            return times;
        }
    }

    private void onLease(WatchEvent<Lease> event) {
        shownBy(event).forEach(this::onLease);
    }

    private void onCandidate(WatchEvent<Candidate> event) {
        shownBy(event).forEach(this::onCandidate);
    }

    /** A watch that an overloaded API server has ended starts again with a list, which has the changes since. */
    private static <T> List<T> shownBy(WatchEvent<T> event) {
        if (event instanceof WatchEvent.Snapshot<T> snapshot) {
            return List.copyOf(snapshot.objects());
        }
        return event instanceof WatchEvent.Changed<T> changed ? List.of(changed.object()) : List.of();
    }

    private void onLease(Lease lease) {
        String holder = lease.holder();
        if (holder == null) {
            return;
        }
        synchronized (electedAt) {
            electedAt.putIfAbsent(lease.key(), System.nanoTime());
            electedAt.notifyAll();
        }
        if (!lease.confirmed()) {
            // After a conflict, another event follows.
            Instant now = threads.loop().clock().wall();
            api.leases()
                    .write(lease.toBuilder()
                            .acquireTime(now)
                            .renewTime(now)
                            .leaseDuration(LONG)
                            .term(TermAnnotation.begun(NONCE, "1", LONG, holder, now, lease.endedWhenReplaced()))
                            .build());
        }
    }

    private void onCandidate(Candidate candidate) {
        if (candidate.ackPending()) {
            acknowledgements.incrementAndGet();
            api.candidates()
                    .renew(candidate.toBuilder()
                            .renewTime(threads.loop().clock().wall())
                            .build());
        }
    }

    @Override
    public void close() {
        threads.close();
        transport.close();
    }
}

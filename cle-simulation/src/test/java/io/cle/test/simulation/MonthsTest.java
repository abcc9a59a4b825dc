package io.cle.test.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonObject;
import io.cle.Timings;
import io.cle.election.internal.Coordinator;
import io.cle.election.internal.CoordinatorConfig;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.NamespaceRule;
import io.cle.election.internal.Workers;
import io.cle.election.internal.api.CoordinatorClient;
import io.cle.kubernetes.internal.client.CandidateClient;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.loop.internal.EventLoop;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.Version;
import io.cle.store.internal.Subscription;
import io.cle.strategy.internal.Strategies;
import io.cle.test.apiserver.memory.WatchListener;
import io.cle.test.simulation.internal.process.DriftingClock;
import io.cle.test.simulation.internal.process.SimulatedEntropy;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.internal.process.VirtualTime;
import io.cle.test.simulation.internal.server.SimulatedServer;
import io.cle.test.simulation.scenario.ClusterKind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Months in minutes: a coordinator of leases whose replicas roll, crash and get new names all the time, and an application whose
 * leases come and go. All maps, timers, watches and histories end as large as they began. The timings are stretched, so that renewals are
 * rarer than what changes. {@code -Dcle.days=90 -Dcle.leases=100} runs a quarter of a year of a
 * hundred leases.
 */
class MonthsTest {

    private static final int DAYS = Integer.getInteger("cle.days", 1);
    private static final int LEASES = Integer.getInteger("cle.leases", 20);
    private static final int REPLICAS = 2;
    private static final long HOUR = 3_600_000_000_000L;
    private static final long DAY = 24 * HOUR;
    private static final List<String> VERSIONS = List.of("1.28.0", "1.29.0", "1.30.0");
    private static final Timings TIMINGS =
            new Timings(Duration.ofHours(1), Duration.ofMinutes(40), Duration.ofMinutes(8));

    private final VirtualTime time = new VirtualTime();
    private final SplittableRandom random = new SplittableRandom(7);
    private final List<String> failures = new ArrayList<>();
    private final Observer observer = new Observer();
    private final SimulatedServer server = new SimulatedServer(
            time,
            random.split(),
            ClusterKind.COORDINATED,
            observer,
            new VirtualProcess("kube-apiserver", time, new DriftingClock(time, 1, 0, 0), observer));
    private final List<Replica> replicas = new ArrayList<>();
    private int watches;
    private int started;
    private boolean churning;

    private final class Observer implements VirtualProcess.Observer, SimulatedServer.Auditor {
        @Override
        public void stepped(VirtualProcess process) {}

        @Override
        public void failed(VirtualProcess process, RuntimeException failure) {
            failures.add(process.name() + ": " + failure);
        }

        @Override
        public void changed(String type, JsonObject object, VirtualProcess by) {}

        @Override
        public void died(String what) {
            failures.add(what);
        }
    }

    private record Replica(
            VirtualProcess process, Transport transport, ObjectClient client, LeaseLock lock, int lease) {}

    @Test
    void aCoordinatorWhoseReplicasComeAndGoEndsAsItBegan() {
        VirtualProcess process = process("coordinator");
        EventLoop loop = process.loop();
        Transport transport = new Transport(process);
        ObjectClient client = new ObjectClient(transport, loop, random.split(), TIMINGS.requestTimeout());
        CoordinatorConfig config = new CoordinatorConfig(
                Strategies.builtIn(),
                Map.of(),
                new ElectionPolicy(Duration.ofSeconds(5), TIMINGS.leaseDuration()),
                NamespaceRule.OWN_NAMESPACE_ONLY);
        Coordinator coordinator = new Coordinator(config, loop, random.split(), Workers.DIRECT, reason -> {}, () -> {});
        process.run(() -> {
            coordinator.use(new CoordinatorClient(client, ResourceType.CRD_CANDIDATES, Set.of(), "test"));
            coordinator.coordinate();
        });
        for (int lease = 0; lease < LEASES; lease++) {
            for (int replica = 0; replica < REPLICAS; replica++) {
                start(lease);
            }
        }
        // Histories fill up to their bounds first.
        churn(1);
        Map<String, Integer> before = sizes(coordinator, client);

        churn(DAYS);
        Map<String, Integer> after = sizes(coordinator, client);

        System.out.println(DAYS + " days, " + started + " processes: " + after + ", before: " + before);
        assertThat(failures).isEmpty();
        assertThat(replicas.stream().filter(replica -> replica.lock().isLeader()))
                .hasSize(LEASES);
        assertThat(after.keySet()).isEqualTo(before.keySet());
        assertThat(after)
                .allSatisfy((field, size) -> assertThat(size)
                        .as(field + ", before: " + before.get(field))
                        .isLessThanOrEqualTo(mostOf(field, before.get(field))));
    }

    /** Histories have bounds for each lease. Timers differ by a few, because cancelled ones are removed only when there are many. */
    private static int mostOf(String field, int before) {
        return switch (field) {
            case "LeaseHistory.terms" -> 50 * LEASES;
            case "LeaseHistory.decisions" -> 20 * LEASES;
            case "LeaseRecord.preferences" -> 3 * LEASES;
            case "timers" -> before * 3 / 2 + 100;
            default -> before;
        };
    }

    @Test
    void anApplicationWhoseLeasesComeAndGoEndsAsItBegan() {
        VirtualProcess process = process("application");
        Transport transport = new Transport(process);
        ObjectClient client = new ObjectClient(transport, process.loop(), random.split(), TIMINGS.requestTimeout());
        cycle(process, client, 0);
        Map<String, Integer> before = Sizes.of(client);
        int watchesBefore = watches;
        for (int lease = 1; lease <= DAYS * 24; lease++) {
            cycle(process, client, lease);
            if (lease % 24 == 0) {
                server.compact();
            }
        }

        assertThat(failures).isEmpty();
        assertThat(Sizes.of(client)).isEqualTo(before);
        assertThat(watches).isEqualTo(watchesBefore);
    }

    /** A lease that is held for some minutes, then released. */
    private void cycle(VirtualProcess process, ObjectClient client, int lease) {
        LeaseLock lock = lock(process, client, "job-" + lease, "application");
        process.run(lock::start);
        advance(time.now() + 50 * HOUR / 60);
        assertThat(lock.isLeader()).as("leads job-" + lease).isTrue();
        process.run(lock::stop);
        advance(time.now() + 10 * HOUR / 60);
        advance(time.now() + HOUR / 60);
    }

    private Map<String, Integer> sizes(Coordinator coordinator, ObjectClient client) {
        churning = false;
        advance(time.now() + 6 * HOUR);
        Map<String, Integer> sizes = new TreeMap<>(Sizes.of(coordinator, client));
        sizes.put("watches", watches);
        sizes.put("timers", time.size());
        return sizes;
    }

    private void churn(int days) {
        churning = true;
        for (int lease = 0; lease < LEASES; lease++) {
            change(lease);
        }
        for (int day = 0; day < days; day++) {
            advance(time.now() + DAY);
            server.compact();
        }
    }

    /** About every hour a replica of a lease crashes or stops, and another one starts under a name of its own. */
    private void change(int lease) {
        time.after(random.nextLong(2 * HOUR), () -> {
            if (!churning) {
                return;
            }
            List<Replica> ofLease = replicas.stream()
                    .filter(replica -> replica.lease() == lease)
                    .toList();
            Replica old = ofLease.get(random.nextInt(ofLease.size()));
            replicas.remove(old);
            if (random.nextBoolean()) {
                kill(old);
            } else {
                old.process().run(() -> old.lock().stop());
                time.after(HOUR / 10, () -> kill(old));
            }
            start(lease);
            change(lease);
        });
    }

    private void kill(Replica old) {
        old.process().kill();
        old.transport().closeAll();
    }

    private void start(int lease) {
        VirtualProcess process = process("replica");
        Transport transport = new Transport(process);
        ObjectClient client = new ObjectClient(transport, process.loop(), random.split(), TIMINGS.requestTimeout());
        LeaseLock lock = lock(process, client, "lease-" + lease, "r" + started);
        replicas.add(new Replica(process, transport, client, lock, lease));
        process.run(lock::start);
    }

    private LeaseLock lock(VirtualProcess process, ObjectClient client, String lease, String name) {
        ObjectKey key = new ObjectKey("shop", lease);
        String identity = lease + "-" + name;
        Version version = Version.parse(VERSIONS.get(random.nextInt(VERSIONS.size())));
        Candidate template = Candidate.builder(new ObjectKey("shop", identity), key)
                .binaryVersion(version)
                .compatibilityVersion(version)
                .validity(Duration.ofHours(3))
                .build();
        LockConfig config = new LockConfig(
                key,
                identity,
                TIMINGS,
                Duration.ofSeconds(5),
                new LockConfig.Fallback(true, Duration.ofSeconds(30)),
                new LockConfig.Candidacy(template, Duration.ofHours(1)),
                null,
                ClusterKind.COORDINATED.renewTimeStep());
        return new LeaseLock(
                config,
                new LockStores(
                                LeaseClient.of(client, ClusterKind.COORDINATED.format(), null),
                                new CandidateClient(client, ClusterKind.COORDINATED.format()))
                        .always(),
                new SimulatedEntropy("n" + ++started),
                LockThreads.of(process.loop(), process.thread(() -> 0)));
    }

    private VirtualProcess process(String name) {
        return new VirtualProcess(name, time, new DriftingClock(time, 1, 0, 0), observer);
    }

    private void advance(long until) {
        boolean more = true;
        while (more && failures.isEmpty()) {
            more = time.advance(until);
        }
    }

    /** A connection without faults. */
    private final class Transport implements KubernetesTransport {
        private static final long ON_THE_WAY = 1_000_000;

        private final VirtualProcess process;
        private final List<Watch> open = new ArrayList<>();

        Transport(VirtualProcess process) {
            this.process = process;
        }

        @Override
        public CompletionStage<ApiResponse> send(ApiRequest request) {
            CompletableFuture<ApiResponse> stage = new CompletableFuture<>();
            time.after(ON_THE_WAY, () -> {
                ApiResponse answer = server.handle(request, process);
                time.after(ON_THE_WAY, () -> process.run(() -> stage.complete(answer)));
            });
            return stage;
        }

        @Override
        public Subscription watch(ApiRequest request, WatchStream stream) {
            Watch watch = new Watch(stream);
            open.add(watch);
            watches++;
            time.after(ON_THE_WAY, () -> watch.open(request));
            return watch;
        }

        void closeAll() {
            List.copyOf(open).forEach(Watch::close);
        }

        @Override
        public void close() {}

        private final class Watch implements Subscription, WatchListener {
            private final WatchStream client;
            private io.cle.test.apiserver.memory.WatchStream opened;

            Watch(WatchStream client) {
                this.client = client;
            }

            void open(ApiRequest request) {
                if (open.contains(this)) {
                    opened = server.watch(request, this);
                    bookmark();
                }
            }

            /** Keeps the silent watch from being replaced; far rarer than a real server's. */
            private void bookmark() {
                time.after(80_000_000_000L, () -> {
                    if (open.contains(this)) {
                        opened.bookmark();
                        bookmark();
                    }
                });
            }

            @Override
            public void onEvent(JsonObject event) {
                time.after(
                        ON_THE_WAY,
                        () -> process.run(() -> {
                            if (open.contains(this)) {
                                client.onEvent(event);
                            }
                        }));
            }

            @Override
            public void onEnd() {
                time.after(ON_THE_WAY, () -> process.run(() -> client.onEnd(new WatchEnd.Completed())));
                close();
            }

            @Override
            public void close() {
                if (open.remove(this)) {
                    watches--;
                    if (opened != null) {
                        opened.close();
                    }
                }
            }
        }
    }
}

package io.cle.test.exploration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonObject;
import io.cle.ApiFormat;
import io.cle.Timings;
import io.cle.election.internal.Coordinator;
import io.cle.election.internal.CoordinatorConfig;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.NamespaceRule;
import io.cle.election.internal.Workers;
import io.cle.election.internal.api.CoordinatorClient;
import io.cle.kubernetes.internal.client.CandidateClient;
import io.cle.kubernetes.internal.client.GroupLeases;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.GroupCandidacy;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.store.internal.Subscription;
import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.internal.Strategies;
import io.cle.test.apiserver.memory.WatchListener;
import io.cle.test.simulation.internal.process.DriftingClock;
import io.cle.test.simulation.internal.process.SimulatedEntropy;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.internal.process.VirtualTime;
import io.cle.test.simulation.internal.server.SimulatedServer;
import io.cle.test.simulation.scenario.ClusterKind;
import org.jspecify.annotations.Nullable;

/**
 * Follows all histories of a small cluster whose lease changes from two shards to one: a replica asks for two, another one for one, and two
 * coordinators elect, one after the other or both at once. All code above the transport is real, and so is the API server; hence a state can't be
 * copied, and each history runs from the beginning.
 *
 * <p>A history is one of the {@link Script scripts} with up to two faults. A fault happens at a message of a coordinator: its request, or the
 * answer, arrives late; its watches lag from then on; or a replica is partitioned. Without faults, each message takes a millisecond. After each
 * step, no two replicas may lead shards with common keys; in the end, all shards of one number have leaders.
 */
final class ShardHistories {

    private static final long SECOND = 1_000_000_000L;
    private static final long MESSAGE = 1_000_000L;

    /** How long a fault lasts: longer than a lease, so that another process acts meanwhile. */
    private static final long FAULT = 12 * SECOND;

    /** No fault comes later. */
    private static final long FAULTS_UNTIL = 22 * SECOND;

    private static final long END = 45 * SECOND;
    private static final Timings TIMINGS =
            new Timings(Duration.ofSeconds(6), Duration.ofSeconds(4), Duration.ofSeconds(2));
    private static final LeaseGroup TWO = new LeaseGroup("shop", "orders", 2);
    private static final LeaseGroup ONE = new LeaseGroup("shop", "orders", 1);

    /** What happens in a history without a fault. */
    private enum Script {
        /** The number changes, and changes back, under two coordinators at once. */
        CHANGED_BACK {
            @Override
            void play(Run run) {
                run.coordinator(0);
                run.coordinator(0);
                run.at(0, () -> run.start("a", TWO));
                run.at(1, () -> run.start("b", ONE));
                run.at(6, () -> run.stop("a"));
                run.at(12, () -> run.start("a", TWO));
                run.at(14, () -> run.stop("b"));
                run.at(22, () -> run.start("b", ONE));
            }
        },
        /** One coordinator pauses before the number changes, and another one takes over, which has observed all along. */
        TAKEN_OVER {
            @Override
            void play(Run run) {
                VirtualProcess first = run.coordinator(0);
                run.coordinator(3);
                run.at(0, () -> run.start("a", TWO));
                run.at(1, () -> run.start("b", ONE));
                run.at(2, first::pause);
                run.at(3, () -> run.cut("a"));
                run.at(24, first::resume);
            }
        };

        abstract void play(Run run);
    }

    private enum Fault {
        LATE_REQUEST,
        LATE_ANSWER,
        LAGGING_WATCHES,
        PARTITIONED_A,
        PARTITIONED_B
    }

    /** A fault at a message. */
    private record Deviation(int message, Fault fault) {}

    private ShardHistories() {}

    /**
     * Follows the histories of each script in the order of their faults.
     *
     * @param faults the maximum number of faults in a history
     * @param mostHistories the maximum number of histories
     */
    static Explorer.Result explore(int faults, int mostHistories) {
        int histories = 0;
        long messages = 0;
        int longest = 0;
        boolean complete = true;
        for (Script script : Script.values()) {
            List<List<Deviation>> frontier = List.of(List.of());
            for (int depth = 0; depth <= faults && !frontier.isEmpty(); depth++) {
                List<List<Deviation>> next = new ArrayList<>();
                for (List<Deviation> deviations : frontier) {
                    if (histories++ >= mostHistories) {
                        return result(faults, histories, messages, false, longest, null);
                    }
                    Run run = new Run(deviations);
                    String violation = run.play(script);
                    messages += run.messages;
                    longest = Math.max(longest, run.messages);
                    if (violation != null) {
                        return result(
                                faults,
                                histories,
                                messages,
                                false,
                                longest,
                                violation + "\n    by " + script + " with " + run.described);
                    }
                    int first = deviations.isEmpty()
                            ? 1
                            : deviations.get(deviations.size() - 1).message() + 1;
                    for (int message = first; depth < faults && message <= run.messages; message++) {
                        for (Fault fault : Fault.values()) {
                            next.add(World.with(deviations, new Deviation(message, fault)));
                        }
                    }
                }
                frontier = next;
            }
        }
        return result(faults, histories, messages, complete, longest, null);
    }

    private static Explorer.Result result(
            int faults, int histories, long messages, boolean complete, int longest, @Nullable String violation) {
        return new Explorer.Result(
                "two numbers of shards, " + faults + " faults", histories, messages, complete, longest, 0, violation);
    }

    /** One history. */
    private static final class Run implements SimulatedServer.Auditor, VirtualProcess.Observer {
        private final Map<Integer, Fault> faults = new HashMap<>();
        private final List<String> described = new ArrayList<>();
        private final VirtualTime time = new VirtualTime();
        private final SimulatedServer server;
        private final Map<String, Replica> replicas = new LinkedHashMap<>();
        private int coordinators;
        private int messages;
        private @Nullable String violation;

        Run(List<Deviation> deviations) {
            deviations.forEach(deviation -> faults.put(deviation.message(), deviation.fault()));
            server = new SimulatedServer(
                    time, new SplittableRandom(1), ClusterKind.SHARDED, this, process("kube-apiserver"));
        }

        private VirtualProcess process(String name) {
            return new VirtualProcess(name, time, new DriftingClock(time, 1, 0, 0), this);
        }

        @Nullable
        String play(Script script) {
            script.play(this);
            boolean more = true;
            while (more && violation == null) {
                more = time.advance(END);
            }
            return violation == null ? unled() : violation;
        }

        void at(long second, Runnable action) {
            time.after(second * SECOND + MESSAGE, action);
        }

        /** Starts a coordinator, which coordinates from a second on. */
        VirtualProcess coordinator(long from) {
            VirtualProcess process = process("coordinator" + ++coordinators);
            Coordinator loop = new Coordinator(
                    new CoordinatorConfig(
                            Strategies.builtIn(),
                            Map.of(),
                            new ElectionPolicy(Duration.ofSeconds(2), TIMINGS.leaseDuration()),
                            NamespaceRule.OWN_NAMESPACE_ONLY),
                    process.loop(),
                    new Random(1),
                    Workers.DIRECT,
                    reason -> {},
                    () -> {});
            CoordinatorClient client = new CoordinatorClient(
                    client(new Wire(process, true)), ResourceType.CRD_CANDIDATES, Set.of(), process.name());
            time.after(0, () -> process.run(() -> loop.use(client)));
            time.after(from * SECOND, () -> process.run(loop::coordinate));
            return process;
        }

        void start(String name, LeaseGroup group) {
            Replica replica = new Replica(name + replicas.size(), name, group, this);
            replicas.put(name, replica);
            replica.wire.process.run(() -> replica.locks.forEach(LeaseLock::start));
        }

        void stop(String name) {
            Replica replica = replicas.get(name);
            if (replica != null) {
                replica.wire.process.run(() -> replica.locks.forEach(LeaseLock::stop));
            }
        }

        void cut(String name) {
            Replica replica = replicas.get(name);
            if (replica != null) {
                replica.wire.cutUntil = time.now() + FAULT;
            }
        }

        /** Returns a problem unless all shards of one number have leaders in the end; which number depends on the history. */
        private @Nullable String unled() {
            long led = replicas.values().stream().mapToLong(Replica::leads).sum();
            long shards = replicas.values().stream()
                    .filter(replica -> replica.leads() > 0)
                    .mapToLong(replica -> replica.group.shards())
                    .findFirst()
                    .orElse(-1);
            return led == shards ? null : "not all shards are led at the end: " + led;
        }

        /** The connection of a process. */
        private final class Wire implements KubernetesTransport {
            private final VirtualProcess process;
            private final boolean mayFail;
            private long cutUntil;
            private long lagsUntil;

            /**
             * Connects a process.
             *
             * @param mayFail whether faults happen at its requests
             */
            Wire(VirtualProcess process, boolean mayFail) {
                this.process = process;
                this.mayFail = mayFail;
            }

            @Override
            public CompletionStage<ApiResponse> send(ApiRequest request) {
                CompletableFuture<ApiResponse> answer = new CompletableFuture<>();
                Fault fault = faultAt(request);
                time.after(
                        request.timeout().toNanos(),
                        () -> process.run(() -> answer.complete(new ApiResponse.Unanswered("no answer"))));
                time.after(fault == Fault.LATE_REQUEST ? FAULT : MESSAGE, () -> {
                    if (time.now() >= cutUntil) {
                        ApiResponse response = server.handle(request, process);
                        time.after(fault == Fault.LATE_ANSWER ? FAULT : MESSAGE, () -> {
                            if (time.now() >= cutUntil) {
                                process.run(() -> answer.complete(response));
                            }
                        });
                    }
                });
                return answer;
            }

            private @Nullable Fault faultAt(ApiRequest request) {
                boolean counts = mayFail
                        && time.now() < FAULTS_UNTIL
                        && request.resource().equals(ResourceType.LEASES)
                        && request.verb() != ApiRequest.Verb.LIST;
                Fault fault = counts ? faults.get(++messages) : null;
                if (fault != null) {
                    described.add(String.format(
                            Locale.ROOT,
                            "%s at %s of %s (%.3f s)",
                            fault,
                            request.describe(),
                            process.name(),
                            time.now() / (double) SECOND));
                }
                if (fault == Fault.LAGGING_WATCHES) {
                    lagsUntil = time.now() + FAULT;
                } else if (fault == Fault.PARTITIONED_A) {
                    cut("a");
                } else if (fault == Fault.PARTITIONED_B) {
                    cut("b");
                }
                return fault;
            }

            @Override
            public Subscription watch(ApiRequest request, WatchStream stream) {
                Opened opened = new Opened();
                time.after(MESSAGE, () -> {
                    if (!opened.closed) {
                        opened.stream = server.watch(request, new WatchListener() {
                            @Override
                            public void onEvent(JsonObject event) {
                                // In their order, because what is due at one time is done in the order in which it was
                                // scheduled.
                                long at = Math.max(time.now() + MESSAGE, Math.max(lagsUntil, cutUntil));
                                time.after(
                                        at - time.now(),
                                        () -> process.run(() -> {
                                            if (!opened.closed) {
                                                stream.onEvent(event);
                                            }
                                        }));
                            }

                            @Override
                            public void onEnd() {}
                        });
                    }
                });
                return opened::close;
            }

            @Override
            public void close() {}
        }

        @Override
        public void stepped(VirtualProcess process) {
            int halves = 0;
            for (Replica replica : replicas.values()) {
                for (int shard = 0; shard < replica.locks.size(); shard++) {
                    if (replica.locks.get(shard).isLeader()) {
                        int owned = replica.group.shards() == 1 ? 3 : 1 << shard;
                        if ((halves & owned) != 0) {
                            violation = "two lead shards that have keys in common at one instant: " + leaders();
                        }
                        halves |= owned;
                    }
                }
            }
        }

        private List<String> leaders() {
            return replicas.values().stream()
                    .map(replica -> replica.name + " leads " + replica.leads() + " of " + replica.group)
                    .toList();
        }

        @Override
        public void failed(VirtualProcess process, RuntimeException failure) {
            violation = process.name() + " has failed: " + failure;
        }

        @Override
        public void changed(String type, JsonObject object, @Nullable VirtualProcess by) {}

        @Override
        public void died(String what) {
            violation = what;
        }
    }

    private static final class Opened {
        private boolean closed;
        private io.cle.test.apiserver.memory.@Nullable WatchStream stream;

        void close() {
            closed = true;
            if (stream != null) {
                stream.close();
            }
        }
    }

    private static ObjectClient client(Run.Wire wire) {
        return new ObjectClient(wire, wire.process.loop(), new Random(1), TIMINGS.requestTimeout());
    }

    private static final class Replica {
        private final String name;
        private final LeaseGroup group;
        private final Run.Wire wire;
        private final List<LeaseLock> locks = new ArrayList<>();

        Replica(String unique, String name, LeaseGroup group, Run run) {
            this.name = name;
            this.group = group;
            wire = run.new Wire(run.process(unique), false);
            ObjectClient client = client(wire);
            LockStores stores = new LockStores(
                    new GroupLeases(LeaseClient.of(client, ApiFormat.CRD, null), group),
                    new CandidateClient(client, ApiFormat.CRD));
            GroupCandidacy candidacy =
                    new GroupCandidacy(config(0), LockThreads.of(wire.process.loop(), Runnable::run));
            for (int shard = 0; shard < group.shards(); shard++) {
                locks.add(new LeaseLock(
                        config(shard),
                        stores.always(),
                        new SimulatedEntropy(unique + "s" + shard),
                        LockThreads.of(wire.process.loop(), Runnable::run),
                        candidacy));
            }
        }

        private LockConfig config(int shard) {
            String identity = group.name() + "-" + name;
            Candidate template = Candidate.builder(new ObjectKey(group.namespace(), identity), group)
                    .strategy(BuiltInStrategy.BALANCED.wireName())
                    .build();
            return new LockConfig(
                    group.lease(shard),
                    identity,
                    TIMINGS,
                    Duration.ofSeconds(5),
                    new LockConfig.Fallback(false, Duration.ZERO),
                    new LockConfig.Candidacy(template, Duration.ofMinutes(5)),
                    null,
                    Duration.ofNanos(1000));
        }

        long leads() {
            return locks.stream().filter(LeaseLock::isLeader).count();
        }
    }
}

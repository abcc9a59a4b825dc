package io.cle.test.simulation.internal.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

import com.google.gson.JsonObject;
import io.cle.ApiFormat;
import io.cle.KeyComparison;
import io.cle.ResourceLock;
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
import io.cle.kubernetes.internal.discovery.FormatChoice;
import io.cle.kubernetes.internal.discovery.FormatDiscovery;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.GroupCandidacy;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.loop.internal.EventLoop;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.Version;
import io.cle.strategy.internal.Strategies;
import io.cle.test.apiserver.store.Metadata;
import io.cle.test.simulation.internal.process.DriftingClock;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.internal.process.VirtualTime;
import io.cle.test.simulation.internal.server.Network;
import io.cle.test.simulation.internal.server.SimulatedTransport;
import io.cle.test.simulation.internal.server.SimulatedWatch;
import io.cle.test.simulation.scenario.ClusterKind;
import io.cle.test.simulation.scenario.Scenario;
import org.jspecify.annotations.Nullable;

/** The processes of a simulated cluster: starts and kills them. */
public final class SimulatedCluster {

    private static final ObjectKey REPLICAS = new ObjectKey("kube-system", "coordinated-election-controller");
    private static final List<Version> VERSIONS =
            List.of(Version.parse("1.28.0"), Version.parse("1.29.0"), Version.parse("1.30.0"));
    private static final long HOUR = 3_600_000_000_000L;

    /** Pairs of numbers of shards: those that most replicas ask for, and those that some do. */
    private static final List<List<Integer>> NUMBERS =
            List.of(List.of(4, 2), List.of(4, 3), List.of(6, 4), List.of(2, 1), List.of(8, 6));

    /** Of this many replicas, one asks for the other number of shards, and at times one for no shards. */
    private static final int ASKS_FOR_ANOTHER_NUMBER = 4;

    private final Scenario scenario;
    private final VirtualTime time;
    private final SplittableRandom random;
    private final Network network;
    private final Observer observer;
    private final double slowestRate;
    private final double fastestRate;
    private final List<Member> members = new ArrayList<>();
    private final List<CoordinatorProcess> coordinators = new ArrayList<>();
    private final CoordinatorSetup setup;
    private final @Nullable Pods pods;

    /** The numbers of shards that replicas ask for, the one that most ask for first; none without shards. */
    private final List<LeaseGroup> groups;

    /** Whether some replicas lead the lease without shards, as before shards were added, or after a roll-back. */
    private final boolean alsoPlain;

    private int started;

    /** Observes what processes there are, and the calls of their listeners. */
    public interface Observer extends VirtualProcess.Observer, CandidateProcess.Observer {

        /** A process that can lead starts. */
        void add(Contender contender);

        /**
         * A coordinator starts.
         *
         * @param changing whether it may change the wire format, and so the kind of candidates that it observes
         */
        void addCoordinator(VirtualProcess process, CoordinatorSetup setup, boolean changing);

        /** A process has crashed, so that it cannot lead any more. */
        void gone(VirtualProcess process);
    }

    /** What runs in the cluster: a candidate or a coordinator. */
    public sealed interface Running permits Member, CoordinatorProcess {
        /** Its process. */
        VirtualProcess process();

        /** Its connection to the network. */
        SimulatedTransport transport();
    }

    /**
     * A candidate in its process.
     *
     * @param name what its identity is made of
     * @param coordinated whether a coordinator elects it; it races for the record otherwise
     * @param contenders what can lead in it: one for each shard, or one
     * @param transport its connection to the network
     */
    public record Member(String name, boolean coordinated, List<Contender> contenders, SimulatedTransport transport)
            implements Running {
        @Override
        public VirtualProcess process() {
            return contender().process();
        }

        /** The lock or elector of the process; the first one if there are several. */
        public Contender contender() {
            return contenders.get(0);
        }

        /** Returns whether the process leads the lease or one of its shards. */
        public boolean leads() {
            return contenders.stream().anyMatch(Contender::leads);
        }

        /** Lets the process resign; of several shards, the first one that it leads. */
        public void resign() {
            contenders.stream()
                    .filter(Contender::leads)
                    .findFirst()
                    .orElse(contender())
                    .resign();
        }

        /** Has it announce another priority, unless it is client-go's elector. */
        public void announce(int priority) {
            for (Contender contender : contenders) {
                if (contender instanceof CandidateProcess candidate) {
                    candidate.announce(priority);
                }
            }
        }

        /** The locks of the process; empty if it runs client-go's elector. */
        public List<LeaseLock> locks() {
            return contenders.stream()
                    .filter(CandidateProcess.class::isInstance)
                    .map(candidate -> ((CandidateProcess) candidate).lock())
                    .toList();
        }

        LockConfig config() {
            return ((CandidateProcess) contender()).config();
        }
    }

    /** A cluster without processes. */
    public SimulatedCluster(
            Scenario scenario, VirtualTime time, SplittableRandom random, Network network, Observer observer) {
        this.scenario = scenario;
        this.time = time;
        this.random = random;
        this.network = network;
        this.observer = observer;
        boolean configured = scenario.kind() == ClusterKind.CONFIGURED;
        setup = configured ? CoordinatorSetup.random(random) : CoordinatorSetup.DEFAULT;
        pods = configured
                ? new Pods(
                        network.server(),
                        time,
                        random.split(),
                        network.history(),
                        this::silentLeader,
                        scenario.faultsLast())
                : null;
        groups = scenario.kind() == ClusterKind.SHARDED
                ? NUMBERS.get(random.nextInt(NUMBERS.size())).stream()
                        .map(shards -> new LeaseGroup(Scenario.LEASE.namespace(), Scenario.LEASE.name(), shards))
                        .toList()
                : List.of();
        alsoPlain = !groups.isEmpty() && random.nextInt(3) > 0;
        double ratio = scenario.kind() == ClusterKind.MIGRATION ? 1.02 : scenario.toleratedClockRateRatio();
        slowestRate = 1 / Math.sqrt(Math.min(ratio, 2));
        fastestRate = slowestRate * Math.min(ratio, 2) * (1 - 1e-9);
    }

    private boolean silentLeader(VirtualProcess process) {
        return members.stream()
                .anyMatch(member -> member.process() == process
                        && member.leads()
                        && (process.paused() || member.transport().cutOff()));
    }

    /** The candidates whose processes have not crashed. */
    public List<Member> members() {
        return members;
    }

    /** The network. */
    public Network network() {
        return network;
    }

    /** The strategy that a LeaseConfiguration asks for; of several the first by name. */
    public Optional<String> configuredStrategy() {
        return network.server().list(ResourceType.LEASE_CONFIGURATIONS, Scenario.LEASE.namespace()).stream()
                .filter(configuration ->
                        Metadata.text(spec(configuration), "targetLease").equals(Scenario.LEASE.name()))
                .min(Comparator.comparing(Metadata::name))
                .map(configuration -> Metadata.text(spec(configuration), "strategy"));
    }

    private static JsonObject spec(JsonObject configuration) {
        return Metadata.child(configuration, "spec");
    }

    /** The numbers of shards that replicas ask for; none without shards. */
    public List<LeaseGroup> groups() {
        return groups;
    }

    /** The leases that a candidate may hold, including those of shards, of any number. */
    public List<ObjectKey> leases() {
        return Stream.concat(Stream.of(Scenario.LEASE), groups.stream().flatMap(group -> group.leases().stream()))
                .toList();
    }

    /** The coordinators whose processes have not crashed. */
    public List<CoordinatorProcess> coordinators() {
        return coordinators;
    }

    /** A rate for a clock, within what is tolerated; often one of the limits. */
    public double rate() {
        return switch (random.nextInt(4)) {
            case 0 -> slowestRate;
            case 1 -> fastestRate;
            default -> slowestRate + random.nextDouble() * (fastestRate - slowestRate);
        };
    }

    DriftingClock clock() {
        long off = scenario.clockSkew() && random.nextInt(3) == 0
                ? random.nextLong(-5 * HOUR, 5 * HOUR)
                : random.nextLong(-SECOND, SECOND);
        return new DriftingClock(time, rate(), random.nextLong(0, HOUR), off);
    }

    private static final long SECOND = 1_000_000_000L;

    // ---- candidates ----------------------------------------------------------------------------------------------

    /** Whether a coordinator elects the next candidate of this cluster; a mix during a migration. */
    public boolean someCoordinated() {
        boolean races = scenario.kind().mixed()
                ? random.nextInt(3) == 0
                : !scenario.kind().coordinated();
        return !races;
    }

    /** Starts a process for a candidate of any version. */
    public Member start(String name, boolean coordinated) {
        Version version = VERSIONS.get(random.nextInt(VERSIONS.size()));
        LockConfig config = configOf(name, coordinated, version, random.nextInt(3));
        return start(config, name);
    }

    /** Starts another process with the same configuration. */
    public Member startAgain(Member former) {
        if (former.contender() instanceof ClientGoElector) {
            return startPlain(former.name());
        }
        return start(former.config(), former.name());
    }

    private Member start(LockConfig former, String name) {
        VirtualProcess process = process(name);
        LockConfig config = pods == null ? former : inPod(former, pods.create(process));
        SimulatedTransport transport = new SimulatedTransport(network, process);
        EventLoop loop = process.loop();
        ObjectClient client = client(transport, loop, config.timings());
        LockStores.Source stores = stores(config, transport, loop, client);
        boolean slowListeners = random.nextInt(4) == 0;
        List<Contender> contenders = new ArrayList<>();
        LeaseGroup group = config.group();
        if (group == null) {
            contenders.add(new CandidateProcess(
                    process, config, stores, "n" + started, loop, random, slowListeners, observer, null));
        } else {
            GroupCandidacy candidacy = new GroupCandidacy(config, LockThreads.of(loop, Runnable::run));
            for (ObjectKey lease : group.isSharded() ? group.leases() : List.of(config.lease())) {
                String nonce = "n" + started + "of" + lease.name();
                contenders.add(new CandidateProcess(
                        process,
                        onLease(lease, config),
                        stores,
                        nonce,
                        loop,
                        random,
                        slowListeners,
                        observer,
                        candidacy));
            }
        }
        Member member = new Member(name, config.coordinated(), contenders, transport);
        return join(member, () -> member.locks().forEach(LeaseLock::start));
    }

    private static LockConfig onLease(ObjectKey lease, LockConfig config) {
        return new LockConfig(
                lease,
                config.identity(),
                config.timings(),
                config.drainTimeout(),
                config.fallback(),
                config.candidacy(),
                config.takeover(),
                config.renewTimeStep());
    }

    private LockStores.Source stores(
            LockConfig config, SimulatedTransport transport, EventLoop loop, ObjectClient client) {
        if (!config.coordinated()) {
            return new LockStores(
                            LeaseClient.of(
                                    client,
                                    Objects.requireNonNull(scenario.kind().direct()),
                                    null),
                            null)
                    .always();
        }
        if (scenario.kind().discovers()) {
            return LockStores.chosenBy(
                    FormatChoice.ofCandidate(
                            discovery(transport, Scenario.LEASE.namespace()), Optional.empty(), loop, random),
                    client,
                    null);
        }
        ApiFormat format = scenario.kind().format();
        LeaseGroup group = config.group();
        if (group != null) {
            return new LockStores(
                            new GroupLeases(LeaseClient.of(client, format, null), group),
                            new CandidateClient(client, format))
                    .always();
        }
        return new LockStores(LeaseClient.of(client, format, null), new CandidateClient(client, format)).always();
    }

    private FormatDiscovery discovery(SimulatedTransport transport, String namespace) {
        return new FormatDiscovery(transport, namespace, scenario.timings().requestTimeout());
    }

    private static LockConfig inPod(LockConfig config, PodRef pod) {
        LockConfig.Candidacy candidacy = Objects.requireNonNull(config.candidacy());
        return new LockConfig(
                config.lease(),
                config.identity(),
                config.timings(),
                config.drainTimeout(),
                config.fallback(),
                new LockConfig.Candidacy(
                        candidacy.template().toBuilder().pod(pod).build(), candidacy.renewInterval()),
                config.takeover(),
                config.renewTimeStep());
    }

    /** Starts one of client-go's electors. */
    public Member startPlain(String name) {
        VirtualProcess process = process(name);
        SimulatedTransport transport = new SimulatedTransport(network, process);
        ClientGoElector elector =
                new ClientGoElector(Scenario.LEASE, name, process, transport, scenario.timings(), random);
        return join(new Member(name, false, List.of(elector), transport), elector::start);
    }

    private Member join(Member member, Runnable start) {
        members.add(member);
        member.contenders().forEach(observer::add);
        network.history()
                .line(member.process().name(), "starts as " + member.contender().identity());
        member.process().run(start);
        return member;
    }

    private VirtualProcess process(String name) {
        started++;
        return new VirtualProcess(name + "#" + started, time, clock(), observer);
    }

    private ObjectClient client(SimulatedTransport transport, EventLoop loop, Timings timings) {
        return new ObjectClient(transport, loop, random, timings.requestTimeout());
    }

    private LockConfig configOf(String name, boolean coordinated, Version version, int priority) {
        String identity = coordinated ? Scenario.LEASE.name() + "-" + name : name;
        boolean shortLived = random.nextInt(4) == 0;
        ObjectKey key = new ObjectKey(Scenario.LEASE.namespace(), identity);
        LeaseGroup group = someGroup();
        Candidate.Builder announced =
                group == null ? Candidate.builder(key, Scenario.LEASE) : Candidate.builder(key, group);
        Candidate template = announced
                .binaryVersion(version)
                .compatibilityVersion(random.nextInt(4) == 0 ? VERSIONS.get(0) : version)
                .priority(priority == 0 ? null : priority)
                .strategy(
                        group == null && scenario.kind() == ClusterKind.SHARDED
                                ? "OldestCompatibilityVersion"
                                : scenario.strategy())
                .validity(Duration.ofSeconds(shortLived ? 40 : 600))
                .build();
        return new LockConfig(
                group != null && group.isSharded() ? group.lease(0) : Scenario.LEASE,
                identity,
                scenario.someTimings(random),
                Duration.ofSeconds(random.nextInt(3) == 0 ? 1 : 20),
                new LockConfig.Fallback(group == null, Duration.ofSeconds(random.nextBoolean() ? 10 : 30)),
                coordinated ? new LockConfig.Candidacy(template, Duration.ofSeconds(shortLived ? 15 : 300)) : null,
                scenario.kind().keys() ? takeover() : null,
                scenario.kind().renewTimeStep());
    }

    private @Nullable LeaseGroup someGroup() {
        if (scenario.kind() == ClusterKind.RENAMED) {
            return LeaseGroup.named(Scenario.LEASE.namespace(), random.nextBoolean() ? "former" : "renamed");
        }
        if (groups.isEmpty()) {
            return null;
        }
        int family = random.nextInt(ASKS_FOR_ANOTHER_NUMBER);
        return family == 1 && alsoPlain ? null : groups.get(family == 0 ? 1 : 0);
    }

    private LockConfig.Takeover takeover() {
        int key = random.nextInt(4);
        return new LockConfig.Takeover(
                key == 0 ? "" : String.valueOf(key),
                KeyComparison.largestNumber(),
                Duration.ofSeconds(1 + random.nextInt(20)));
    }

    /** Kills a process, with all that it has under way. */
    public void kill(Member member) {
        crash(member);
        if (pods != null) {
            pods.died(member.process());
        }
        members.remove(member);
    }

    private void crash(Running running) {
        network.history().line(running.process().name(), "CRASHES");
        running.process().kill();
        running.transport().close();
        observer.gone(running.process());
        List.copyOf(network.connections()).stream()
                .filter(connection -> connection.client() == running.transport())
                .forEach(SimulatedWatch::close);
    }

    /** Deletes the pod of a candidate by force, where candidates have pods: its process runs on. */
    public void deletePod(Member member) {
        if (pods != null) {
            pods.deleteByForce(member.process());
        }
    }

    // ---- coordinators --------------------------------------------------------------------------------------------

    /** Starts a coordinator. */
    public CoordinatorProcess startCoordinator(String name) {
        VirtualProcess process = process(name);
        SimulatedTransport transport = new SimulatedTransport(network, process);
        EventLoop loop = process.loop();
        ObjectClient client = client(transport, loop, scenario.timings());
        LockConfig config = new LockConfig(
                REPLICAS,
                name,
                scenario.timings(),
                Duration.ofSeconds(5),
                new LockConfig.Fallback(false, Duration.ZERO),
                null,
                null,
                Duration.ofNanos(1000));
        CandidateProcess replica = new CandidateProcess(
                process,
                config,
                new LockStores(LeaseClient.of(client, ResourceLock.LEASES, null), null).always(),
                "n" + started,
                loop,
                random,
                false,
                observer,
                null);
        CoordinatorConfig coordinating = new CoordinatorConfig(
                Strategies.builtIn(),
                Map.of(),
                new ElectionPolicy(Duration.ofSeconds(5), scenario.timings().leaseDuration()),
                NamespaceRule.OWN_NAMESPACE_ONLY);
        FormatChoice formats =
                FormatChoice.ofCoordinator(discovery(transport, REPLICAS.namespace()), Optional.empty(), loop, random);
        Coordinator coordinator =
                new Coordinator(coordinating, loop, random, Workers.DIRECT, reason -> {}, formats::doubt);
        CoordinatorProcess started = new CoordinatorProcess(name, replica, coordinator, transport, loop);
        coordinators.add(started);
        observer.add(replica);
        observer.addCoordinator(process, setup, scenario.kind() == ClusterKind.CHANGING);
        network.history().line(process.name(), "starts");
        process.run(() -> {
            if (scenario.kind().discovers()) {
                started.start(observe -> formats.use(
                        kind -> kind.ifPresent(served -> observe.accept(coordinatorClient(client, served))),
                        problem -> {}));
            } else {
                started.start(observe -> observe.accept(coordinatorClient(
                        client, ResourceType.candidates(scenario.kind().format()))));
            }
        });
        return started;
    }

    private CoordinatorClient coordinatorClient(ObjectClient client, ResourceType kind) {
        return new CoordinatorClient(client, kind, setup.namespaces(), "simulation");
    }

    /** Kills a coordinator's process. */
    public void kill(CoordinatorProcess coordinator) {
        crash(coordinator);
        coordinators.remove(coordinator);
    }
}

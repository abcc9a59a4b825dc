package io.cle.test.simulation;

import java.util.List;
import java.util.SplittableRandom;

import io.cle.lock.LockKind;
import org.jspecify.annotations.Nullable;

/**
 * One cluster, from its start through its troubles to when all is well again. The same scenario and seed do the same, always.
 *
 * <p>While things go wrong it's checked that nothing happens that must not. Then everything heals, and a leader must be there within
 * a bound and stay; under a coordinator, the right one.
 */
public final class Simulation {

    private static final long SECOND = 1_000_000_000L;
    private static final long LOOK_EVERY = SECOND / 4;

    /** The longest that may pass: a list may take 30 s to time out, and its back-off be as long, on the slowest clock. */
    private static final long HEALED_WITHIN = 120 * SECOND;

    /** The same where somebody coordinates: a watch of a coordinator's may be silent for 90 s of its clock until it is given up. */
    private static final long COORDINATED_WITHIN = 150 * SECOND;

    private final Scenario scenario;
    private final long seed;
    private final VirtualTime time = new VirtualTime();
    private final Transcript transcript;
    private final Checker checker;
    private final Network network;
    private final Cluster cluster;
    private final Chaos chaos;
    private final Expectation expectation;
    private final SplittableRandom random;
    private long rightSince = -1;
    private @Nullable Contender right;

    private Simulation(Scenario scenario, long seed, boolean withTranscript) {
        this.scenario = scenario;
        this.seed = seed;
        random = new SplittableRandom(seed * 31 + scenario.kind().name().hashCode());
        transcript = new Transcript(time, withTranscript);
        checker = new Checker(time, transcript, scenario.kind().resource(), busy(scenario));
        VirtualProcess kubeApiserver =
                new VirtualProcess("kube-apiserver", time, new DriftingClock(time, 1, 0, 0), checker);
        SimulatedServer server = new SimulatedServer(time, random.split(), scenario.kind(), checker, kubeApiserver);
        network = new Network(time, random.split(), server, checker, transcript);
        cluster = new Cluster(scenario, time, random.split(), network, checker);
        Administrator administrator = new Administrator(server, cluster, scenario.kind(), random.split(), transcript);
        chaos = new Chaos(scenario, time, random.split(), network, cluster, administrator, transcript);
        expectation = new Expectation(scenario, cluster, checker);
    }

    /**
     * More requests than that of one process in a second are a busy loop. A coordinator asks all candidates in parallel, and where
     * each request is refused, because the API server is away, its back-off has it ask five times within the first second.
     */
    private static int busy(Scenario scenario) {
        return 40 + 5 * scenario.candidates();
    }

    /** Runs a seed. */
    public static SimulationResult run(Scenario scenario, long seed) {
        return new Simulation(scenario, seed, false).run();
    }

    /** Runs a seed and takes down what happens. */
    public static SimulationResult runWithTranscript(Scenario scenario, long seed) {
        return new Simulation(scenario, seed, true).run();
    }

    private SimulationResult run() {
        if (transcript.on()) {
            transcript.line("scenario", scenario.toString());
        }
        start();
        bookmarks();
        chaos.begin();
        long faultsEnd = scenario.faultsLast().toNanos();
        runUntil(faultsEnd);
        chaos.end();
        long patience = faultsEnd + (scenario.comesToALeader() ? healedWithin() : HEALED_WITHIN / 4);
        while (checker.violation() == null && !stays() && time.now() < patience) {
            runUntil(time.now() + LOOK_EVERY);
            look();
        }
        if (checker.violation() == null && !stays() && scenario.comesToALeader()) {
            checker.violated("no leader to stay " + healedWithin() / SECOND + " s after all was well again; "
                    + expectation.describe());
        }
        if (checker.violation() == null && stays()) {
            checker.settled();
        }
        return new SimulationResult(
                scenario,
                seed,
                checker.violation(),
                time.now() / (double) SECOND,
                checker.excused(),
                checker.terms(),
                checker.requests(),
                (rightSince - faultsEnd) / (double) SECOND,
                transcript.digest(),
                transcript.lines());
    }

    private void start() {
        for (int i = 0; i < scenario.coordinators(); i++) {
            String name = "coordinator" + i;
            time.after(random.nextLong(SECOND), () -> cluster.startCoordinator(name));
        }
        for (int i = 0; i < scenario.candidates(); i++) {
            String name = i < 26 ? String.valueOf((char) ('a' + i)) : "c" + i;
            boolean plain = scenario.kind() == ClusterKind.MIGRATION && random.nextInt(3) == 0;
            LockKind kind = cluster.someKind();
            time.after(random.nextLong(random.nextBoolean() ? SECOND : 10 * SECOND), () -> {
                if (plain) {
                    cluster.startPlain(name);
                } else {
                    cluster.start(name, kind);
                }
            });
        }
        if (scenario.candidates() == 0) {
            throw new IllegalArgumentException("a cluster without candidates can have no leader");
        }
    }

    private void bookmarks() {
        time.after(50 * SECOND + random.nextLong(10 * SECOND), () -> {
            List.copyOf(network.connections()).forEach(WatchConnection::bookmark);
            bookmarks();
        });
    }

    private void runUntil(long instant) {
        boolean more = true;
        while (more && checker.violation() == null) {
            more = time.advance(instant);
        }
    }

    private void look() {
        Contender leader = expectation.rightLeader();
        if (leader == null || leader != right) {
            right = leader;
            rightSince = leader == null ? -1 : time.now();
        }
    }

    private long healedWithin() {
        return scenario.coordinators() > 0 ? COORDINATED_WITHIN : HEALED_WITHIN;
    }

    /** Whether the right one has led for long enough that nothing is left that could end its term. */
    private boolean stays() {
        return rightSince >= 0
                && time.now() - rightSince
                        >= 2 * scenario.timings().leaseDuration().toNanos();
    }
}

package io.cle.test.simulation;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

import io.cle.model.ObjectKey;
import io.cle.test.simulation.internal.checker.Checker;
import io.cle.test.simulation.internal.checker.Expectation;
import io.cle.test.simulation.internal.cluster.Contender;
import io.cle.test.simulation.internal.cluster.SimulatedCluster;
import io.cle.test.simulation.internal.nemesis.Administrator;
import io.cle.test.simulation.internal.nemesis.AdmissionWebhook;
import io.cle.test.simulation.internal.nemesis.LastingFaults;
import io.cle.test.simulation.internal.nemesis.Nemesis;
import io.cle.test.simulation.internal.nemesis.Stranger;
import io.cle.test.simulation.internal.process.DriftingClock;
import io.cle.test.simulation.internal.process.History;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.internal.process.VirtualTime;
import io.cle.test.simulation.internal.server.Network;
import io.cle.test.simulation.internal.server.SimulatedServer;
import io.cle.test.simulation.internal.server.SimulatedWatch;
import io.cle.test.simulation.scenario.ClusterKind;
import io.cle.test.simulation.scenario.LastingFault;
import io.cle.test.simulation.scenario.Scenario;
import org.jspecify.annotations.Nullable;

/**
 * Runs one simulated cluster: with faults for a while, then without. The same scenario and seed always give the same history.
 *
 * <p>Safety is checked after every task. Once all faults have ended, there must be a stable leader within a bound;
 * with a coordinator, the best candidate.
 */
public final class Simulation {

    private static final long SECOND = 1_000_000_000L;
    private static final long LOOK_EVERY = SECOND / 4;

    /** The bound for a leader: a list may take 30 s to time out, and its back-off as long, on the slowest clock. */
    private static final long HEALED_WITHIN = 120 * SECOND;

    /**
     * The bound with a coordinator: its watch may be silent for 90 s before it is replaced, and it may hold a candidate off
     * for two minutes, both by a slow clock.
     */
    private static final long COORDINATED_WITHIN = 240 * SECOND;

    /**
     * The bound where a watch may miss a deletion, because it moved to another API server or resumed from a version unknown to the restored one.
     * A deleted candidate then finds out at its next renewal, within five minutes of its clock.
     */
    private static final long DELETED_UNSEEN_WITHIN = 600 * SECOND;

    /** How many more requests per second a process may send if its lease has up to eight shards. */
    private static final int SHARDS_A_SECOND = 100;

    /** The bound while a fault lasts: a lease expires, a coordinator waits for an acknowledgement, or candidates fall back. */
    private static final long LASTING_WITHIN = 150 * SECOND;

    private final Scenario scenario;
    private final long seed;
    private final VirtualTime time = new VirtualTime();
    private final History history;
    private final Checker checker;
    private final Network network;
    private final SimulatedCluster cluster;
    private final Nemesis nemesis;
    private final Administrator administrator;
    private final @Nullable Stranger stranger;
    private final @Nullable AdmissionWebhook webhook;
    private final Expectation expectation;
    private final SplittableRandom random;
    private long rightSince = -1;
    private List<Contender> right = List.of();

    private Simulation(Scenario scenario, long seed, boolean withTranscript) {
        this.scenario = scenario;
        this.seed = seed;
        random = new SplittableRandom(seed * 31 + scenario.kind().name().hashCode());
        history = new History(time, withTranscript);
        checker = new Checker(
                time,
                history,
                scenario.kind().resource(),
                busy(scenario),
                scenario.timings().leaseDuration().toNanos());
        VirtualProcess kubeApiserver =
                new VirtualProcess("kube-apiserver", time, new DriftingClock(time, 1, 0, 0), checker);
        SimulatedServer server = new SimulatedServer(time, random.split(), scenario.kind(), checker, kubeApiserver);
        network = new Network(time, random.split(), server, checker, history);
        cluster = new SimulatedCluster(scenario, time, random.split(), network, checker);
        // One seed in three has an administrator that edits any field, and whole objects. Those edits have a random
        // source of their own, so that the other seeds, such as those noted with mutations, keep their histories.
        SplittableRandom edits = seed % 3 == 1 ? new SplittableRandom(~seed) : null;
        administrator = new Administrator(server, cluster, scenario.kind(), random.split(), edits, history);
        // One seed in four of clusters with pods has a stranger, whose random source is its own for the same reason.
        stranger = scenario.kind() == ClusterKind.CONFIGURED && seed % 4 == 2
                ? new Stranger(server, cluster, time, new SplittableRandom(seed * 17), history)
                : null;
        // One seed in fourteen has an admission webhook, likewise.
        webhook = seed % 14 == 12
                ? new AdmissionWebhook(
                        scenario, time, new SplittableRandom(seed * 19), network, checker::violated, history)
                : null;
        nemesis = new Nemesis(scenario, time, random.split(), network, cluster, administrator, history);
        expectation = new Expectation(scenario, cluster, checker);
    }

    /**
     * The maximum requests per second of a process; more are a busy loop. A coordinator pings all candidates in parallel, and if the API server
     * is down, its back-off allows five attempts for each within the first second.
     */
    private static int busy(Scenario scenario) {
        int ofShards = scenario.kind() == ClusterKind.SHARDED ? SHARDS_A_SECOND : 0;
        return 40 + 5 * scenario.candidates() + ofShards;
    }

    /** Runs a seed. */
    public static SimulationResult run(Scenario scenario, long seed) {
        return new Simulation(scenario, seed, false).run();
    }

    /** Runs a seed and keeps its history. */
    public static SimulationResult runWithHistory(Scenario scenario, long seed) {
        return new Simulation(scenario, seed, true).run();
    }

    /**
     * Runs a seed. When all its faults have ended and there is a leader, begins a fault that doesn't end: the processes that it spares must have
     * a stable leader within a bound. {@link SimulationResult#healedIn()} is how long that took.
     */
    public static SimulationResult runWithLastingFault(Scenario scenario, long seed, LastingFault fault) {
        return new Simulation(scenario, seed, false).run(fault);
    }

    /**
     * Runs a seed. When all its faults have ended and there is a leader, takes the API server down for a while.
     * {@link SimulationResult#healedIn()} is how long it took from its return until a process led.
     *
     * @param halfOpen whether connections stay open and are silent, rather than being reset
     */
    public static SimulationResult runWithOutage(Scenario scenario, long seed, Duration duration, boolean halfOpen) {
        return new Simulation(scenario, seed, false).outage(duration, halfOpen);
    }

    private SimulationResult outage(Duration duration, boolean halfOpen) {
        SimulationResult healed = run();
        if (!healed.ok() || !stays()) {
            return healed;
        }
        history.line("API server", "goes away for " + duration);
        network.server().up(false);
        List.copyOf(network.connections()).forEach(halfOpen ? SimulatedWatch::silence : SimulatedWatch::reset);
        runUntil(time.now() + duration.toNanos());
        history.line("API server", "is back");
        network.server().up(true);
        long back = time.now();
        rightSince = -1;
        while (checker.violation() == null && rightSince < 0 && time.now() < back + HEALED_WITHIN) {
            runUntil(time.now() + LOOK_EVERY);
            rightSince = cluster.members().stream().anyMatch(SimulatedCluster.Member::leads) ? time.now() : -1;
        }
        if (checker.violation() == null && rightSince < 0) {
            checker.violated("no leader " + HEALED_WITHIN / SECOND + " s after the API server's return");
        }
        return result(back);
    }

    /**
     * Runs a seed until all of its faults have ended and the leaders are stable, then for some more time in which no term
     * may begin or end, and no shard may move.
     */
    public static SimulationResult runWithRest(Scenario scenario, long seed, Duration rest) {
        return new Simulation(scenario, seed, false).rest(rest);
    }

    private SimulationResult rest(Duration duration) {
        SimulationResult healed = run();
        if (!healed.ok() || !stays()) {
            return healed;
        }
        List<Contender> leaders = right;
        int terms = checker.terms();
        for (long end = time.now() + duration.toNanos(); checker.violation() == null && time.now() < end; ) {
            runUntil(time.now() + LOOK_EVERY);
            if (checker.terms() != terms || !expectation.rightLeaders().equals(leaders)) {
                checker.violated("a term has begun or ended at rest; " + expectation.describe());
            }
        }
        return result(scenario.faultsLast().toNanos());
    }

    private SimulationResult run(LastingFault fault) {
        SimulationResult healed = run();
        Contender leader = right.isEmpty() ? null : right.get(0);
        LastingFaults lasting = new LastingFaults(cluster, network);
        if (!healed.ok() || !stays() || leader == null || !fault.possible(scenario) || !lasting.begin(fault, leader)) {
            return healed;
        }
        long begun = time.now();
        right = List.of();
        rightSince = -1;
        while (checker.violation() == null && !stays() && time.now() < begun + LASTING_WITHIN) {
            runUntil(time.now() + LOOK_EVERY);
            led(expectation.leadersAmong(process -> fault.affectedMayLead() || lasting.spares(process)));
        }
        if (checker.violation() == null && !stays()) {
            checker.violated("no stable leader " + LASTING_WITHIN / SECOND + " s after the beginning of " + fault);
        }
        return result(begun);
    }

    private SimulationResult run() {
        if (history.on()) {
            history.line("scenario", scenario.toString());
        }
        start();
        bookmarks();
        nemesis.begin();
        if (stranger != null) {
            stranger.begin();
        }
        if (webhook != null) {
            webhook.begin();
        }
        long faultsEnd = scenario.faultsLast().toNanos();
        runUntil(faultsEnd);
        nemesis.end();
        if (stranger != null) {
            stranger.end();
        }
        if (webhook != null) {
            webhook.end();
        }
        long bound = scenario.comesToALeader() ? healedWithin() : HEALED_WITHIN / 4;
        long patience = faultsEnd + bound;
        long nextLine = faultsEnd + bound / 2;
        while (checker.violation() == null && !stays() && time.now() < patience) {
            runUntil(time.now() + LOOK_EVERY);
            look();
            List<ObjectKey> claimed = time.now() < nextLine
                    ? List.of()
                    : cluster.leases().stream().filter(checker::longClaimRuns).toList();
            if (!claimed.isEmpty()) {
                claimed.forEach(administrator::endClaims);
                nextLine = time.now() + bound / 2;
                patience = time.now() + bound;
            }
        }
        boolean uneven = !stays() && expectation.describe().startsWith(Expectation.UNEVEN);
        while (uneven && checker.violation() == null && !stays() && time.now() < faultsEnd + COORDINATED_WITHIN) {
            runUntil(time.now() + LOOK_EVERY);
            look();
        }
        expectation.notDemanded().forEach(checker::notDemanded);
        if (checker.violation() == null && !stays() && scenario.comesToALeader()) {
            checker.violated("no stable leader " + healedWithin() / SECOND + " s after the end of all faults; "
                    + expectation.describe());
        }
        if (checker.violation() == null && stays()) {
            checker.settled();
        }
        return result(faultsEnd);
    }

    private SimulationResult result(long faultsEnd) {
        return new SimulationResult(
                scenario,
                seed,
                checker.violation(),
                time.now() / (double) SECOND,
                checker.anomalies(),
                checker.excuses(),
                checker.terms(),
                checker.requests(),
                (rightSince - faultsEnd) / (double) SECOND,
                history.digest(),
                history.lines());
    }

    private void start() {
        for (int i = 0; i < scenario.coordinators(); i++) {
            String name = "coordinator" + i;
            time.after(random.nextLong(SECOND), () -> cluster.startCoordinator(name));
        }
        for (int i = 0; i < scenario.candidates(); i++) {
            String name = i < 26 ? String.valueOf((char) ('a' + i)) : "c" + i;
            boolean plain = scenario.kind() == ClusterKind.MIGRATION && random.nextInt(3) == 0;
            boolean coordinated = cluster.someCoordinated();
            time.after(random.nextLong(random.nextBoolean() ? SECOND : 10 * SECOND), () -> {
                if (plain) {
                    cluster.startPlain(name);
                } else {
                    cluster.start(name, coordinated);
                }
            });
        }
        if (scenario.candidates() == 0) {
            throw new IllegalArgumentException("a cluster without candidates can have no leader");
        }
    }

    private void bookmarks() {
        time.after(50 * SECOND + random.nextLong(10 * SECOND), () -> {
            List.copyOf(network.connections()).forEach(SimulatedWatch::bookmark);
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
        led(expectation.rightLeaders());
    }

    /** Records the present leaders if they are the right ones, otherwise none. */
    private void led(List<Contender> leaders) {
        if (leaders.isEmpty() || !leaders.equals(right)) {
            right = leaders;
            rightSince = leaders.isEmpty() ? -1 : time.now();
        }
    }

    private long healedWithin() {
        if (scenario.kind() == ClusterKind.RESTORED || scenario.kind() == ClusterKind.TWO_API_SERVERS) {
            return DELETED_UNSEEN_WITHIN;
        }
        return scenario.coordinators() > 0 ? COORDINATED_WITHIN : HEALED_WITHIN;
    }

    /** Whether the right leader has led for so long that nothing pending can end its term. */
    private boolean stays() {
        return rightSince >= 0
                && time.now() - rightSince
                        >= 2 * scenario.timings().leaseDuration().toNanos();
    }
}

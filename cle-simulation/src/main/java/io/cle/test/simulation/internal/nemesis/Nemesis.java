package io.cle.test.simulation.internal.nemesis;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;

import io.cle.lock.internal.LeaseLock;
import io.cle.model.LeaseGroup;
import io.cle.test.simulation.internal.cluster.CandidateProcess;
import io.cle.test.simulation.internal.cluster.CoordinatorProcess;
import io.cle.test.simulation.internal.cluster.SimulatedCluster;
import io.cle.test.simulation.internal.cluster.SimulatedCluster.Member;
import io.cle.test.simulation.internal.cluster.SimulatedCluster.Running;
import io.cle.test.simulation.internal.process.History;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.internal.process.VirtualTime;
import io.cle.test.simulation.internal.server.Network;
import io.cle.test.simulation.internal.server.SimulatedServer;
import io.cle.test.simulation.internal.server.SimulatedWatch;
import io.cle.test.simulation.internal.server.WatchCaches;
import io.cle.test.simulation.scenario.ClusterKind;
import io.cle.test.simulation.scenario.NetworkFaults;
import io.cle.test.simulation.scenario.Scenario;
import org.jspecify.annotations.Nullable;

/** The nemesis: injects faults into processes, watches, clocks and the API server, and ends all of them in the end. */
public final class Nemesis {

    private static final long SECOND = 1_000_000_000L;

    /** Longer than lease duration minus renew deadline of any timings that are mixed. */
    private static final long LONGEST_MARGIN = 6 * SECOND;

    private final VirtualTime time;
    private final SplittableRandom random;
    private final Network network;
    private final SimulatedCluster cluster;
    private final Administrator administrator;
    private final History history;
    private final Scenario scenario;
    private final List<Member> stopped = new ArrayList<>();
    private final Set<VirtualProcess> suspended = new HashSet<>();
    private final List<Runnable> toRestart = new ArrayList<>();
    private @Nullable VirtualProcess newest;
    private boolean over;

    /** A nemesis that injects nothing yet. */
    public Nemesis(
            Scenario scenario,
            VirtualTime time,
            SplittableRandom random,
            Network network,
            SimulatedCluster cluster,
            Administrator administrator,
            History history) {
        this.scenario = scenario;
        this.time = time;
        this.random = random;
        this.network = network;
        this.cluster = cluster;
        this.administrator = administrator;
        this.history = history;
    }

    // ---- the beginning -------------------------------------------------------------------------------------------

    /** Begins to inject the faults of the scenario. */
    public void begin() {
        network.faults(scenario.faults());
        Scenario.ProcessFaults processFaults = scenario.processFaults();
        every(processFaults.pauses(), this::pauseProcess);
        every(processFaults.crashes(), this::crashProcess);
        every(processFaults.twins(), this::startTwin);
        every(processFaults.cuts(), this::partitionProcess);
        every(processFaults.stops(), this::stopCandidate);
        every(processFaults.outages(), this::stopServer);
        every(processFaults.watches(), this::breakWatch);
        every(processFaults.clocks(), this::changeClock);
        every(scenario.kind() == ClusterKind.RESTORED ? 0 : processFaults.administrators(), administrator::act);
        every(
                administrator.editsObjects() && scenario.kind() != ClusterKind.RESTORED ? 12 : 0,
                this::editWhileTheLeaderIsAway);
        every(processFaults.usurpers(), this::usurp);
        every(processFaults.arrivals(), this::arrive);
        every(processFaults.suspends(), this::suspendMachine);
        if (scenario.kind() == ClusterKind.CONFIGURED) {
            every(8, administrator::configure);
            every(15, this::replaceByForce);
            every(1, this::partitionNewLeader);
        }
        if (scenario.kind() == ClusterKind.CHANGING) {
            every(20, this::changeApi);
        }
        if (scenario.kind() == ClusterKind.BARE) {
            every(20, this::changeDefinition);
        }
        if (scenario.kind() == ClusterKind.SHARDED) {
            every(20, this::changeNumber);
        }
        if (scenario.kind() == ClusterKind.RESTORED) {
            every(20, this::restoreBackup);
        }
        WatchCaches caches = network.server().caches();
        if (caches != null) {
            every(5, () -> changeLag(caches));
            every(10, this::moveWatches);
        }
    }

    private void every(int seconds, Runnable fault) {
        if (seconds > 0) {
            long pause = (long) (-Math.log(1 - random.nextDouble()) * seconds * SECOND);
            time.after(pause, () -> {
                if (!over) {
                    fault.run();
                    every(seconds, fault);
                }
            });
        }
    }

    private void later(long nanos, Runnable task) {
        time.after(nanos, () -> {
            if (!over) {
                task.run();
            }
        });
    }

    private long upTo(double leaseDurations) {
        return random.nextLong(
                (long) (leaseDurations * scenario.timings().leaseDuration().toNanos()));
    }

    // ---- processes -----------------------------------------------------------------------------------------------

    /** Some process; the leader more often than the others. */
    private @Nullable Running some() {
        List<Running> running = new ArrayList<>();
        for (Member member : cluster.members()) {
            running.add(member);
            if (member.leads()) {
                running.add(member);
                running.add(member);
            }
        }
        running.addAll(cluster.coordinators());
        return running.isEmpty() ? null : running.get(random.nextInt(running.size()));
    }

    /** Some process; none if it is client-go's elector, which doesn't notice that it has paused (docs/evidence.md). */
    private @Nullable Running someOfOurs() {
        Running running = some();
        return running instanceof Member member && !member.contender().ours() ? null : running;
    }

    private void pauseProcess() {
        Running running = someOfOurs();
        if (running == null || running.process().paused()) {
            return;
        }
        VirtualProcess process = running.process();
        long pause = random.nextInt(4) == 0 ? random.nextLong(SECOND) : upTo(2.5);
        Runnable stand = () -> {
            history.line(process.name(), "pauses");
            process.pause();
            later(pause, () -> goOn(process));
        };
        inTheMiddle(process, stand);
    }

    /** A virtual machine is suspended, or a laptop is closed, for longer than any margin between lease duration and renew deadline. */
    private void suspendMachine() {
        Running running = someOfOurs();
        if (running == null || running.process().paused()) {
            return;
        }
        VirtualProcess process = running.process();
        long longest = Math.max(scenario.timings().leaseDuration().toNanos(), LONGEST_MARGIN);
        inTheMiddle(process, () -> {
            long duration = longest + upTo(2);
            // A suspension that the end of all faults cuts short may be too short for the lock to notice. It then
            // adds to the clock's drift, of which there may be as much as is tolerated already.
            boolean endsInTime = time.now() + duration < scenario.faultsLast().toNanos();
            if (!process.paused() && endsInTime) {
                history.line(process.name(), "is suspended with its machine");
                process.suspend();
                suspended.add(process);
                later(duration, () -> {
                    suspended.remove(process);
                    goOn(process);
                });
            }
        });
    }

    private void goOn(VirtualProcess process) {
        if (process.paused() && !suspended.contains(process)) {
            history.line(process.name(), "resumes");
            process.resume();
        }
    }

    private void inTheMiddle(VirtualProcess process, Runnable fault) {
        if (random.nextBoolean()) {
            fault.run();
        } else {
            process.trap(1 + random.nextInt(20), fault);
        }
    }

    private void crashProcess() {
        Running running = some();
        if (running == null) {
            return;
        }
        inTheMiddle(running.process(), () -> {
            if (running instanceof Member member && cluster.members().contains(member)) {
                cluster.kill(member);
                restart(() -> {
                    if (random.nextInt(3) == 0 && member.contender().ours()) {
                        cluster.start(newName(), member.coordinated());
                    } else {
                        cluster.startAgain(member);
                    }
                });
            } else if (running instanceof CoordinatorProcess coordinator
                    && cluster.coordinators().contains(coordinator)) {
                cluster.kill(coordinator);
                restart(() -> cluster.startCoordinator(coordinator.name()));
            }
        });
    }

    private void restart(Runnable start) {
        toRestart.add(start);
        later(random.nextInt(3) == 0 ? random.nextLong(SECOND) : upTo(2), () -> {
            if (toRestart.remove(start)) {
                start.run();
            }
        });
    }

    private int names;

    private String newName() {
        return "new" + names++;
    }

    private void startTwin() {
        if (cluster.members().isEmpty()) {
            return;
        }
        Member member = cluster.members().get(random.nextInt(cluster.members().size()));
        if (!member.contender().ours()) {
            return;
        }
        history.line(member.process().name(), "gets a twin");
        if (random.nextBoolean()) {
            member.transport().cutOff(true);
        } else {
            member.process().pause();
        }
        cluster.startAgain(member);
        later(upTo(2), () -> {
            member.transport().cutOff(false);
            goOn(member.process());
        });
    }

    /**
     * The node of a StatefulSet's pod is unreachable, and the pod is deleted by force: its process leads on as long as it may, while its
     * successor of the same name starts and soon crashes. The end of the successor is not that of the leader (safety.md#terminated-holder).
     */
    private void replaceByForce() {
        for (Member leader : leaders()) {
            if (leader.contender().ours()) {
                cutOff(leader);
                cluster.deletePod(leader);
                Member successor = cluster.startAgain(leader);
                later(upTo(0.5), () -> {
                    if (cluster.members().contains(successor)) {
                        cluster.kill(successor);
                    }
                });
            }
        }
    }

    /** A leader is partitioned before any coordinator has checked its pod, which may have been restarted before the term. */
    private void partitionNewLeader() {
        for (Member leader : leaders()) {
            if (!leader.process().equals(newest)) {
                newest = leader.process();
                if (leader.contender().ours() && random.nextInt(3) == 0) {
                    later(random.nextLong(3 * SECOND), () -> cutOff(leader));
                }
            }
        }
    }

    private void partitionProcess() {
        Running running = someOfOurs();
        if (running != null) {
            cutOff(running);
        }
    }

    private void cutOff(Running running) {
        history.line(running.process().name(), "is partitioned from the API server");
        running.transport().cutOff(true);
        later(upTo(2), () -> {
            history.line(running.process().name(), "is connected again");
            running.transport().cutOff(false);
        });
    }

    /** Edits the lease while its leader is partitioned or paused and can't observe it. */
    private void editWhileTheLeaderIsAway() {
        for (Member leader : leaders()) {
            if (leader.contender().ours()) {
                if (random.nextBoolean()) {
                    cutOff(leader);
                } else if (!leader.process().paused()) {
                    history.line(leader.process().name(), "pauses");
                    leader.process().pause();
                    later(upTo(1), () -> goOn(leader.process()));
                }
            }
        }
        if (random.nextInt(4) == 0) {
            // Deletions and restores that only lists show.
            later(upTo(0.5), administrator::deleteAndRestore);
            later(upTo(0.5), () -> List.copyOf(network.connections()).forEach(SimulatedWatch::fail));
        } else {
            later(upTo(0.5), administrator::editOften);
        }
    }

    private void stopCandidate() {
        if (cluster.members().isEmpty()) {
            return;
        }
        Member member = cluster.members().get(random.nextInt(cluster.members().size()));
        if (member.contender() instanceof CandidateProcess && random.nextBoolean()) {
            stop(member);
            later(upTo(1), () -> startStopped(member));
        } else {
            resign(member);
        }
    }

    private void stop(Member member) {
        history.line(member.process().name(), "is stopped");
        stopped.add(member);
        member.process().run(() -> member.locks().forEach(LeaseLock::stop));
    }

    /** Ends all replicas that ask for one number of shards, or for none, so that other leases own the key; then starts them again. */
    private void changeNumber() {
        int chosen = random.nextInt(cluster.groups().size() + 1);
        LeaseGroup number =
                chosen == cluster.groups().size() ? null : cluster.groups().get(chosen);
        history.line("nemesis", "ends all replicas that ask for " + (number == null ? "no shards" : number));
        for (Member member : List.copyOf(cluster.members())) {
            if (Objects.equals(number, member.contender().group()) && !stopped.contains(member)) {
                if (random.nextInt(4) > 0) {
                    stop(member);
                    later(upTo(3), () -> startStopped(member));
                } else {
                    cluster.kill(member);
                    restart(() -> cluster.startAgain(member));
                }
            }
        }
    }

    private void startStopped(Member member) {
        if (stopped.remove(member)) {
            history.line(member.process().name(), "joins again");
            member.process().run(() -> member.locks().forEach(LeaseLock::start));
        }
    }

    private void arrive() {
        if (random.nextBoolean() && cluster.members().size() < 60) {
            cluster.start(newName(), cluster.someCoordinated());
        } else if (!cluster.members().isEmpty()) {
            Member member =
                    cluster.members().get(random.nextInt(cluster.members().size()));
            if (member.contender() instanceof CandidateProcess) {
                int next = random.nextInt(5);
                history.line(member.process().name(), "announces priority " + next);
                member.process().run(() -> member.announce(next));
            }
        }
    }

    private void usurp() {
        if (!cluster.coordinators().isEmpty()) {
            CoordinatorProcess coordinator = cluster.coordinators()
                    .get(random.nextInt(cluster.coordinators().size()));
            history.line(coordinator.process().name(), "coordinates without being elected to");
            coordinator.usurp();
            later(upTo(2), coordinator::obey);
        }
    }

    // ---- the API server and clocks -------------------------------------------------------------------------------

    private void stopServer() {
        SimulatedServer server = network.server();
        boolean forgets = random.nextBoolean();
        history.line("API server", "goes away" + (forgets ? ", and will have forgotten its history" : ""));
        server.up(false);
        List.copyOf(network.connections()).forEach(SimulatedWatch::reset);
        later(random.nextInt(3) == 0 ? upTo(2) : random.nextLong(3 * SECOND), () -> {
            history.line("API server", "is back");
            if (forgets) {
                server.compact();
            }
            server.up(true);
        });
    }

    /** Replaces the API server by one that serves the native API, or no longer does. */
    private void changeApi() {
        SimulatedServer server = network.server();
        boolean serves = !server.servesNative();
        history.line("API server", serves ? "serves the native API from now on" : "no longer serves the native API");
        server.serveNative(serves);
        List.copyOf(network.connections()).forEach(SimulatedWatch::reset);
    }

    /** An administrator applies the CRD of candidates, or deletes it. */
    private void changeDefinition() {
        SimulatedServer server = network.server();
        boolean serves = !server.servesCandidates();
        history.line("API server", serves ? "serves candidates from now on" : "no longer serves candidates");
        server.serveCandidates(serves);
    }

    private List<Member> leaders() {
        return cluster.members().stream().filter(Member::leads).toList();
    }

    private void resign(Member member) {
        history.line(member.process().name(), "resigns");
        member.resign();
    }

    private void changeLag(WatchCaches caches) {
        int server = caches.changeLag();
        history.line("API server " + server, "has a cache that lags by " + caches.lag(server) / 1_000_000 + " ms");
    }

    /** A load balancer ends connections; each is opened again to some server. */
    private void moveWatches() {
        history.line("load balancer", "ends connections");
        for (SimulatedWatch connection : List.copyOf(network.connections())) {
            if (random.nextBoolean()) {
                connection.fail();
            }
        }
    }

    /**
     * Makes a backup and restores it a while later, while the API server is down; in one of three cases after all terms have ended. Often the
     * lease changes hands in between, and often the leader doesn't notice the restore.
     */
    private void restoreBackup() {
        SimulatedServer server = network.server();
        history.line("etcd", "is backed up");
        server.backUp();
        if (random.nextBoolean()) {
            leaders().forEach(this::resign);
        }
        later(random.nextBoolean() ? upTo(3) : upTo(0.5), () -> {
            history.line("API server", "goes away, and etcd will be restored from the backup");
            server.up(false);
            List.copyOf(network.connections()).forEach(SimulatedWatch::reset);
            if (random.nextBoolean()) {
                leaders().forEach(this::cutOff);
            }
            long duration = scenario.timings().leaseDuration().toNanos();
            later(random.nextInt(3) == 0 ? duration + upTo(0.5) : upTo(0.3), () -> {
                history.line("API server", "is back, with the state of the backup");
                server.restore();
                List.copyOf(network.connections()).forEach(SimulatedWatch::reset);
                server.up(true);
            });
        });
    }

    private void breakWatch() {
        List<SimulatedWatch> open = network.connections();
        if (open.isEmpty()) {
            return;
        }
        switch (random.nextInt(4)) {
            case 0 -> open.get(random.nextInt(open.size())).silence();
            case 1 -> {
                history.line("API server", "forgets its history");
                network.server().compact();
                List.copyOf(open).forEach(SimulatedWatch::fail);
            }
            default -> open.get(random.nextInt(open.size())).fail();
        }
    }

    private void changeClock() {
        Running running = some();
        if (running == null) {
            return;
        }
        VirtualProcess process = running.process();
        if (scenario.clockSkew() && random.nextBoolean()) {
            long step = random.nextLong(-7200, 7200) * SECOND;
            long jump = scenario.processFaults().suspends() > 0 ? Math.abs(step) : step;
            history.line(process.name(), "has its clock set by " + jump / SECOND + " s");
            process.clock().jump(jump);
        } else {
            double rate = cluster.rate();
            history.line(process.name(), "has its clock run at " + rate);
            process.clock().drift(rate);
        }
    }

    // ---- the end -------------------------------------------------------------------------------------------------

    /** Ends all faults: processes run, once each, connected, with live watches. */
    public void end() {
        history.line("nemesis", "ends all faults");
        over = true;
        network.faults(NetworkFaults.NONE);
        network.server().up(true);
        WatchCaches caches = network.server().caches();
        if (caches != null) {
            caches.catchUp();
        }
        toRestart.forEach(Runnable::run);
        toRestart.clear();
        List<String> names = new ArrayList<>();
        for (int i = cluster.members().size() - 1; i >= 0; i--) {
            Member member = cluster.members().get(i);
            member.transport().cutOff(false);
            member.process().trap(0, () -> {});
            if (names.contains(member.name())) {
                cluster.kill(member);
            } else {
                names.add(member.name());
                goOn(member.process());
            }
        }
        for (CoordinatorProcess coordinator : List.copyOf(cluster.coordinators())) {
            coordinator.transport().cutOff(false);
            coordinator.process().trap(0, () -> {});
            goOn(coordinator.process());
            coordinator.obey();
        }
        List.copyOf(network.connections()).stream()
                .filter(SimulatedWatch::silent)
                .forEach(SimulatedWatch::reset);
        List.copyOf(stopped).forEach(this::startStopped);
    }
}

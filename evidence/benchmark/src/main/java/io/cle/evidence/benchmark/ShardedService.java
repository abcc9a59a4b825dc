package io.cle.evidence.benchmark;

import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.cle.evidence.process.Contender;
import io.cle.evidence.process.Event;
import io.cle.evidence.process.Pause;
import io.cle.evidence.process.UnixTime;

/** The processes of one service, which share a lease with shards. */
final class ShardedService {

    static final int SHARDS = 64;
    static final int PROCESSES = 8;

    private static final Duration STEP = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** How long to wait for superfluous moves. */
    private static final Duration AFTERMATH = Duration.ofSeconds(3);

    private static final String CANDIDATES =
            "/apis/coordination.cle.io/v1alpha1/namespaces/" + Lab.NAMESPACE + "/leasecandidates/";

    private final Lab lab;
    private final String lease;
    private final List<String> more;
    private final Map<String, Contender> running = new LinkedHashMap<>();
    private final List<Contender> started = new ArrayList<>();
    private final Map<String, Long> killed = new HashMap<>();

    /**
     * Creates a service without processes.
     *
     * @param lease the name of the lease with shards
     * @param more arguments of each process
     */
    ShardedService(Lab lab, String lease, String... more) {
        this.lab = lab;
        this.lease = lease;
        this.more = new ArrayList<>(List.of(more));
        this.more.add("--cle.leases." + lease + ".shards=" + SHARDS);
    }

    /** Starts a process. */
    Contender start(String version) {
        String identity = "p" + started.size();
        Contender process = lab.ours("of-" + lease, identity, version, more.toArray(String[]::new));
        running.put(identity, process);
        started.add(process);
        return process;
    }

    /** Starts eight processes, and waits for their candidates; returns when the last one was announced. */
    long startAll(String version) throws InterruptedException {
        for (int i = 0; i < PROCESSES; i++) {
            start(version);
        }
        long last = 0;
        for (Contender process : running.values()) {
            last = Math.max(last, awaitCandidate(process));
        }
        return last;
    }

    /** Waits for a process's candidate; returns when it was announced. */
    long awaitCandidate(Contender process) throws InterruptedException {
        long announced = process.await("boot", PATIENCE).nanos();
        String candidate = lease + "-p" + started.indexOf(process);
        lab.await(
                "the candidate " + candidate,
                () -> lab.api().get(CANDIDATES + candidate).code() == HttpURLConnection.HTTP_OK);
        return announced;
    }

    /** Sends SIGTERM to the oldest process; returns when. */
    long stopOldest() {
        return removeOldest().terminate();
    }

    /** Kills the oldest process; returns when. */
    long killOldest() {
        String oldest = running.keySet().iterator().next();
        long when = removeOldest().kill();
        killed.put(oldest, when);
        return when;
    }

    private Contender removeOldest() {
        String oldest = running.keySet().iterator().next();
        Contender process = running.remove(oldest);
        if (process == null) {
            throw new IllegalStateException("no process of " + lease + " is left");
        }
        return process;
    }

    /**
     * Waits until the remaining processes are balanced and stay so, and returns the cost.
     *
     * @param since when the event's effects began
     * @param event the start of the time until balance
     * @throws IllegalStateException if there is no balance within five minutes, or it doesn't last
     */
    ShardTimeline.Cost awaitBalance(long since, long event) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!timeline().isBalanced(SHARDS, running.keySet())) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("the shards of " + lease + " aren't balanced after " + PATIENCE);
            }
            Pause.of(STEP);
        }
        Pause.of(AFTERMATH);
        ShardTimeline timeline = timeline();
        if (!timeline.isBalanced(SHARDS, running.keySet())) {
            throw new IllegalStateException("the balance of the shards of " + lease + " has not lasted");
        }
        return timeline.cost(since, event, SHARDS, running.keySet());
    }

    private ShardTimeline timeline() {
        Map<String, List<Event>> events = new HashMap<>();
        for (int i = 0; i < started.size(); i++) {
            events.put("p" + i, started.get(i).events());
        }
        return ShardTimeline.of(events, killed);
    }

    /**
     * Replaces all processes one by one with another version. As soon as a new process has announced its candidate, an
     * old one receives SIGTERM.
     */
    ShardTimeline.Cost upgrade(String version) throws InterruptedException {
        long since = UnixTime.now();
        long told = since;
        int old = running.size();
        for (int i = 0; i < old; i++) {
            awaitCandidate(start(version));
            told = stopOldest();
        }
        return awaitBalance(since, told);
    }

    /** Returns the remaining processes. */
    List<Contender> running() {
        return List.copyOf(running.values());
    }

    /** Kills all processes. */
    void end() {
        started.forEach(Contender::kill);
        lab.end(started.toArray(Contender[]::new));
    }
}

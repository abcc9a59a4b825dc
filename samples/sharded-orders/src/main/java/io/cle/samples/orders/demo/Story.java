package io.cle.samples.orders.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import io.cle.samples.narration.Narrator;
import io.cle.samples.narration.Stopwatch;
import io.cle.samples.narration.StoryFailedException;

/** The steps of the demo. */
final class Story implements AutoCloseable {

    /** The number of shards in the application's {@code application.yml}. */
    static final int SHARDS = 16;

    private static final String OLD = "1.0.0";
    private static final String NEW = "1.1.0";
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final int GROUP_OF_FOUR = 4;

    private final Settings settings;
    private final Stage stage;
    private final Narrator narrator;
    private final Map<String, ReplicaProcess> running = new LinkedHashMap<>();
    private final List<ReplicaProcess> launched = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private char nextIdentity = 'a';

    /**
     * The environment of the story.
     *
     * @param store the URL of the store of orders
     * @param logs the directory of the replicas' logs
     */
    record Stage(
            Cluster cluster,
            String store,
            Customers customers,
            OrderBook book,
            ShardTerms terms,
            Stopwatch stopwatch,
            Path logs) {}

    Story(Settings settings, Stage stage, Narrator narrator) {
        this.settings = settings;
        this.stage = stage;
        this.narrator = narrator;
    }

    /** Plays all steps. */
    void tell() throws InterruptedException {
        start();
        join();
        kill();
        upgrade();
        allDone();
    }

    /** Returns the costs of all steps. */
    List<Step> steps() {
        return List.copyOf(steps);
    }

    private void start() throws InterruptedException {
        narrator.act("1. " + settings.replicas() + " replicas of version " + OLD + " start");
        narrator.explain("The first one leads all shards, until the others have come.");
        Snapshot before = snapshot();
        List<ReplicaProcess> started = new ArrayList<>();
        for (int i = 0; i < settings.replicas(); i++) {
            started.add(launch(OLD));
        }
        for (ReplicaProcess replica : started) {
            awaitCandidate(replica);
        }
        long last = stage.stopwatch().now();
        awaitEven();
        finish(settings.replicas() + " start", before, last);
    }

    private void join() throws InterruptedException {
        narrator.act("2. Another one joins");
        narrator.explain(
                "It waits 2 s for others that may come, too; then only as many shards move to it as it must have.");
        Snapshot before = snapshot();
        awaitCandidate(launch(OLD));
        long joined = stage.stopwatch().now();
        awaitEven();
        finish("1 joins", before, joined);
    }

    private void kill() throws InterruptedException {
        narrator.act("3. One is killed without warning");
        narrator.explain("It releases nothing, so the Leases of its shards have to expire. They last "
                + settings.timings().leaseDuration().toMillis()
                + " ms here, so that\nthe demo is short; the default is "
                + "15 s. The other shards keep their leaders.");
        Snapshot before = snapshot();
        ReplicaProcess victim = running.values().iterator().next();
        running.remove(victim.name());
        long when = stage.stopwatch().now();
        victim.program().kill();
        stage.terms().killed(victim.name(), when);
        stage.book().killed(victim.name());
        narrator.bad(when, victim + " is killed (pid " + victim.program().pid() + ")");
        awaitEven();
        finish("1 is killed", before, when);
    }

    private void upgrade() throws InterruptedException {
        narrator.act("4. A rolling upgrade to version " + NEW);
        narrator.explain(
                "As a Deployment does it: a new replica starts; when it is a candidate, an old one is told to stop.\n"
                        + "That one ends its work, then releases its shards, most of them to the new one, which leads none yet.");
        for (ReplicaProcess old : List.copyOf(running.values())) {
            Snapshot before = snapshot();
            ReplicaProcess successor = launch(NEW);
            awaitCandidate(successor);
            running.remove(old.name());
            long told = stage.stopwatch().now();
            narrator.bad(told, old + " is told to stop (pid " + old.program().pid() + ")");
            old.program().terminate();
            awaitEven();
            if (!old.program().awaitEnd()) {
                throw new StoryFailedException(old + " has not ended");
            }
            finish(old.name() + " → " + successor.name(), before, told);
        }
    }

    private void allDone() {
        stage.customers().close();
        await(
                "all orders are done",
                PATIENCE,
                () -> stage.book().done() == stage.book().placed());
    }

    // ---- what replicas do ----------------------------------------------------------------------------------------

    private ReplicaProcess launch(String version) {
        ReplicaProcess replica = ReplicaProcess.start(
                String.valueOf(nextIdentity),
                version,
                stage.cluster().kubeconfig(),
                stage.store(),
                settings.timings(),
                stage.logs());
        nextIdentity++;
        running.put(replica.name(), replica);
        launched.add(replica);
        return replica;
    }

    private void awaitCandidate(ReplicaProcess replica) {
        await(replica + " is a candidate", START, () -> {
            if (!replica.program().running()) {
                throw new StoryFailedException(replica + " has ended; see its log");
            }
            return stage.cluster().hasCandidate(replica.name());
        });
        narrator.tell(
                stage.stopwatch().now(),
                replica + " is a candidate (pid " + replica.program().pid() + ")");
    }

    private static void await(String what, Duration patience, BooleanSupplier condition) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new StoryFailedException("not within " + patience.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    // ---- results -------------------------------------------------------------------------------------------------

    /** The leaders before a step, and how many terms there had been. */
    private record Snapshot(Map<Integer, String> leaders, int terms) {}

    private Snapshot snapshot() {
        return new Snapshot(stage.terms().leaders(), stage.terms().count());
    }

    private void awaitEven() throws InterruptedException {
        Duration patience = PATIENCE.plus(settings.timings().leaseDuration());
        if (!stage.terms().await(leaders -> Balance.even(leaders, SHARDS, running.keySet()), patience)) {
            throw new StoryFailedException("the shards are not spread evenly after " + patience.toSeconds() + " s: "
                    + show(stage.terms().leaders()));
        }
    }

    /** Waits for superfluous moves, and summarizes the step. */
    private void finish(String title, Snapshot before, long lastEvent) throws InterruptedException {
        Thread.sleep(settings.pause().toMillis());
        Map<Integer, String> leaders = stage.terms().leaders();
        if (!Balance.even(leaders, SHARDS, running.keySet())) {
            throw new StoryFailedException("the shards did not stay spread evenly: " + show(leaders));
        }
        Map<Integer, String> from = new HashMap<>(before.leaders());
        int moves = 0;
        long longest = 0;
        long sum = 0;
        long even = lastEvent;
        for (ShardTerms.Term term : stage.terms().after(before.terms())) {
            if (from.putIfAbsent(term.shard(), term.replica()) == null) {
                // The first term of this shard isn't a move.
                continue;
            }
            moves++;
            longest = Math.max(longest, term.without().orElse(0));
            sum += term.without().orElse(0);
            even = Math.max(even, term.from());
        }
        Step step = new Step(
                title, moves, Balance.fewestMoves(from, SHARDS, running.keySet()), longest, sum, even - lastEvent);
        steps.add(step);
        narrator.good(
                even,
                "even: " + step.moves() + " shards have moved (" + step.fewestMoves() + " had to); without a leader: "
                        + Stopwatch.millis(step.longest()) + " ms at most, " + Stopwatch.millis(step.sum())
                        + " ms all together");
        narrator.explain(show(leaders));
    }

    private String show(Map<Integer, String> leaders) {
        Collection<String> names = running.keySet();
        StringBuilder strip = new StringBuilder("shards 0 to " + (SHARDS - 1) + " are led by ");
        for (int shard = 0; shard < SHARDS; shard++) {
            String leader = leaders.getOrDefault(shard, "?");
            strip.append(shard > 0 && shard % GROUP_OF_FOUR == 0 ? " " : "").append(leader.charAt(leader.length() - 1));
        }
        return strip
                + Balance.counts(leaders, names).entrySet().stream()
                        .map(count -> count.getKey() + ": " + count.getValue())
                        .collect(Collectors.joining(", ", "  (", ")"));
    }

    /** Stops all remaining replicas, and waits for their end. No other replica can take over their shards. */
    void stop() throws InterruptedException {
        running.values().forEach(replica -> replica.program().terminate());
        for (ReplicaProcess replica : running.values()) {
            if (!replica.program().awaitEnd()) {
                throw new StoryFailedException(replica + " has not ended");
            }
        }
        running.clear();
    }

    /** Kills all processes that are still running. */
    @Override
    public void close() {
        launched.forEach(replica -> replica.program().close());
    }
}

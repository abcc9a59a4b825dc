package io.cle.samples.upgrade;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Predicate;

import io.cle.Timings;
import io.cle.model.Version;
import io.cle.samples.narration.Narrator;
import io.cle.samples.narration.Stopwatch;
import io.cle.samples.narration.StoryFailedException;

/** The acts of the demo. */
final class Story {

    private static final Version V1_0 = Version.parse("1.0.0");
    private static final Version V1_1 = Version.parse("1.1.0");
    private static final Version V1_2 = Version.parse("1.2.0");

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Settings settings;
    private final Stage stage;
    private final Narrator narrator;
    private final Map<String, Replica> running = new LinkedHashMap<>();

    /**
     * The environment of the story.
     *
     * @param cluster the API server and the coordinator
     * @param chronicle records the terms
     * @param watch observes all replicas
     * @param ledger receives the leaders' writes
     */
    record Stage(Cluster cluster, Chronicle chronicle, OverlapWatch watch, Ledger ledger, Stopwatch stopwatch) {}

    Story(Settings settings, Stage stage, Narrator narrator) {
        this.settings = settings;
        this.stage = stage;
        this.narrator = narrator;
    }

    /** Plays all acts. */
    void tell() throws InterruptedException {
        threeReplicas();
        olderReplica();
        crash();
        canary();
        upgrade();
        rollBack();
    }

    private void threeReplicas() throws InterruptedException {
        narrator.act("1. Three replicas of version 1.1.0");
        Replica first = join("a", V1_1);
        leads(first);
        join("b", V1_1);
        join("c", V1_1);
        narrator.explain("The strategy ranks them equal, and a tie never ends a term: " + first.name() + " goes on.");
        pause();
    }

    private void olderReplica() throws InterruptedException {
        narrator.act("2. A replica of version 1.0.0 joins");
        narrator.explain("The oldest version leads: what it writes, the newer ones can read, too.");
        Replica older = join("d", V1_0);
        leads(older);
        pause();
    }

    private void crash() throws InterruptedException {
        Timings timings = settings.timings();
        narrator.act("3. The leader is killed without warning");
        narrator.explain("Nothing is released, so the lease has to expire. It lasts "
                + timings.leaseDuration().toMillis() + " ms here, with "
                + timings.renewDeadline().toMillis()
                + " ms to renew it,\nso that the demo is short; the defaults are 15 s and 10 s.");
        Replica victim = leader();
        running.remove(victim.name());
        narrator.bad(stage.stopwatch().now(), describe(victim) + " is killed");
        victim.kill();
        leads(V1_1);
        pause();
    }

    private void canary() throws InterruptedException {
        narrator.act("4. A canary of version 1.2.0");
        Replica canary = join("canary", V1_2);
        narrator.explain(
                "It would only lead once all older replicas have left. An administrator has it lead now, by a strategy"
                        + " on the Lease:\n  kubectl -n shop annotate lease orders --overwrite " + Cluster.STRATEGY
                        + "=NewestCompatibilityVersion");
        stage.watch().allowNewerLeader(true);
        stage.cluster().setStrategy("NewestCompatibilityVersion");
        leads(V1_2);
        pause();
        narrator.explain("The canary has shown what it does, and an administrator takes the strategy back:\n"
                + "  kubectl -n shop annotate lease orders " + Cluster.STRATEGY + "-");
        stage.cluster().setStrategy(null);
        leads(V1_1);
        stage.watch().allowNewerLeader(false);
        leave(canary);
        pause();
    }

    private void upgrade() throws InterruptedException {
        narrator.act("5. A rolling upgrade to 1.2.0");
        Replica leader = leader();
        int cost = awaitDeletionCost(leader);
        narrator.explain(
                "One by one: a new replica joins, an old one leaves. As long as one old replica is a candidate,\n"
                        + "no new one may lead. " + leader.name() + " has marked its pod (pod-deletion-cost: " + cost
                        + "): a Deployment deletes it last, and\nleadership moves once.");
        for (String identity : List.of("e", "f", "g")) {
            join(identity, V1_2);
            leave(cheapest());
        }
        leads(V1_2);
        pause();
    }

    /** Waits for a leader's deletion cost: a pod is marked at most once in ten seconds. */
    private int awaitDeletionCost(Replica leader) throws InterruptedException {
        for (int tries = 0; tries < 200; tries++) {
            int cost = stage.cluster().deletionCost(leader.name());
            if (cost > 0) {
                return cost;
            }
            Thread.sleep(100);
        }
        throw new StoryFailedException(leader.name() + " leads, and its pod isn't marked");
    }

    /** Returns the old replica whose pod kube-controller-manager would delete first, by its deletion cost. */
    private Replica cheapest() throws InterruptedException {
        Replica first = null;
        int least = Integer.MAX_VALUE;
        for (Replica replica : running.values()) {
            int cost = isOld(replica) ? stage.cluster().deletionCost(replica.name()) : Integer.MAX_VALUE;
            if (cost < least) {
                first = replica;
                least = cost;
            }
        }
        return Objects.requireNonNull(first, "an old replica is left");
    }

    private boolean isOld(Replica replica) {
        return replica.version().compareTo(V1_2) < 0;
    }

    private void rollBack() throws InterruptedException {
        narrator.act("6. Roll-back to 1.1.0");
        narrator.explain(
                "The first old replica that is back takes over at once, and keeps it while the others follow.");
        Replica first = join("h", V1_1);
        leads(first);
        List<Replica> newer = new ArrayList<>(running.values());
        newer.removeIf(replica -> !replica.version().equals(V1_2));
        leave(newer.get(0));
        join("i", V1_1);
        leave(newer.get(1));
        join("j", V1_1);
        leave(newer.get(2));
        pause();
    }

    // ---- what replicas do ----------------------------------------------------------------------------------------

    private Replica join(String identity, Version version) throws InterruptedException {
        Replica replica = new Replica(identity, version, stage.ledger(), stage.chronicle(), stage.stopwatch());
        running.put(replica.name(), replica);
        stage.watch().observe(replica);
        replica.start(stage.cluster().url(), stage.cluster().createPod(replica.name()), settings.timings());
        narrator.tell(replica.awaitCandidacy(PATIENCE), describe(replica) + " has started and is a candidate");
        return replica;
    }

    private void leave(Replica replica) {
        narrator.tell(stage.stopwatch().now(), describe(replica) + " is asked to stop");
        running.remove(replica.name());
        replica.stop();
    }

    private Replica leader() throws InterruptedException {
        RecordedTerm term = await(any -> true, "a replica leads");
        Replica replica = running.get(term.replica());
        if (replica == null) {
            throw new StoryFailedException(term.replica() + " leads, but it has left");
        }
        return replica;
    }

    /** Waits until a replica that has just joined leads. */
    private void leads(Replica joined) throws InterruptedException {
        RecordedTerm term = await(any -> any.replica().equals(joined.name()), joined.name() + " leads");
        long took = term.from() - joined.awaitCandidacy(PATIENCE);
        tell(term, ", " + Stopwatch.millis(took) + " ms after it became a candidate");
    }

    /** Waits until a replica of a version leads. */
    private void leads(Version version) throws InterruptedException {
        tell(await(term -> term.version().equals(version.toString()), "a " + version + " leads"), "");
    }

    private RecordedTerm await(Predicate<RecordedTerm> kind, String what) throws InterruptedException {
        Duration patience = PATIENCE.plus(settings.timings().leaseDuration());
        return stage.chronicle().await(kind, what, patience);
    }

    private void tell(RecordedTerm term, String more) {
        OptionalLong gap = stage.chronicle().gapBefore(term);
        narrator.good(
                term.from(),
                term.replica() + " (" + term.version() + ") leads" + more
                        + (gap.isPresent()
                                ? "; time without a leader: " + Stopwatch.millis(gap.getAsLong()) + " ms"
                                : ""));
    }

    private static String describe(Replica replica) {
        return replica.name() + " (" + replica.version() + ")";
    }

    private void pause() throws InterruptedException {
        settings.pace().afterAct(leader().name());
    }

    /** Stops all remaining replicas, the followers first, so that no other replica has to take over. */
    void close() {
        List<Replica> left = new ArrayList<>(running.values());
        left.sort((one, other) -> Boolean.compare(
                one.fencingToken().isPresent(), other.fencingToken().isPresent()));
        left.forEach(Replica::stop);
        running.clear();
    }
}

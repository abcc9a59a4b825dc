package io.cle.coordinator;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.cle.ApiFormat;
import io.cle.Timings;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.lock.internal.LeaseLock;
import io.cle.model.ObjectKey;

import static org.awaitility.Awaitility.await;

/**
 * The nodes of KEP-4355's stories. Each runs one process that is a candidate for the same lease. Nodes are taken down
 * and return with other versions, and everything is recorded.
 */
final class ControlPlane implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** No lease expires in a story, and none may be lost because the API server of a busy machine doesn't answer for some seconds. */
    private static final Timings PATIENT =
            new Timings(Duration.ofSeconds(120), Duration.ofSeconds(100), Duration.ofSeconds(2));

    private final Chronicle chronicle = new Chronicle();
    private final Map<String, LeaseLock> processes = new HashMap<>();
    private final Candidates candidates;
    private final ObjectKey lease;
    private final String strategy;
    private int bystanders;

    /** The second in which the last candidate was created, or a later one. */
    private Instant second = Instant.EPOCH;

    /**
     * Creates a control plane without nodes.
     *
     * @param strategy the strategy that its processes ask for
     */
    ControlPlane(KubernetesAccess access, ApiFormat format, ObjectKey lease, String strategy) {
        this.candidates = new Candidates(access, format, strategy).with(PATIENT);
        this.lease = lease;
        this.strategy = strategy;
    }

    /** Starts nodes one after the other, the first of them as the leader. */
    ControlPlane of(List<String> nodes, String version) {
        for (String node : nodes) {
            comesUp(node, version);
            awaitLeader();
        }
        return this;
    }

    /** Starts a node and waits until the coordinator observes it. */
    void comesUp(String node, String version) {
        comesUp(node, version, strategy);
    }

    /**
     * Starts a node that asks for another strategy, in a later second than the one before: creation times have no
     * fractions, and kube-apiserver takes candidates of the same second in any order.
     */
    void comesUp(String node, String version, String wish) {
        Instant former = second;
        await().pollInterval(Duration.ofMillis(20)).until(() -> Instant.now().isAfter(former.plusSeconds(1)));
        String identity = lease.name() + "-" + node + "-" + version;
        LeaseLock process = candidates.candidate(lease, identity, version, wish);
        process.addListener(chronicle.of(node + " (" + version + ")", identity));
        processes.put(node, process);
        chronicle.note(node + " comes up with " + version);
        process.start();
        everythingSoFarIsObserved();
        second = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    }

    /** Takes a node down as for an upgrade, and waits until another one leads. */
    void goesDown(String node) {
        chronicle.note(node + " goes down");
        processes.remove(node).close();
        awaitLeader();
        everythingSoFarIsObserved();
    }

    /** Takes a node down, and starts it with another version. */
    void changes(String node, String version) {
        goesDown(node);
        comesUp(node, version);
    }

    /** Notes what an administrator does, and does it. */
    void administrator(String does, Runnable action) {
        chronicle.note("administrator " + does);
        action.run();
    }

    void awaitLeader(String who) {
        await().atMost(PATIENCE).until(() -> chronicle.leads(who));
        everythingSoFarIsObserved();
    }

    private void awaitLeader() {
        await().atMost(PATIENCE).until(chronicle::aProcessLeads);
    }

    /** Waits until a bystander is elected for another lease: by then the coordinator has handled everything before. */
    void everythingSoFarIsObserved() {
        bystanders++;
        ObjectKey other = new ObjectKey(lease.namespace(), lease.name() + "-bystander-" + bystanders);
        try (LeaseLock bystander = candidates.candidate(other, other.name() + "-only", "1.0.0")) {
            bystander.start();
            await().atMost(PATIENCE).until(bystander::isLeader);
        }
    }

    Chronicle chronicle() {
        return chronicle;
    }

    ObjectKey lease() {
        return lease;
    }

    @Override
    public void close() {
        processes.values().forEach(LeaseLock::close);
        candidates.close();
    }
}

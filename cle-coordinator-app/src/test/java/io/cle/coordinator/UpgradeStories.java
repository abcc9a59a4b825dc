package io.cle.coordinator;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import io.cle.ApiFormat;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.model.ObjectKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * Stories 1 and 2 of KEP-4355, as all processes observed them: the leader's version changes when the KEP says so, and
 * only then. Each story lists everything that happened, so one change too many fails it like one too few.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class UpgradeStories {

    static final List<String> NODES = List.of("node-1", "node-2", "node-3");

    static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final String NAMESPACE = "control-plane";

    private KubernetesAccess access;
    private Cluster cluster;
    private RunningCoordinator coordinator;

    /** The API server to run against. */
    abstract KubernetesAccess access();

    abstract ApiFormat format();

    /** The strategy by which the oldest version leads. */
    abstract String oldest();

    /** Ends the API server, if no other test uses it. */
    void stopServer() {}

    @BeforeAll
    void startCoordinator() {
        access = access();
        cluster = new Cluster(access);
        cluster.createNamespace(NAMESPACE);
        coordinator = startAnotherCoordinator();
    }

    private RunningCoordinator startAnotherCoordinator() {
        return RunningCoordinator.at(
                access, "cle.coordinator.api=" + format().name().toLowerCase(Locale.ROOT));
    }

    @AfterAll
    void stopCoordinator() {
        coordinator.close();
        cluster.close();
        stopServer();
    }

    /** Replaces the coordinator with another process that has seen nothing yet. */
    void replaceCoordinator() {
        coordinator.close();
        coordinator = startAnotherCoordinator();
    }

    Cluster cluster() {
        return cluster;
    }

    ObjectKey newLease() {
        return new ObjectKey(NAMESPACE, "kcm-" + UUID.randomUUID().toString().substring(0, 8));
    }

    ControlPlane newControlPlane() {
        return new ControlPlane(access, format(), newLease(), oldest());
    }

    Candidates newCandidates() {
        return new Candidates(access, format(), oldest());
    }

    /** Returns our coordinator's report on a lease. */
    String election(ObjectKey lease) {
        return coordinator.actuator("elections/" + lease).body();
    }

    @Test
    void storyOneTheVersionChangesWhenTheLastNodeIsUpgradedAndNotBefore() {
        try (ControlPlane plane = newControlPlane().of(NODES, "1.1.0")) {
            plane.changes("node-1", "1.2.0");
            plane.changes("node-2", "1.2.0");
            plane.changes("node-3", "1.2.0");

            plane.chronicle()
                    .tells(List.of(
                            "node-1 comes up with 1.1.0",
                            "node-1 (1.1.0) leads",
                            "node-2 comes up with 1.1.0",
                            "node-3 comes up with 1.1.0",
                            "node-1 goes down",
                            "node-1 (1.1.0) leads no more",
                            "node-2 (1.1.0) leads",
                            "node-1 comes up with 1.2.0",
                            "node-2 goes down",
                            "node-2 (1.1.0) leads no more",
                            "node-3 (1.1.0) leads",
                            "node-2 comes up with 1.2.0",
                            "node-3 goes down",
                            "node-3 (1.1.0) leads no more",
                            "node-1 (1.2.0) leads",
                            "node-3 comes up with 1.2.0"));
        }
    }

    @Test
    void storyTwoTheVersionFallsBackWithTheFirstNodeAndStays() {
        try (ControlPlane plane = newControlPlane().of(NODES, "1.2.0")) {
            plane.goesDown("node-1");
            plane.comesUp("node-1", "1.1.0");
            plane.awaitLeader("node-1 (1.1.0)");
            plane.changes("node-2", "1.1.0");
            // A new election, while one node is still of the newer version.
            plane.changes("node-1", "1.1.0");
            plane.changes("node-3", "1.1.0");

            plane.chronicle()
                    .tells(List.of(
                            "node-1 comes up with 1.2.0",
                            "node-1 (1.2.0) leads",
                            "node-2 comes up with 1.2.0",
                            "node-3 comes up with 1.2.0",
                            "node-1 goes down",
                            "node-1 (1.2.0) leads no more",
                            "node-2 (1.2.0) leads",
                            "node-1 comes up with 1.1.0",
                            "node-2 (1.2.0) leads no more",
                            "node-1 (1.1.0) leads",
                            "node-2 goes down",
                            "node-2 comes up with 1.1.0",
                            "node-1 goes down",
                            "node-1 (1.1.0) leads no more",
                            "node-2 (1.1.0) leads",
                            "node-1 comes up with 1.1.0",
                            "node-3 goes down",
                            "node-3 comes up with 1.1.0"));
        }
    }
}

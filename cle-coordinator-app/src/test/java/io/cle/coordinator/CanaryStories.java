package io.cle.coordinator;

import java.util.List;

import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.LeaseLock;
import io.cle.model.ObjectKey;
import org.junit.jupiter.api.Test;

import static org.awaitility.Awaitility.await;

/** Adds story 3 of KEP-4355 where our coordinator elects: an administrator sets a lease's strategy. */
abstract class CanaryStories extends UpgradeStories {

    private static final String STRATEGY = "coordination.k8s.io/strategy";

    @Test
    void storyThreeTheAdministratorsStrategyTakesEffectAtOnceAndSticksUntilItIsTakenBack() {
        try (ControlPlane plane = newControlPlane().of(NODES, "1.1.0")) {
            plane.changes("node-1", "1.2.0");

            plane.administrator("asks for the newest", () -> annotate(plane, "\"NewestCompatibilityVersion\""));
            plane.awaitLeader("node-1 (1.2.0)");
            plane.changes("node-3", "1.1.0");
            plane.administrator("replaces the coordinator", this::replaceCoordinator);
            plane.everythingSoFarIsObserved();
            // A new election: an older version leads only while there is no newer one.
            plane.changes("node-1", "1.2.0");
            plane.awaitLeader("node-1 (1.2.0)");
            plane.administrator("asks for nothing any more", () -> annotate(plane, "null"));
            plane.awaitLeader("node-2 (1.1.0)");

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
                            "administrator asks for the newest",
                            "node-2 (1.1.0) leads no more",
                            "node-1 (1.2.0) leads",
                            "node-3 goes down",
                            "node-3 comes up with 1.1.0",
                            "administrator replaces the coordinator",
                            "node-1 goes down",
                            "node-1 (1.2.0) leads no more",
                            "node-2 (1.1.0) leads",
                            "node-1 comes up with 1.2.0",
                            "node-2 (1.1.0) leads no more",
                            "node-1 (1.2.0) leads",
                            "administrator asks for nothing any more",
                            "node-1 (1.2.0) leads no more",
                            "node-2 (1.1.0) leads"));
        }
    }

    /** Without a fallback, candidates that ask for another strategy lead only by the one on the Lease; kube-apiserver writes theirs there, too. */
    @Test
    void aLeaseThatIsConfiguredToBeLeftAloneIsRacedForAtOnceBeforeItIsThereAndWhenItsLeaderEnds() {
        ObjectKey lease = newLease();
        cluster()
                .create(
                        ResourceType.LEASE_CONFIGURATIONS,
                        lease.namespace(),
                        lease.name(),
                        "{\"targetLease\": \"" + lease + "\", \"strategy\": \"NoCoordination\"}");
        try (Candidates candidates = newCandidates();
                LeaseLock first = candidates.candidate(lease, "first-" + lease.name(), "1.1.0");
                LeaseLock second = candidates.candidate(lease, "second-" + lease.name(), "1.2.0")) {
            first.start();
            await().atMost(PATIENCE).until(first::isLeader);
            second.start();
            await().atMost(PATIENCE)
                    .until(() ->
                            "NoCoordination".equals(first.snapshot().observed().strategy()));

            first.stop();

            await().atMost(PATIENCE).until(second::isLeader);
        }
    }

    private void annotate(ControlPlane plane, String strategyAsJson) {
        cluster()
                .patch(
                        ResourceType.LEASES,
                        plane.lease().namespace(),
                        plane.lease().name(),
                        "{\"metadata\": {\"annotations\": {\"" + STRATEGY + "\": " + strategyAsJson + "}}}");
    }
}

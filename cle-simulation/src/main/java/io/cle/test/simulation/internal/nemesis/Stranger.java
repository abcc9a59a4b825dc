package io.cle.test.simulation.internal.nemesis;

import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.test.simulation.internal.cluster.CoordinatorSetup;
import io.cle.test.simulation.internal.cluster.SimulatedCluster;
import io.cle.test.simulation.internal.process.History;
import io.cle.test.simulation.internal.process.VirtualTime;
import io.cle.test.simulation.internal.server.SimulatedServer;
import io.cle.test.simulation.scenario.Scenario;
import org.jspecify.annotations.Nullable;

/**
 * An account that may write candidates and lease configurations in a namespace of its own, and nothing else (safety.md#own-namespace). It has
 * no process: it writes as fast as it can, and acknowledges every ping.
 */
public final class Stranger {

    static final String NAMESPACE = CoordinatorSetup.OTHER_NAMESPACE;

    /** Names that only the stranger uses. */
    static final List<String> OWN_NAMES = List.of("evil-a", "evil-b");

    private static final List<String> STRATEGIES =
            List.of("NoCoordination", "OldestCompatibilityVersion", "NewestCompatibilityVersion", "HighestPriority");
    private static final String FOREIGN_LEASE = "kube-system/strangers";
    private static final int BURST = 100;

    private static final String CANDIDATE = """
            {"apiVersion": "coordination.cle.io/v1alpha1", "kind": "LeaseCandidate",
             "metadata": {"name": "%s", "labels": {"binary-version": "%s", "compatibility-version": "%s"},
              "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "never", "uid": "none"}]},
             "spec": {"canLeadLease": "%s", "strategy": "%s", "priority": 1000, "leaseDurationSeconds": 600,
              "renewTime": "%s"}}
            """;
    private static final String CONFIGURATION = """
            {"apiVersion": "coordination.cle.io/v1alpha1", "kind": "LeaseConfiguration", "metadata": {"name": "evil"},
             "spec": {"targetLease": "%s", "strategy": "%s"}}
            """;

    private final SimulatedServer server;
    private final SimulatedCluster cluster;
    private final VirtualTime time;
    private final SplittableRandom random;
    private final History history;
    private boolean over;
    private int renewals;

    /** A stranger that does nothing yet. */
    public Stranger(
            SimulatedServer server,
            SimulatedCluster cluster,
            VirtualTime time,
            SplittableRandom random,
            History history) {
        this.server = server;
        this.cluster = cluster;
        this.time = time;
        this.random = random;
        this.history = history;
    }

    /** Does something about every second from now on. */
    public void begin() {
        time.after(random.nextLong(2_000_000_000L), () -> {
            if (!over) {
                act();
                begin();
            }
        });
    }

    /** Does nothing any more; its objects stay. */
    public void end() {
        over = true;
    }

    private void act() {
        if (!server.up()) {
            return;
        }
        switch (random.nextInt(6)) {
            case 0 -> announce(someIdentity(), Scenario.LEASE.toString());
            case 1 -> announce(someOwnName(), Scenario.LEASE.toString());
            case 2 -> announce(someOwnName(), FOREIGN_LEASE);
            case 3 -> {
                String name = random.nextBoolean() ? someIdentity() : someOwnName();
                history.line("stranger", "edits the candidate " + name + " again and again");
                for (int i = 0; i < BURST; i++) {
                    renew(name);
                }
            }
            case 4 -> configure();
            default -> {
                String name = random.nextBoolean() ? someIdentity() : someOwnName();
                server.handle(Verb.DELETE, ResourceType.CRD_CANDIDATES, new ObjectKey(NAMESPACE, name), null);
            }
        }
        OWN_NAMES.forEach(this::renew);
    }

    /** A candidate that is the best one by most strategies, of a pod that never existed. */
    private void announce(String name, String lease) {
        history.line("stranger", "announces " + name + " for " + lease);
        String version = random.nextBoolean() ? "0.0.1" : "99.0.0";
        String strategy = STRATEGIES.get(random.nextInt(STRATEGIES.size()));
        JsonObject candidate = JsonParser.parseString(
                        CANDIDATE.formatted(name, version, version, lease, strategy, nextRenewTime()))
                .getAsJsonObject();
        server.apply(ResourceType.CRD_CANDIDATES, new ObjectKey(NAMESPACE, name), candidate);
    }

    private void renew(String name) {
        JsonObject annotations = new JsonObject();
        annotations.add("coordination.k8s.io/pending-ack", JsonNull.INSTANCE);
        JsonObject metadata = new JsonObject();
        metadata.add("annotations", annotations);
        JsonObject spec = new JsonObject();
        spec.addProperty("renewTime", nextRenewTime());
        JsonObject patch = new JsonObject();
        patch.add("metadata", metadata);
        patch.add("spec", spec);
        server.handle(Verb.PATCH, ResourceType.CRD_CANDIDATES, new ObjectKey(NAMESPACE, name), patch);
    }

    private void configure() {
        history.line("stranger", "configures the lease " + Scenario.LEASE);
        String strategy = STRATEGIES.get(random.nextInt(STRATEGIES.size()));
        JsonObject configuration = JsonParser.parseString(CONFIGURATION.formatted(Scenario.LEASE, strategy))
                .getAsJsonObject();
        server.apply(ResourceType.LEASE_CONFIGURATIONS, new ObjectKey(NAMESPACE, "evil"), configuration);
    }

    /** Later than every time that a clock in the cluster shows. */
    private String nextRenewTime() {
        return Instant.parse("2027-01-01T00:00:00Z").plusMillis(renewals++).toString();
    }

    private String someOwnName() {
        return OWN_NAMES.get(random.nextInt(OWN_NAMES.size()));
    }

    private String someIdentity() {
        List<SimulatedCluster.Member> members = cluster.members();
        for (SimulatedCluster.Member member : members) {
            if (member.contender().leads() && random.nextBoolean()) {
                return member.contender().identity();
            }
        }
        return members.isEmpty()
                ? "orders-a"
                : members.get(random.nextInt(members.size())).contender().identity();
    }

    /** Whether an identity is one that only the stranger uses. */
    public static boolean is(@Nullable String identity) {
        return identity != null && OWN_NAMES.contains(identity);
    }
}

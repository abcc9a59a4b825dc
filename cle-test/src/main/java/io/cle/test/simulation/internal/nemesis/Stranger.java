package io.cle.test.simulation.internal.nemesis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.test.simulation.Scenario;
import io.cle.test.simulation.internal.cluster.Cluster;
import io.cle.test.simulation.internal.cluster.CoordinatorSetup;
import io.cle.test.simulation.internal.process.History;
import io.cle.test.simulation.internal.process.VirtualTime;
import io.cle.test.simulation.internal.server.SimulatedServer;
import org.jspecify.annotations.Nullable;

/**
 * An account that may write candidates and lease configurations in a namespace of its own, and nothing else (safety.md#own-namespace). It has
 * no process: it writes as fast as it likes, and acknowledges whatever it is asked.
 */
public final class Stranger {

    static final String NAMESPACE = CoordinatorSetup.OTHER_NAMESPACE;

    /** Names of its own, which no candidate has that counts. */
    static final List<String> OWN_NAMES = List.of("evil-a", "evil-b");

    private static final List<String> STRATEGIES =
            List.of("NoCoordination", "OldestCompatibilityVersion", "NewestCompatibilityVersion", "HighestPriority");
    private static final String FOREIGN_LEASE = "kube-system/strangers";
    private static final int BURST = 100;

    private final SimulatedServer server;
    private final Cluster cluster;
    private final VirtualTime time;
    private final SplittableRandom random;
    private final History history;
    private boolean over;
    private int renewals;

    /** A stranger that does nothing yet. */
    public Stranger(
            SimulatedServer server, Cluster cluster, VirtualTime time, SplittableRandom random, History history) {
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
                send(Verb.DELETE, ResourceType.CRD_CANDIDATES, name, null);
            }
        }
        OWN_NAMES.forEach(this::renew);
    }

    /** A candidate that is the best one by most strategies, of a pod that never existed. */
    private void announce(String name, String lease) {
        history.line("stranger", "announces " + name + " for " + lease);
        JsonObject owner = new JsonObject();
        owner.addProperty("apiVersion", "v1");
        owner.addProperty("kind", "Pod");
        owner.addProperty("name", "never");
        owner.addProperty("uid", "none");
        JsonArray owners = new JsonArray();
        owners.add(owner);
        JsonObject labels = new JsonObject();
        String version = random.nextBoolean() ? "0.0.1" : "99.0.0";
        labels.addProperty("binary-version", version);
        labels.addProperty("compatibility-version", version);
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", name);
        metadata.add("labels", labels);
        metadata.add("ownerReferences", owners);
        JsonObject spec = new JsonObject();
        spec.addProperty("canLeadLease", lease);
        spec.addProperty("strategy", STRATEGIES.get(random.nextInt(STRATEGIES.size())));
        spec.addProperty("priority", 1000);
        spec.addProperty("leaseDurationSeconds", 600);
        spec.addProperty("renewTime", nextRenewTime());
        JsonObject candidate = new JsonObject();
        candidate.addProperty("apiVersion", ResourceType.CRD_CANDIDATES.apiVersion());
        candidate.addProperty("kind", ResourceType.CRD_CANDIDATES.kind());
        candidate.add("metadata", metadata);
        candidate.add("spec", spec);
        write(ResourceType.CRD_CANDIDATES, name, candidate);
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
        send(Verb.PATCH, ResourceType.CRD_CANDIDATES, name, patch);
    }

    private void configure() {
        history.line("stranger", "configures the lease " + Scenario.LEASE);
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", "evil");
        JsonObject spec = new JsonObject();
        spec.addProperty("targetLease", Scenario.LEASE.toString());
        spec.addProperty("strategy", STRATEGIES.get(random.nextInt(STRATEGIES.size())));
        JsonObject configuration = new JsonObject();
        configuration.addProperty("apiVersion", ResourceType.LEASE_CONFIGURATIONS.apiVersion());
        configuration.addProperty("kind", ResourceType.LEASE_CONFIGURATIONS.kind());
        configuration.add("metadata", metadata);
        configuration.add("spec", spec);
        write(ResourceType.LEASE_CONFIGURATIONS, "evil", configuration);
    }

    /** Later than every time that a clock in the cluster shows. */
    private String nextRenewTime() {
        return Instant.parse("2027-01-01T00:00:00Z").plusMillis(renewals++).toString();
    }

    private String someOwnName() {
        return OWN_NAMES.get(random.nextInt(OWN_NAMES.size()));
    }

    private String someIdentity() {
        List<Cluster.Member> members = cluster.members();
        for (Cluster.Member member : members) {
            if (member.contender().leads() && random.nextBoolean()) {
                return member.contender().identity();
            }
        }
        return members.isEmpty()
                ? "orders-a"
                : members.get(random.nextInt(members.size())).contender().identity();
    }

    private void write(ResourceType type, String name, JsonObject object) {
        if (!send(Verb.PATCH, type, name, object)) {
            send(Verb.CREATE, type, null, object);
        }
    }

    private boolean send(Verb verb, ResourceType type, @Nullable String name, @Nullable JsonObject body) {
        return server.handle(new ApiRequest(verb, type, NAMESPACE, name, Map.of(), body, Duration.ZERO), null)
                .ok();
    }

    /** Whether an identity is one that only the stranger uses. */
    public static boolean is(@Nullable String identity) {
        return identity != null && OWN_NAMES.contains(identity);
    }
}

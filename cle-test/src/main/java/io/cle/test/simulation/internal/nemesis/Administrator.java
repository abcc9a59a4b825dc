package io.cle.test.simulation.internal.nemesis;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.test.simulation.ClusterKind;
import io.cle.test.simulation.Scenario;
import io.cle.test.simulation.internal.cluster.Cluster;
import io.cle.test.simulation.internal.cluster.CoordinatorSetup;
import io.cle.test.simulation.internal.process.History;
import io.cle.test.simulation.internal.server.SimulatedServer;
import org.jspecify.annotations.Nullable;

/** An administrator with every right, who edits and deletes leases and candidates at any moment ({@code docs/simulation.md} lists what is not promised then). */
public final class Administrator {

    private static final List<String> STRATEGIES =
            List.of("OldestCompatibilityVersion", "NewestCompatibilityVersion", "HighestPriority", "NoCoordination");

    private final SimulatedServer server;
    private final Cluster cluster;
    private final ClusterKind kind;
    private final SplittableRandom random;
    private final @Nullable SplittableRandom edits;
    private final History history;

    /**
     * An administrator of a cluster.
     *
     * @param edits for edits of single fields; null for an administrator that makes none
     */
    public Administrator(
            SimulatedServer server,
            Cluster cluster,
            ClusterKind kind,
            SplittableRandom random,
            @Nullable SplittableRandom edits,
            History history) {
        this.server = server;
        this.cluster = cluster;
        this.kind = kind;
        this.random = random;
        this.edits = edits;
        this.history = history;
    }

    /** Creates, changes or deletes a LeaseConfiguration. One for another lease, or from another namespace, counts for nothing. */
    void configure() {
        boolean foreign = random.nextInt(6) == 0;
        ObjectKey key = new ObjectKey(
                foreign ? CoordinatorSetup.OTHER_NAMESPACE : Scenario.LEASE.namespace(),
                random.nextBoolean() ? "a" : "b");
        if (random.nextInt(3) == 0) {
            history.line("administrator", "deletes the configuration " + key);
            server.handle(Verb.DELETE, ResourceType.LEASE_CONFIGURATIONS, key, null);
            return;
        }
        String strategy = STRATEGIES.get(random.nextInt(STRATEGIES.size()));
        String target =
                foreign ? Scenario.LEASE.toString() : random.nextInt(4) == 0 ? "another" : Scenario.LEASE.name();
        history.line("administrator", "configures " + strategy + " for " + target + " by " + key);
        JsonObject body = JsonParser.parseString("{\"apiVersion\": \"coordination.cle.io/v1alpha1\","
                        + " \"kind\": \"LeaseConfiguration\", \"metadata\": {\"name\": \"" + key.name()
                        + "\"}, \"spec\": {\"targetLease\": \"" + target + "\", \"strategy\": \"" + strategy + "\"}}")
                .getAsJsonObject();
        server.apply(ResourceType.LEASE_CONFIGURATIONS, key, body);
    }

    /** Does one thing that an administrator may do. */
    void act() {
        if (kind.coordinated() && random.nextBoolean()) {
            actOnElections();
        } else {
            actOnLease();
        }
    }

    private void actOnLease() {
        if (edits != null && kind.resource().equals(ResourceType.LEASES) && edits.nextBoolean()) {
            editField(edits);
            return;
        }
        switch (random.nextInt(5)) {
            case 0 -> hold("clears the holder", "");
            case 1 -> hold("makes a ghost the holder", "ghost");
            case 2 -> hold("makes another candidate the holder", someIdentity());
            case 3 -> edit("strips the lease of its annotations", Verb.PATCH, kind.resource(), stripped());
            default -> edit("deletes the lease", Verb.DELETE, kind.resource(), null);
        }
    }

    private void actOnElections() {
        switch (random.nextInt(4)) {
            case 0 -> {
                String strategy = STRATEGIES.get(random.nextInt(STRATEGIES.size()));
                edit(
                        "sets the strategy " + strategy,
                        Verb.PATCH,
                        kind.resource(),
                        annotated(Map.of("coordination.k8s.io/strategy", strategy)));
            }
            case 1 ->
                edit(
                        "asks the holder to yield",
                        Verb.PATCH,
                        kind.resource(),
                        annotated(Map.of(
                                "coordination.k8s.io/end-of-term",
                                "true",
                                "coordination.k8s.io/preferred-holder",
                                random.nextBoolean() ? "ghost" : someIdentity())));
            default -> {
                ObjectKey candidate = new ObjectKey(Scenario.LEASE.namespace(), someIdentity());
                history.line("administrator", "deletes the candidate " + candidate.name());
                server.handle(Verb.DELETE, kind.candidates(), candidate, null);
            }
        }
    }

    /** The identity of some candidate. */
    private String someIdentity() {
        List<Cluster.Member> members = cluster.members();
        return members.isEmpty()
                ? "ghost"
                : members.get(random.nextInt(members.size())).contender().identity();
    }

    /** Edits one field of the record other than the holder, as {@code kubectl edit} does. */
    private void editField(SplittableRandom edits) {
        switch (edits.nextInt(5)) {
            case 0 -> set("leaseDurationSeconds", new JsonPrimitive(1));
            case 1 -> set("leaseDurationSeconds", new JsonPrimitive(1 + edits.nextInt(40)));
            case 2 -> set("renewTime", someTime(edits));
            case 3 -> set("acquireTime", someTime(edits));
            default -> set("leaseTransitions", new JsonPrimitive(edits.nextInt(1000)));
        }
    }

    private static JsonElement someTime(SplittableRandom edits) {
        return edits.nextBoolean()
                ? JsonNull.INSTANCE
                : new JsonPrimitive("2026-01-01T0%d:00:00.000000Z".formatted(edits.nextInt(10)));
    }

    private void set(String field, JsonElement value) {
        edit("sets " + field + " to " + value, Verb.PATCH, ResourceType.LEASES, object("spec", object(field, value)));
    }

    private void hold(String what, String holder) {
        if (kind.resource().equals(ResourceType.LEASES)) {
            JsonObject spec = object("holderIdentity", new JsonPrimitive(holder));
            edit(what, Verb.PATCH, ResourceType.LEASES, object("spec", spec));
        }
    }

    private static JsonObject annotated(Map<String, String> values) {
        JsonObject annotations = new JsonObject();
        values.forEach(annotations::addProperty);
        return metadata(annotations);
    }

    private static JsonObject stripped() {
        JsonObject annotations = new JsonObject();
        for (String name : List.of("term", "recorded-strategy", "holder-key")) {
            annotations.add("coordination.cle.io/" + name, JsonNull.INSTANCE);
        }
        for (String name : List.of("elected-by", "strategy", "end-of-term", "preferred-holder")) {
            annotations.add("coordination.k8s.io/" + name, JsonNull.INSTANCE);
        }
        return metadata(annotations);
    }

    private static JsonObject metadata(JsonObject annotations) {
        return object("metadata", object("annotations", annotations));
    }

    private static JsonObject object(String field, JsonElement value) {
        JsonObject object = new JsonObject();
        object.add(field, value);
        return object;
    }

    private void edit(String what, Verb verb, ResourceType type, @Nullable JsonObject body) {
        history.line("administrator", what);
        server.handle(verb, type, Scenario.LEASE, body);
    }
}

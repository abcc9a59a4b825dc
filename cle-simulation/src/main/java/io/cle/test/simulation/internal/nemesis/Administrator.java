package io.cle.test.simulation.internal.nemesis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.store.Metadata;
import io.cle.test.simulation.internal.cluster.CoordinatorSetup;
import io.cle.test.simulation.internal.cluster.SimulatedCluster;
import io.cle.test.simulation.internal.process.History;
import io.cle.test.simulation.internal.server.SimulatedServer;
import io.cle.test.simulation.scenario.ClusterKind;
import io.cle.test.simulation.scenario.Scenario;
import org.jspecify.annotations.Nullable;

/**
 * An administrator with every right, who edits and deletes leases and candidates at any moment ({@code docs/safety.md} lists what is not
 * promised then). In some runs it acts on whole objects and on any field, too: it replaces the lease by its bare form or by any earlier copy,
 * as a GitOps tool or a restored backup does.
 */
public final class Administrator {

    private static final String RECORD = "control-plane.alpha.kubernetes.io/leader";
    private static final String TERM = "coordination.cle.io/term";

    /**
     * An annotation with the id of the write whose term annotation was edited. It isn't a part of the term annotation, because a
     * coordinator's next write would drop it.
     */
    public static final String EDITED = "test.cle.io/edited-write";

    /** The longest lease duration that the API server accepts: 68 years. */
    private static final int FOREVER = Integer.MAX_VALUE;

    /** Lease durations in seconds, ascending. */
    private static final int[] DURATIONS = {1, 1, 2, 5, 15, 40, 3600, 86_400, FOREVER};

    /** How many are short enough for a better candidate to lead before a run ends, although an edited term claims the lease. */
    private static final int SHORT_DURATIONS = 6;

    /** More copies of the lease than a run has. */
    private static final int MOST_COPIES = 5000;

    private static final List<String> STRATEGIES =
            List.of("OldestCompatibilityVersion", "NewestCompatibilityVersion", "HighestPriority", "NoCoordination");

    private final SimulatedServer server;
    private final SimulatedCluster cluster;
    private final ClusterKind kind;
    private final SplittableRandom random;
    private final @Nullable SplittableRandom edits;
    private final History history;

    /** The names of the leases that it acts on. */
    private final Set<String> leases;

    /** The lease or shard that it acts on now. */
    private ObjectKey lease = Scenario.LEASE;

    /** All versions of the leases in this run, if the administrator acts on whole objects. */
    private final List<JsonObject> copies = new ArrayList<>();

    /**
     * An administrator of a cluster.
     *
     * @param edits for edits of any field and of whole objects; null for an administrator that makes none
     */
    public Administrator(
            SimulatedServer server,
            SimulatedCluster cluster,
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
        this.leases = cluster.leases().stream().map(ObjectKey::name).collect(Collectors.toSet());
        if (edits != null) {
            server.listen(kind.resource(), event -> keep(event.getAsJsonObject("object")));
        }
    }

    private void chooseLease(SplittableRandom choice) {
        if (cluster.leases().size() > 1) {
            lease = cluster.leases().get(choice.nextInt(cluster.leases().size()));
        }
    }

    private void keep(JsonObject object) {
        if (copies.size() < MOST_COPIES && leases.contains(Metadata.name(object))) {
            copies.add(object);
        }
    }

    /** Whether it acts on whole objects and on any field. */
    boolean editsObjects() {
        return edits != null;
    }

    /** Creates, changes or deletes a LeaseConfiguration. One for another lease, or from another namespace, has no effect. */
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
        if (edits != null && edits.nextInt(4) > 0) {
            editOften(edits);
            return;
        }
        chooseLease(random);
        switch (random.nextInt(5)) {
            case 0 -> set("clears the holder", "holderIdentity", new JsonPrimitive(""));
            case 1 -> set("makes a ghost the holder", "holderIdentity", new JsonPrimitive("ghost"));
            case 2 -> set("makes another candidate the holder", "holderIdentity", new JsonPrimitive(someIdentity()));
            case 3 -> edit("strips the lease of its annotations", Verb.PATCH, kind.resource(), stripped());
            default -> edit("deletes the lease", Verb.DELETE, kind.resource(), null);
        }
    }

    private void actOnElections() {
        chooseLease(random);
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
        List<SimulatedCluster.Member> members = cluster.members();
        return members.isEmpty()
                ? "ghost"
                : members.get(random.nextInt(members.size())).contender().identity();
    }

    /** Makes one or several edits, each of a whole object or of one field. */
    void editOften() {
        editOften(Objects.requireNonNull(edits));
    }

    private void editOften(SplittableRandom edits) {
        chooseLease(edits);
        int count = edits.nextInt(3) == 0 ? 2 + edits.nextInt(2) : 1;
        for (int i = 0; i < count; i++) {
            if (edits.nextBoolean()) {
                editField(edits);
            } else {
                editObject(edits);
            }
        }
    }

    /** Replaces, deletes and creates whole objects, as {@code kubectl replace}, {@code apply --prune} and the restore of a backup do. */
    private void editObject(SplittableRandom edits) {
        switch (edits.nextInt(6)) {
            case 0 -> replace("replaces the lease by its bare form", bare());
            case 1 -> recreate("deletes the lease and creates its bare form", bare());
            case 2 -> prune();
            default -> {
                if (!copies().isEmpty()) {
                    JsonObject copy = someCopy(edits);
                    String version = "v" + Metadata.version(copy);
                    if (edits.nextBoolean()) {
                        replace("puts back " + version, copy);
                    } else {
                        recreate("deletes the lease and puts back " + version, copy);
                    }
                }
            }
        }
    }

    private List<JsonObject> copies() {
        return copies.stream()
                .filter(copy -> lease.name().equals(Metadata.name(copy)))
                .toList();
    }

    /** Any copy; often one of a grant, of a release or of an administrator's own edit, of which there are few. */
    private JsonObject someCopy(SplittableRandom edits) {
        List<JsonObject> all = copies();
        List<JsonObject> ofNoTerm =
                all.stream().filter(copy -> !showsTerm(copy)).toList();
        List<JsonObject> from = ofNoTerm.isEmpty() || edits.nextBoolean() ? all : ofNoTerm;
        return from.get(edits.nextInt(from.size()));
    }

    private static boolean showsTerm(JsonObject lease) {
        JsonElement term = Metadata.child(Metadata.of(lease), "annotations").get(TERM);
        return term != null && term.getAsString().contains("\"write\"");
    }

    /** The lease as in a repository: only its name. */
    private JsonObject bare() {
        JsonObject object = object("kind", new JsonPrimitive(kind.resource().kind()));
        object.addProperty("apiVersion", kind.resource().apiVersion());
        object.add("metadata", object("name", new JsonPrimitive(lease.name())));
        if (isLease()) {
            JsonObject spec = new JsonObject();
            if (noHolder().isJsonPrimitive()) {
                spec.add("holderIdentity", noHolder());
            }
            object.add("spec", spec);
        }
        return object;
    }

    /** No holder: empty for kube-apiserver's coordinator, because an absent one crashes it, by its own bug. */
    private JsonElement noHolder() {
        return kind == ClusterKind.NATIVE ? new JsonPrimitive("") : JsonNull.INSTANCE;
    }

    /** Replaces the lease by an object, or creates it. The lease keeps its uid. */
    private void replace(String what, JsonObject object) {
        JsonObject present = present();
        history.line("administrator", what);
        if (present == null) {
            server.handle(Verb.CREATE, kind.resource(), lease, unidentified(object));
        } else {
            JsonObject next = unidentified(object);
            Metadata.of(next).add("resourceVersion", Metadata.of(present).get("resourceVersion"));
            server.replace(kind.resource(), lease, next);
        }
    }

    private void recreate(String what, JsonObject object) {
        history.line("administrator", what);
        server.handle(Verb.DELETE, kind.resource(), lease, null);
        server.handle(Verb.CREATE, kind.resource(), lease, unidentified(object));
    }

    private static JsonObject unidentified(JsonObject object) {
        JsonObject copy = object.deepCopy();
        for (String field : List.of("resourceVersion", "uid", "creationTimestamp", "managedFields")) {
            Metadata.of(copy).remove(field);
        }
        return copy;
    }

    /** Removes from the lease whatever the repository's object doesn't have. */
    private void prune() {
        JsonObject patch = new JsonObject();
        patch.add("metadata", object("annotations", JsonNull.INSTANCE));
        Metadata.of(patch).add("labels", JsonNull.INSTANCE);
        if (isLease()) {
            JsonObject spec = new JsonObject();
            spec.add("holderIdentity", noHolder());
            for (String field : List.of("leaseDurationSeconds", "acquireTime", "renewTime", "leaseTransitions")) {
                spec.add(field, JsonNull.INSTANCE);
            }
            patch.add("spec", spec);
        }
        edit("prunes the lease", Verb.PATCH, kind.resource(), patch);
    }

    /** Edits one field of the record, as {@code kubectl edit} does. */
    private void editField(SplittableRandom edits) {
        switch (edits.nextInt(9)) {
            case 0, 1 ->
                set(
                        "leaseDurationSeconds",
                        edits.nextInt(8) == 0
                                ? JsonNull.INSTANCE
                                : new JsonPrimitive(DURATIONS[edits.nextInt(DURATIONS.length)]));
            case 2 -> set("renewTime", someTime(edits));
            case 3 -> set("acquireTime", someTime(edits));
            case 4 ->
                set(transitions(), edits.nextInt(4) == 0 ? JsonNull.INSTANCE : new JsonPrimitive(edits.nextInt(1000)));
            case 5 -> set("holderIdentity", noHolder());
            case 6 -> editTerm("duration", new JsonPrimitive(DURATIONS[edits.nextInt(SHORT_DURATIONS)]));
            case 7 -> editTerm("ended", new JsonPrimitive("*"));
            default -> {
                JsonObject annotations = object(TERM, JsonNull.INSTANCE);
                edit("removes the term annotation", Verb.PATCH, kind.resource(), metadata(annotations));
            }
        }
    }

    /** Edits a part of the annotation of a term; the holder stays. An edit of what it ended refers to the present version. */
    private void editTerm(String part, JsonElement value) {
        JsonObject present = present();
        JsonElement text = present == null
                ? null
                : Metadata.child(Metadata.of(present), "annotations").get(TERM);
        if (present == null || text == null || !text.getAsString().contains("\"write\"")) {
            return;
        }
        JsonObject term = JsonParser.parseString(text.getAsString()).getAsJsonObject();
        term.add(part, value);
        if (part.equals("ended")) {
            term.add("after", Metadata.of(present).get("resourceVersion"));
        }
        JsonObject annotations = object(TERM, new JsonPrimitive(term.toString()));
        annotations.add(EDITED, term.get("write"));
        edit(
                "sets " + part + " to " + value + " in the term annotation",
                Verb.PATCH,
                kind.resource(),
                metadata(annotations));
    }

    /** Deletes the lease and puts back any copy, several times in a row; the last state says little about those before. */
    void deleteAndRestore() {
        SplittableRandom choice = Objects.requireNonNull(edits);
        chooseLease(choice);
        for (int i = 0; i < 1 + choice.nextInt(3); i++) {
            edit("deletes the lease", Verb.DELETE, kind.resource(), null);
            if (!copies().isEmpty() && choice.nextInt(4) > 0) {
                JsonObject copy = someCopy(choice);
                replace("puts back v" + Metadata.version(copy), copy);
            }
        }
    }

    private String transitions() {
        return isLease() ? "leaseTransitions" : "leaderTransitions";
    }

    private static JsonElement someTime(SplittableRandom edits) {
        return edits.nextBoolean()
                ? JsonNull.INSTANCE
                : new JsonPrimitive("2026-01-01T0%d:00:00.000000Z".formatted(edits.nextInt(10)));
    }

    /**
     * The documented line that ends all claims on the lease: it removes the holder, and cites the version that it replaces. The
     * administrator has made sure that no process leads.
     */
    public void endClaims(ObjectKey claimed) {
        lease = claimed;
        JsonObject present = present();
        if (present == null || (!isLease() && record(present) == null)) {
            replace("creates the bare lease", isLease() ? bare() : emptyRecord());
            present = Objects.requireNonNull(present(), "just created");
        }
        JsonElement version = Metadata.of(present).get("resourceVersion");
        JsonObject ended = object("ended", new JsonPrimitive("*"));
        ended.add("after", version);
        JsonObject annotations = object(TERM, new JsonPrimitive(ended.toString()));
        JsonObject patch = with("holderIdentity", new JsonPrimitive(""), present);
        if (patch.has("metadata")) {
            Metadata.child(Metadata.of(patch), "annotations").add(TERM, annotations.get(TERM));
        } else {
            patch.add("metadata", object("annotations", annotations));
        }
        Metadata.of(patch).add("resourceVersion", version);
        edit("ends all claims after v" + version.getAsString(), Verb.PATCH, kind.resource(), patch);
    }

    private JsonObject emptyRecord() {
        JsonObject object = bare();
        Metadata.of(object).add("annotations", object(RECORD, new JsonPrimitive("{}")));
        return object;
    }

    private void set(String field, JsonElement value) {
        set("sets " + field + " to " + value, field, value);
    }

    /** Sets a field of the record, which is part of a Lease's spec or of an annotation. */
    private void set(String what, String field, JsonElement value) {
        JsonObject present = present();
        if (present != null && (isLease() || record(present) != null)) {
            edit(what, Verb.PATCH, kind.resource(), with(field, value, present));
        }
    }

    private JsonObject with(String field, JsonElement value, JsonObject present) {
        if (isLease()) {
            return object("spec", object(field, value));
        }
        JsonObject record = Objects.requireNonNull(record(present)).deepCopy();
        record.add(field, value);
        return metadata(object(RECORD, new JsonPrimitive(record.toString())));
    }

    private static @Nullable JsonObject record(JsonObject present) {
        JsonElement text = Metadata.child(Metadata.of(present), "annotations").get(RECORD);
        return text == null ? null : JsonParser.parseString(text.getAsString()).getAsJsonObject();
    }

    private @Nullable JsonObject present() {
        ApiResponse.Answered answer = server.handle(Verb.GET, kind.resource(), lease, null);
        return answer.ok() ? answer.body() : null;
    }

    private boolean isLease() {
        return kind.resource().equals(ResourceType.LEASES);
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
        server.handle(verb, type, lease, body);
    }
}

package io.cle.kubernetes.internal.client;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.cle.model.ObjectKey;

/**
 * The marks of a leader's pod: labels with which Services and people find it, and a deletion cost with which a ReplicaSet deletes it last. Pure.
 *
 * @param labels the pod's labels that are marks
 * @param annotations the pod's annotations that are marks
 */
record PodMarks(Map<String, String> labels, Map<String, String> annotations) {

    static final String LEADER = "coordination.cle.io/leader";
    static final String LEADER_OF = "leader.coordination.cle.io/";
    static final String COST = "controller.kubernetes.io/pod-deletion-cost";

    /** The cost that this software has written. A cost that differs from it was set by somebody else. */
    static final String WRITTEN_COST = "coordination.cle.io/pod-deletion-cost";

    /** The longest name of a label, without its prefix. */
    private static final int LONGEST_NAME = 63;

    PodMarks {
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
    }

    /** Returns the marks in the metadata of a pod. */
    static PodMarks of(JsonObject metadata) {
        Map<String, String> labels = texts(metadata, "labels");
        labels.keySet().removeIf(name -> !name.equals(LEADER) && !name.startsWith(LEADER_OF));
        Map<String, String> annotations = texts(metadata, "annotations");
        annotations.keySet().removeIf(name -> !name.equals(COST) && !name.equals(WRITTEN_COST));
        return new PodMarks(labels, annotations);
    }

    /**
     * Returns the marks that this pod should have. A cost that somebody else has set stays.
     *
     * @param held the leases that the pod's process holds
     */
    PodMarks whileHolding(Collection<ObjectKey> held) {
        Map<String, String> desired = new HashMap<>();
        held.stream()
                .map(ObjectKey::name)
                .filter(name -> name.length() <= LONGEST_NAME)
                .forEach(name -> desired.put(LEADER_OF + name, "true"));
        if (!held.isEmpty()) {
            desired.put(LEADER, "true");
        }
        String cost = annotations.get(COST);
        if (cost != null && !hasWrittenCost()) {
            return new PodMarks(desired, Map.of(COST, cost));
        }
        String own = Integer.toString(held.size());
        return new PodMarks(desired, held.isEmpty() ? Map.of() : Map.of(COST, own, WRITTEN_COST, own));
    }

    /** Returns whether the pod has a cost that this software has written. */
    boolean hasWrittenCost() {
        String cost = annotations.get(COST);
        return cost != null && cost.equals(annotations.get(WRITTEN_COST));
    }

    /** Returns whether a label of these is missing in others. */
    boolean hasLabelNotIn(PodMarks others) {
        return !others.labels.keySet().containsAll(labels.keySet());
    }

    /** Returns the fields of a pod's metadata, for a merge patch, that replace these marks by others. */
    JsonObject replacedBy(PodMarks others) {
        JsonObject metadata = new JsonObject();
        metadata.add("labels", changes(labels, others.labels));
        metadata.add("annotations", changes(annotations, others.annotations));
        return metadata;
    }

    private static JsonObject changes(Map<String, String> from, Map<String, String> to) {
        JsonObject changes = new JsonObject();
        from.keySet().stream()
                .filter(name -> !to.containsKey(name))
                .forEach(name -> changes.add(name, JsonNull.INSTANCE));
        to.forEach((name, value) -> {
            if (!value.equals(from.get(name))) {
                changes.addProperty(name, value);
            }
        });
        return changes;
    }

    private static Map<String, String> texts(JsonObject metadata, String field) {
        Map<String, String> texts = new HashMap<>();
        if (metadata.get(field) instanceof JsonObject object) {
            object.entrySet().stream()
                    .filter(entry -> entry.getValue().isJsonPrimitive())
                    .forEach(entry -> texts.put(entry.getKey(), entry.getValue().getAsString()));
        }
        return texts;
    }
}

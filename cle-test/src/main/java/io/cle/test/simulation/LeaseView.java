package io.cle.test.simulation;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.jspecify.annotations.Nullable;

/**
 * What a checker needs of a lease as it is stored, read without the code that it checks.
 *
 * @param version its resourceVersion
 * @param holder who holds it; null when nobody does
 * @param mark what tells of a term, the running one or an older one; null where nothing does
 * @param coordinated whether a coordinator has elected the holder, by what stands there
 * @param preferred to whom the holder shall yield; null when it isn't asked to
 * @param strategy the strategy that stands on it
 * @param administrators the strategy that an administrator has put on it; null where none has
 */
record LeaseView(
        String version,
        @Nullable String holder,
        @Nullable String mark,
        boolean coordinated,
        @Nullable String preferred,
        @Nullable String strategy,
        @Nullable String administrators) {

    static LeaseView of(JsonObject object) {
        JsonObject metadata = Words.child(object, "metadata");
        JsonObject annotations = Words.child(metadata, "annotations");
        JsonObject spec = Words.child(object, "spec");
        String record = text(annotations, "control-plane.alpha.kubernetes.io/leader");
        if (record != null) {
            spec = JsonParser.parseString(record).getAsJsonObject();
        }
        String strategy = text(spec, "strategy");
        String administrators = text(annotations, "coordination.k8s.io/strategy");
        String inField = text(spec, "preferredHolder");
        String inAnnotation = "true".equals(text(annotations, "coordination.k8s.io/end-of-term"))
                ? String.valueOf(text(annotations, "coordination.k8s.io/preferred-holder"))
                : null;
        return new LeaseView(
                String.valueOf(text(metadata, "resourceVersion")),
                text(spec, "holderIdentity"),
                text(annotations, "coordination.cle.io/term"),
                text(annotations, "coordination.k8s.io/elected-by") != null || strategy != null,
                inField != null ? inField : inAnnotation,
                administrators != null ? administrators : strategy,
                administrators);
    }

    private static @Nullable String text(JsonObject parent, String name) {
        JsonElement value = parent.get(name);
        String text = value != null && value.isJsonPrimitive() ? value.getAsString() : "";
        return text.isEmpty() ? null : text;
    }
}

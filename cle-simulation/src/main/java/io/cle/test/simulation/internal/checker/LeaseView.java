package io.cle.test.simulation.internal.checker;

import java.util.Objects;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.store.Metadata;
import io.cle.test.simulation.internal.nemesis.Administrator;
import org.jspecify.annotations.Nullable;

/**
 * What the checker needs of a stored lease, read without the code that it checks.
 *
 * @param version its resourceVersion
 * @param holder the holder; null if there is none
 * @param seconds the lease duration; empty if there is none, or if the lease is closed
 * @param term the id of the running or an older term, from the term annotation; null if there is none
 * @param termSeconds for how long that term may run, by the annotation; 0 if there is none
 * @param coordinated whether a coordinator has elected the holder, by the annotation elected-by
 * @param preferred the preferred holder; null if the holder is not asked to yield
 * @param strategy the strategy on the lease
 * @param administrators the strategy that an administrator has set on it; null if there is none
 * @param recorded the strategy that a coordinator has recorded beside it; null if there is none
 */
record LeaseView(
        long version,
        @Nullable String holder,
        String seconds,
        @Nullable String term,
        long termSeconds,
        boolean coordinated,
        @Nullable String preferred,
        @Nullable String strategy,
        @Nullable String administrators,
        @Nullable String recorded) {

    private static final String TERM = "coordination.cle.io/term";

    static LeaseView of(JsonObject object) {
        JsonObject annotations = Metadata.child(Metadata.of(object), "annotations");
        JsonObject spec = Metadata.child(object, "spec");
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
                Metadata.version(object),
                text(spec, "holderIdentity"),
                text(annotations, "coordination.cle.io/retired-by") != null
                        ? ""
                        : Objects.requireNonNullElse(text(spec, "leaseDurationSeconds"), ""),
                termOf(annotations),
                termSecondsOf(annotations),
                text(annotations, "coordination.k8s.io/elected-by") != null || strategy != null,
                inField != null ? inField : inAnnotation,
                administrators != null ? administrators : strategy,
                administrators,
                text(annotations, "coordination.cle.io/recorded-strategy"));
    }

    /** The duration in seconds that the record gives its holder; 0 if there is none. */
    long claimsFor() {
        return holder == null || seconds.isEmpty() ? 0 : Long.parseLong(seconds);
    }

    /** The id of the term, or of the preemption, in the term annotation; null if there is none, or it is of a grant or a release. */
    static @Nullable String termOf(JsonObject annotations) {
        JsonObject parts = termAnnotation(annotations);
        String term = text(parts, "term");
        return term == null ? text(parts, "preempting") : term;
    }

    /** Whether an administrator has edited the term annotation itself, since its leader wrote it. */
    static boolean termIsEdited(JsonObject annotations) {
        String edited = text(annotations, Administrator.EDITED);
        return edited != null && edited.equals(text(termAnnotation(annotations), "write"));
    }

    private static long termSecondsOf(JsonObject annotations) {
        String seconds = text(termAnnotation(annotations), "duration");
        return seconds == null ? 0 : Long.parseLong(seconds);
    }

    /** The parts of the term annotation; none if there is none. */
    private static JsonObject termAnnotation(JsonObject annotations) {
        String text = text(annotations, TERM);
        return text == null ? new JsonObject() : JsonParser.parseString(text).getAsJsonObject();
    }

    /** A text within an object; null if there is none, or an empty one. */
    static @Nullable String text(JsonObject parent, String name) {
        JsonElement value = parent.get(name);
        String text = value != null && value.isJsonPrimitive() ? value.getAsString() : "";
        return text.isEmpty() ? null : text;
    }
}

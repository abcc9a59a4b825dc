package io.cle.kubernetes.internal.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * What an API server has stored otherwise than it was written: admission policies, webhooks and gateways change objects on their way. Pure.
 * Rule: {@code safety.md#write-that-stays}.
 */
final class StoredChanges {

    /**
     * The fields of a Lease that are ignored. kube-apiserver drops the first two if its feature gate is off, which is found out otherwise
     * ({@code FeatureGateTrial}). The version is new with each write. The labels inform people only, and platforms set them by webhooks of their own.
     */
    private static final Set<String> IGNORED_OF_LEASES = Set.of(
            "spec.strategy",
            "spec.preferredHolder",
            "metadata.resourceVersion",
            "metadata.labels." + WireNames.APPLICATION,
            "metadata.labels." + WireNames.MANAGED_BY);

    /** A server may leave out what says nothing. */
    private static final Set<String> EMPTY_IN_LEASES = Set.of("", "0");

    private final Set<String> ignored;
    private final Set<String> empty;
    private final List<String> changes = new ArrayList<>();

    private StoredChanges(Set<String> ignored, Set<String> empty) {
        this.ignored = ignored;
        this.empty = empty;
    }

    /** The fields of a Lease whose stored value isn't the written one; JSON's {@code null} is written for those to take away. */
    static List<String> ofLease(JsonObject written, JsonObject stored) {
        return new StoredChanges(IGNORED_OF_LEASES, EMPTY_IN_LEASES).between(written, stored);
    }

    /** The same of a candidate, which a priority of 0 ranks above those without one. */
    static List<String> ofCandidate(JsonObject written, JsonObject stored) {
        return new StoredChanges(Set.of(), Set.of("")).between(written, stored);
    }

    private List<String> between(JsonObject written, JsonObject stored) {
        compare("", written, stored);
        return List.copyOf(changes);
    }

    private void compare(String path, JsonObject written, JsonObject stored) {
        for (Map.Entry<String, JsonElement> field : written.entrySet()) {
            String name = path + field.getKey();
            JsonElement value = field.getValue();
            JsonElement now = stored.get(field.getKey());
            if (value.isJsonObject()) {
                compare(
                        name + ".",
                        value.getAsJsonObject(),
                        now instanceof JsonObject object ? object : new JsonObject());
            } else if (!ignored.contains(name) && !same(value, now)) {
                changes.add(
                        name + (isEmpty(now) ? " is missing" : isEmpty(value) ? " is still there" : " is another one"));
            }
        }
    }

    private boolean same(JsonElement written, @Nullable JsonElement stored) {
        return written.equals(stored) || (isEmpty(written) && isEmpty(stored));
    }

    private boolean isEmpty(@Nullable JsonElement value) {
        return value == null || value.isJsonNull() || (value.isJsonPrimitive() && empty.contains(value.getAsString()));
    }
}

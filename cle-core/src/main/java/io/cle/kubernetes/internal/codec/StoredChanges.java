package io.cle.kubernetes.internal.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Finds fields that the API server has stored differently than they were written: admission policies, webhooks and gateways may change
 * objects. Pure. Rule: {@code safety.md#write-that-stays}.
 */
final class StoredChanges {

    /**
     * The fields of a Lease that are ignored. kube-apiserver drops the first two if its feature gate is off, which {@code FeatureGateTrial}
     * detects. The version changes with each write. Labels are only for people, and platforms set them with their own webhooks.
     */
    private static final Set<String> IGNORED_OF_LEASES = Set.of(
            "spec.strategy",
            "spec.preferredHolder",
            "metadata.resourceVersion",
            "metadata.labels." + WireNames.APPLICATION,
            "metadata.labels." + WireNames.MANAGED_BY);

    /** Values that a server may omit. */
    private static final Set<String> EMPTY_IN_LEASES = Set.of("", "0");

    private final Set<String> ignored;
    private final Set<String> empty;
    private final List<String> changes = new ArrayList<>();

    private StoredChanges(Set<String> ignored, Set<String> empty) {
        this.ignored = ignored;
        this.empty = empty;
    }

    /** Returns the fields of a Lease whose stored value differs from the written one; JSON {@code null} is written to remove a field. */
    static List<String> ofLease(JsonObject written, JsonObject stored) {
        return new StoredChanges(IGNORED_OF_LEASES, EMPTY_IN_LEASES).between(written, stored);
    }

    /** Returns the differing fields of a candidate. A priority of 0 isn't treated as empty, because it ranks above no priority. */
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
                        name + (isEmpty(now) ? " is missing" : isEmpty(value) ? " was not removed" : " was changed"));
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

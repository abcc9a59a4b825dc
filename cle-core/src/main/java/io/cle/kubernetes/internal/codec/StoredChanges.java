package io.cle.kubernetes.internal.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/** What an API server has stored otherwise than it was written: admission policies, webhooks and gateways change objects on their way. Pure. */
final class StoredChanges {

    /**
     * kube-apiserver drops these two if its feature gate is off, which is found out otherwise ({@code FeatureGateTrial}). The version is new with
     * each write.
     */
    private static final Set<String> PASSED_OVER =
            Set.of("spec.strategy", "spec.preferredHolder", "metadata.resourceVersion");

    private StoredChanges() {}

    /** The fields whose stored value isn't the written one; JSON's {@code null} is written for those to take away. */
    static List<String> of(JsonObject written, JsonObject stored) {
        List<String> changes = new ArrayList<>();
        compare("", written, stored, changes);
        return List.copyOf(changes);
    }

    private static void compare(String path, JsonObject written, JsonObject stored, List<String> changes) {
        for (Map.Entry<String, JsonElement> field : written.entrySet()) {
            String name = path + field.getKey();
            JsonElement value = field.getValue();
            JsonElement now = stored.get(field.getKey());
            if (value.isJsonObject()) {
                compare(
                        name + ".",
                        value.getAsJsonObject(),
                        now instanceof JsonObject object ? object : new JsonObject(),
                        changes);
            } else if (!PASSED_OVER.contains(name) && !same(value, now)) {
                changes.add(
                        name + (isEmpty(now) ? " is missing" : isEmpty(value) ? " is still there" : " is another one"));
            }
        }
    }

    private static boolean same(JsonElement written, @Nullable JsonElement stored) {
        return written.equals(stored) || (isEmpty(written) && isEmpty(stored));
    }

    /** A server may leave out what says nothing. */
    private static boolean isEmpty(@Nullable JsonElement value) {
        return value == null
                || value.isJsonNull()
                || (value.isJsonPrimitive() && Set.of("", "0").contains(value.getAsString()));
    }
}

package io.cle.election.internal.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.cle.election.internal.api.ConfigurationStatus.Condition;
import io.cle.kubernetes.internal.codec.JsonCodec;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.json.Rfc3339;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;

/** Decodes lease configurations ({@code coordination.cle.io/v1alpha1} LeaseConfiguration) and encodes their status. */
public final class LeaseConfigurationCodec implements JsonCodec<LeaseConfiguration> {

    @Override
    public ResourceType resource() {
        return ResourceType.LEASE_CONFIGURATIONS;
    }

    @Override
    public Optional<LeaseConfiguration> decode(Fields object) throws MalformedObjectException {
        String strategy = object.spec().requiredString("strategy");
        Integer generation = object.metadata().integer("generation", 0);
        return Optional.of(new LeaseConfiguration(
                object.key(), targetOf(object), strategy, generation == null ? 1 : generation, statusOf(object)));
    }

    /** Reads the status. A malformed status is ignored, and is replaced by the next report. */
    private static ConfigurationStatus statusOf(Fields object) {
        try {
            Fields status = object.child("status");
            List<Condition> conditions = new ArrayList<>();
            for (Fields condition : status.children("conditions")) {
                conditions.add(new Condition(
                        condition.requiredString("type"),
                        "True".equals(condition.string("status")),
                        // As stored, to be compared with the next one.
                        Objects.requireNonNullElse(condition.rawString("reason"), ""),
                        Objects.requireNonNullElse(condition.rawString("message"), ""),
                        condition.time("lastTransitionTime")));
            }
            Integer observed = status.integer("observedGeneration", 0);
            return new ConfigurationStatus(observed == null ? 0 : observed, List.copyOf(conditions));
        } catch (MalformedObjectException e) {
            return ConfigurationStatus.NONE;
        }
    }

    /** Returns the merge patch that writes a status. */
    public static JsonObject encode(ConfigurationStatus status) {
        JsonArray conditions = new JsonArray();
        for (Condition condition : status.conditions()) {
            JsonObject json = new JsonObject();
            json.addProperty("type", condition.type());
            json.addProperty("status", condition.holds() ? "True" : "False");
            json.addProperty("reason", condition.reason());
            json.addProperty("message", condition.message());
            json.addProperty("lastTransitionTime", Rfc3339.seconds(condition.since()));
            conditions.add(json);
        }
        JsonObject content = new JsonObject();
        content.addProperty("observedGeneration", status.observedGeneration());
        content.add("conditions", conditions);
        JsonObject patch = new JsonObject();
        patch.add("status", content);
        return patch;
    }

    private static ObjectKey targetOf(Fields object) throws MalformedObjectException {
        String target = object.spec().requiredString("targetLease");
        try {
            return target.indexOf('/') < 0 ? new ObjectKey(object.key().namespace(), target) : ObjectKey.parse(target);
        } catch (IllegalArgumentException e) {
            throw new MalformedObjectException("spec.targetLease: " + e.getMessage());
        }
    }
}

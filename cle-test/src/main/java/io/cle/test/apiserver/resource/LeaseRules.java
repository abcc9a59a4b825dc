package io.cle.test.apiserver.resource;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.resource.SpecFields.FieldType;
import io.cle.test.apiserver.status.StatusCause;
import io.cle.test.apiserver.store.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * Leases of {@code coordination.k8s.io/v1}. Their {@code strategy} and {@code preferredHolder} are kept only if the
 * server coordinates leader election; otherwise they are silently dropped, as by an old server.
 */
final class LeaseRules implements ObjectRules {

    private static final SpecFields SPEC = new SpecFields(
            "Lease",
            "v1",
            Map.of(
                    "holderIdentity", FieldType.STRING,
                    "leaseDurationSeconds", FieldType.INT32,
                    "acquireTime", FieldType.MICRO_TIME,
                    "renewTime", FieldType.MICRO_TIME,
                    "leaseTransitions", FieldType.INT32,
                    "strategy", FieldType.STRING,
                    "preferredHolder", FieldType.STRING));
    private static final Set<String> NATIVE = Set.of("strategy", "preferredHolder");

    private final BooleanSupplier nativeServed;

    LeaseRules(BooleanSupplier nativeServed) {
        this.nativeServed = nativeServed;
    }

    @Override
    public List<String> decode(JsonObject object) {
        SPEC.decode(object, nativeServed.getAsBoolean() ? Set.of() : NATIVE);
        return List.of();
    }

    @Override
    public void validate(JsonObject object, @Nullable JsonObject present, List<StatusCause> causes) {
        JsonObject spec = object.getAsJsonObject("spec");
        JsonElement duration = spec.get("leaseDurationSeconds");
        if (duration != null && duration.getAsInt() <= 0) {
            causes.add(
                    StatusCause.invalid("spec.leaseDurationSeconds", duration.getAsString(), "must be greater than 0"));
        }
        JsonElement transitions = spec.get("leaseTransitions");
        if (transitions != null && transitions.getAsInt() < 0) {
            causes.add(StatusCause.invalid(
                    "spec.leaseTransitions", transitions.getAsString(), "must be greater than or equal to 0"));
        }
        String strategy = Metadata.string(spec, "strategy");
        if (strategy != null && !strategy.equals(strategyOf(present))) {
            LeaseStrategies.validate(strategy, causes);
        }
        String preferred = Metadata.string(spec, "preferredHolder");
        if (preferred != null && !preferred.isEmpty() && (strategy == null || strategy.isEmpty())) {
            causes.add(StatusCause.forbidden("spec.preferredHolder", "may only be specified if `strategy` is defined"));
        }
    }

    /** Stored values were validated when they were written. */
    private static @Nullable String strategyOf(@Nullable JsonObject present) {
        return present != null && present.get("spec") instanceof JsonObject spec
                ? Metadata.string(spec, "strategy")
                : null;
    }
}

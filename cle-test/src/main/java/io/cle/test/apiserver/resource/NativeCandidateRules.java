package io.cle.test.apiserver.resource;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import com.google.gson.JsonObject;
import io.cle.model.Version;
import io.cle.test.apiserver.resource.SpecFields.FieldType;
import io.cle.test.apiserver.status.StatusCause;
import io.cle.test.apiserver.store.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * LeaseCandidates of {@code coordination.k8s.io}, validated as by Kubernetes. All versions have the same fields and the same objects.
 */
final class NativeCandidateRules implements ObjectRules {

    private static final Version NONE = Version.parse("0.0.0");
    private static final Map<String, FieldType> FIELDS = Map.of(
            "leaseName", FieldType.STRING,
            "pingTime", FieldType.MICRO_TIME,
            "renewTime", FieldType.MICRO_TIME,
            "binaryVersion", FieldType.STRING,
            "emulationVersion", FieldType.STRING,
            "strategy", FieldType.STRING);

    /** Validated when one of them changes; most writes are renewals, which change none. */
    private static final List<String> VALIDATED = List.of("leaseName", "binaryVersion", "emulationVersion", "strategy");

    private final SpecFields fields;

    NativeCandidateRules(String version) {
        this.fields = new SpecFields("LeaseCandidate", version, FIELDS);
    }

    @Override
    public List<String> decode(JsonObject object) {
        fields.decode(object, Set.of());
        JsonObject spec = object.getAsJsonObject("spec");
        if (Metadata.text(spec, "emulationVersion").isEmpty()) {
            spec.remove("emulationVersion");
        }
        return List.of();
    }

    @Override
    public void validate(JsonObject object, @Nullable JsonObject present, List<StatusCause> causes) {
        JsonObject spec = object.getAsJsonObject("spec");
        if (present != null && present.get("spec") instanceof JsonObject before && isRenewal(before, spec)) {
            return;
        }
        if (Metadata.text(spec, "leaseName").isEmpty()) {
            causes.add(StatusCause.required("spec.leaseName", ""));
        }
        String emulationText = Metadata.text(spec, "emulationVersion");
        Version emulation = version("spec.emulationVersion", emulationText, causes);
        String binaryText = Metadata.text(spec, "binaryVersion");
        if (binaryText.isEmpty()) {
            causes.add(StatusCause.required("spec.binaryVersion", ""));
        }
        Version binary = version("spec.binaryVersion", binaryText, causes);
        if (!binaryText.isEmpty() && !emulationText.isEmpty() && binary.compareTo(emulation) < 0) {
            causes.add(StatusCause.invalid(
                    "spec.binaryVersion",
                    '"' + binaryText + '"',
                    "must be greater than or equal to `emulationVersion`"));
        }
        validateStrategy(Metadata.text(spec, "strategy"), emulation, causes);
        if (present != null
                && present.get("spec") instanceof JsonObject before
                && !Metadata.text(before, "leaseName").equals(Metadata.text(spec, "leaseName"))) {
            causes.add(StatusCause.invalid(
                    "spec.leaseName", '"' + Metadata.text(spec, "leaseName") + '"', "field is immutable"));
        }
    }

    private static boolean isRenewal(JsonObject before, JsonObject spec) {
        for (String field : VALIDATED) {
            if (!Objects.equals(before.get(field), spec.get(field))) {
                return false;
            }
        }
        return true;
    }

    private static void validateStrategy(String strategy, Version emulation, List<StatusCause> causes) {
        if (strategy.isEmpty()) {
            causes.add(StatusCause.required("spec.strategy", ""));
            return;
        }
        if (strategy.equals(LeaseStrategies.OLDEST_EMULATION_VERSION) && emulation.compareTo(NONE) == 0) {
            causes.add(StatusCause.required(
                    "spec.emulationVersion", "must be specified when `strategy` is 'OldestEmulationVersion'"));
        }
        LeaseStrategies.validate(strategy, causes);
    }

    /** Like kube-apiserver, treats a malformed version as 0.0.0. */
    private static Version version(String field, String text, List<StatusCause> causes) {
        if (text.isEmpty()) {
            return NONE;
        }
        try {
            Version version = Version.parse(text);
            // Kubernetes rejects versions of two numbers; ours adds a third one.
            if (version.toString().equals(text)) {
                return version;
            }
        } catch (IllegalArgumentException e) {
            // Rejected below.
        }
        causes.add(StatusCause.invalid(field, '"' + text + '"', "must be a valid semantic version"));
        return NONE;
    }
}

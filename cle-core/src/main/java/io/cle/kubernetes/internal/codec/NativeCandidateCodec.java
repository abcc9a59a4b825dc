package io.cle.kubernetes.internal.codec;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.json.Rfc3339;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * Candidates of the native format, {@code coordination.k8s.io} LeaseCandidate. As in client-go, an acknowledgement doesn't remove the ping;
 * a renewal that isn't earlier than the ping acknowledges it.
 *
 * @param resource the resource in one of the versions {@link ResourceType#NATIVE_VERSIONS}
 */
public record NativeCandidateCodec(ResourceType resource) implements CandidateCodec {

    /** How long a candidate is valid after a renewal for kube-apiserver; the format has no field for it. */
    static final Duration VALIDITY = Duration.ofMinutes(30);

    @Override
    public Optional<Candidate> decode(Fields object) throws MalformedObjectException {
        Fields spec = object.spec();
        Candidate.Builder candidate = CandidateFields.readMetadata(object, leaseOf(object))
                .binaryVersion(VersionLabel.version("spec.binaryVersion", spec.string("binaryVersion")))
                .compatibilityVersion(VersionLabel.version("spec.emulationVersion", spec.string("emulationVersion")))
                .priority(priorityOf(object.metadata().child("annotations")))
                .pingTime(spec.time("pingTime"))
                .renewTime(spec.time("renewTime"))
                .validity(VALIDITY);
        String strategy = NativeStrategies.decode(spec.string("strategy"));
        if (strategy != null) {
            candidate.strategy(strategy);
        }
        return CandidateFields.checked(candidate);
    }

    @Override
    public @Nullable ObjectKey leaseNamedBy(Fields object) {
        try {
            return leaseOf(object);
        } catch (MalformedObjectException e) {
            return null;
        }
    }

    private static ObjectKey leaseOf(Fields object) throws MalformedObjectException {
        return new ObjectKey(object.key().namespace(), object.spec().requiredString("leaseName"));
    }

    @Override
    public JsonObject renewal(Candidate candidate) {
        CandidateFields.checkVersions(candidate).ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
        if (candidate.group() != null) {
            throw new IllegalArgumentException("the native format has no candidates for groups of leases, such as "
                    + candidate.lease() + "; install the LeaseCandidate CRD, and use the crd format");
        }
        if (!candidate.lease().namespace().equals(candidate.key().namespace())) {
            throw new IllegalArgumentException("in the native format a candidate is in the namespace of its lease "
                    + candidate.lease() + "; use the crd format to lead a lease of another namespace");
        }
        if (candidate.binaryVersion() == null) {
            throw new IllegalArgumentException(
                    "the native format requires a binary version; set the candidate's binary version");
        }
        JsonObject annotations = new JsonObject();
        annotations.addProperty(WireNames.PRIORITY, text(candidate.priority()));
        JsonObject metadata = new JsonObject();
        metadata.add("annotations", annotations);
        CandidateFields.putPod(candidate, metadata);
        JsonObject spec = new JsonObject();
        spec.addProperty("leaseName", candidate.lease().name());
        spec.addProperty("binaryVersion", text(candidate.binaryVersion()));
        spec.addProperty("emulationVersion", text(candidate.compatibilityVersion()));
        spec.addProperty("strategy", NativeStrategies.announced(candidate.strategy()));
        spec.addProperty("renewTime", Rfc3339.micro(candidate.renewTime()));
        JsonObject patch = new JsonObject();
        patch.add("metadata", metadata);
        patch.add("spec", spec);
        return patch;
    }

    @Override
    public JsonObject ping(Instant time) {
        JsonObject spec = new JsonObject();
        spec.addProperty("pingTime", Rfc3339.micro(time));
        JsonObject patch = new JsonObject();
        patch.add("spec", spec);
        return patch;
    }

    private static @Nullable Integer priorityOf(Fields annotations) throws MalformedObjectException {
        String text = annotations.string(WireNames.PRIORITY);
        try {
            return text == null ? null : Integer.valueOf(text);
        } catch (NumberFormatException e) {
            throw new MalformedObjectException("metadata.annotations." + WireNames.PRIORITY
                    + " must be a whole number and is '" + Json.excerpt(text) + "'");
        }
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }
}

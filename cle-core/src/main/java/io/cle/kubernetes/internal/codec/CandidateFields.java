package io.cle.kubernetes.internal.codec;

import java.util.Optional;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.Version;
import org.jspecify.annotations.Nullable;

/** The parts of a candidate that are written the same way in both formats. */
final class CandidateFields {

    private CandidateFields() {}

    /** Returns a builder for a candidate with the metadata that both formats share. */
    static Candidate.Builder readMetadata(Fields object, ObjectKey lease) throws MalformedObjectException {
        return readMetadata(object, Candidate.builder(object.key(), lease));
    }

    /** Adds the metadata that both formats share. */
    static Candidate.Builder readMetadata(Fields object, Candidate.Builder candidate) throws MalformedObjectException {
        return candidate
                .resourceVersion(object.resourceVersion())
                .creationTime(object.metadata().time("creationTimestamp"))
                .pod(podOf(object));
    }

    /**
     * Returns the owning pod. Kubernetes deletes the candidate with the pod, and the coordinator reads the pod's state
     * (safety.md#terminated-holder).
     */
    private static @Nullable PodRef podOf(Fields object) throws MalformedObjectException {
        for (Fields owner : object.metadata().children("ownerReferences")) {
            if ("Pod".equals(owner.string("kind")) && "v1".equals(owner.string("apiVersion"))) {
                ObjectKey key = new ObjectKey(object.key().namespace(), owner.requiredString("name"));
                String container = object.metadata().child("annotations").string(WireNames.CONTAINER);
                return new PodRef(key, owner.requiredString("uid"), container);
            }
        }
        return null;
    }

    /** Returns the problem of a candidate's versions: a program can't be compatible with a version later than its own. */
    static Optional<String> checkVersions(Candidate candidate) {
        Version binary = candidate.binaryVersion();
        Version compatibility = candidate.compatibilityVersion();
        return binary == null || compatibility == null || compatibility.compareTo(binary) <= 0
                ? Optional.empty()
                : Optional.of("the compatibility version " + compatibility + " is above the binary version " + binary);
    }

    /** Builds the candidate; empty if its fields contradict each other. */
    static Optional<Candidate> checked(Candidate.Builder read) throws MalformedObjectException {
        Candidate candidate = read.build();
        Optional<String> problem = checkVersions(candidate);
        if (problem.isPresent()) {
            throw new MalformedObjectException(problem.get());
        }
        return Optional.of(candidate);
    }

    /** Sets the owner and the container if the pod is known. Otherwise omits them, so that the patch doesn't change the stored owners. */
    static void putPod(Candidate candidate, JsonObject metadata) {
        PodRef pod = candidate.pod();
        if (pod == null) {
            return;
        }
        metadata.getAsJsonObject("annotations").addProperty(WireNames.CONTAINER, pod.container());
        JsonObject owner = new JsonObject();
        owner.addProperty("apiVersion", "v1");
        owner.addProperty("kind", "Pod");
        owner.addProperty("name", pod.key().name());
        owner.addProperty("uid", pod.uid());
        owner.addProperty("controller", false);
        owner.addProperty("blockOwnerDeletion", false);
        JsonArray owners = new JsonArray();
        owners.add(owner);
        metadata.add("ownerReferences", owners);
    }
}

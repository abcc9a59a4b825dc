package io.cle.kubernetes.internal.codec;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.cle.ApiFormat;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.json.Rfc3339;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.Version;
import io.cle.model.internal.Names;
import org.jspecify.annotations.Nullable;

/** Candidates as JSON, in one wire format. Pure. */
public abstract sealed class CandidateJson implements JsonCodec<Candidate> {

    private final ResourceType resource;

    private CandidateJson(ResourceType resource) {
        this.resource = resource;
    }

    /** Returns the codec of a kind of candidates. */
    public static CandidateJson of(ResourceType kind) {
        return kind.format() == ApiFormat.NATIVE ? new Native(kind) : new Crd(kind);
    }

    @Override
    public ResourceType resource() {
        return resource;
    }

    /** Decodes a candidate, which is malformed if its fields contradict each other. */
    @Override
    public Optional<Candidate> decode(Fields object) throws MalformedObjectException {
        Candidate.Builder read = read(object)
                .resourceVersion(object.resourceVersion())
                .creationTime(object.metadata().time("creationTimestamp"))
                .pod(podOf(object))
                .renewTime(object.spec().time("renewTime"));
        String strategy = strategyOf(object.spec().string("strategy"));
        Candidate candidate =
                strategy == null ? read.build() : read.strategy(strategy).build();
        Optional<String> problem = problemOfVersions(candidate);
        if (problem.isPresent()) {
            throw new MalformedObjectException(problem.get());
        }
        return Optional.of(candidate);
    }

    abstract Candidate.Builder read(Fields object) throws MalformedObjectException;

    abstract @Nullable String strategyOf(@Nullable String field);

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

    /** Returns a version as a label's value, which can't contain a plus sign. It is written as an underscore, which no version contains. */
    static @Nullable String label(@Nullable Version version) {
        return version == null ? null : version.toString().replace('+', '_');
    }

    /** Reads the version in a label or field; {@code null} if it is empty. */
    static @Nullable Version version(Fields parent, String name) throws MalformedObjectException {
        String value = parent.string(name);
        if (value == null || value.isEmpty()) {
            return null;
        }
        try {
            return Version.parse(value.replace('_', '+'));
        } catch (IllegalArgumentException e) {
            throw new MalformedObjectException(parent.at(name) + ": " + e.getMessage());
        }
    }

    /** Returns the problem of a candidate's versions: a program can't be compatible with a version later than its own. */
    private static Optional<String> problemOfVersions(Candidate candidate) {
        Version binary = candidate.binaryVersion();
        Version compatibility = candidate.compatibilityVersion();
        return binary == null || compatibility == null || compatibility.compareTo(binary) <= 0
                ? Optional.empty()
                : Optional.of("the compatibility version " + compatibility + " is above the binary version " + binary);
    }

    /**
     * Returns the merge patch that writes a candidate's own fields and removes a ping. It contains everything except the name, so that it
     * can also create a candidate.
     *
     * @throws IllegalArgumentException if the format can't express the candidate, with a message for people
     */
    public JsonObject renewal(Candidate candidate) {
        JsonObject metadata = new JsonObject();
        metadata.add("annotations", new JsonObject());
        JsonObject spec = new JsonObject();
        put(candidate, metadata, spec);
        problemOfVersions(candidate).ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
        putPod(candidate, metadata);
        spec.addProperty("renewTime", Rfc3339.micro(candidate.renewTime()));
        return LeaseJson.patch(metadata, spec);
    }

    /** Adds the format's own fields, and all annotations. */
    abstract void put(Candidate candidate, JsonObject metadata, JsonObject spec);

    /** Sets the owner and the container if the pod is known. Otherwise omits them, so that the patch doesn't change the stored owners. */
    private static void putPod(Candidate candidate, JsonObject metadata) {
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

    /** Returns the merge patch of a ping. */
    public abstract JsonObject ping(Instant time);

    /**
     * Returns all changes, because the election depends on each of a candidate's fields (safety.md#write-that-stays). A priority of 0 isn't
     * treated as empty, because it ranks above no priority.
     */
    @Override
    public List<String> changes(JsonObject written, JsonObject stored) {
        return Json.differences(written, stored, Set.of(""));
    }

    /** Candidates of the crd format, {@code coordination.cle.io/v1alpha1} LeaseCandidate. */
    private static final class Crd extends CandidateJson {

        private static final String GROUP = "group";
        private static final String SHARDS = "shards";
        private static final String LEASES = "leases";
        private static final String WITHDRAWN = "withdrawn";

        Crd(ResourceType resource) {
            super(resource);
        }

        @Override
        Candidate.Builder read(Fields object) throws MalformedObjectException {
            Fields labels = object.metadata().child("labels");
            Fields spec = object.spec();
            Candidate.Builder candidate = candidateOf(object.key(), leaseOf(object), spec.child(GROUP))
                    .binaryVersion(version(labels, WireNames.BINARY_VERSION))
                    .compatibilityVersion(version(labels, WireNames.COMPATIBILITY_VERSION))
                    .pingTime(object.metadata().child("annotations").time(WireNames.PENDING_ACK))
                    .priority(spec.integer("priority", Integer.MIN_VALUE));
            Integer validity = spec.integer("leaseDurationSeconds", 1);
            return validity == null ? candidate : candidate.validity(Duration.ofSeconds(validity));
        }

        private static ObjectKey leaseOf(Fields object) throws MalformedObjectException {
            try {
                return ObjectKey.parse(object.spec().requiredString("canLeadLease"));
            } catch (IllegalArgumentException e) {
                throw new MalformedObjectException("spec.canLeadLease: " + e.getMessage());
            }
        }

        @Override
        @Nullable
        String strategyOf(@Nullable String field) {
            return field == null || field.isEmpty() ? null : field;
        }

        private static Candidate.Builder candidateOf(ObjectKey key, ObjectKey lease, Fields spec)
                throws MalformedObjectException {
            Optional<LeaseGroup> named = LeaseGroup.ofPattern(lease);
            Integer shards = spec.integer(SHARDS, 1);
            List<String> names = spec.strings(LEASES);
            List<Integer> withdrawn = spec.integers(WITHDRAWN);
            if (named.isEmpty() && shards == null && names.isEmpty()) {
                return Candidate.builder(key, lease);
            }
            int number = shards == null ? 0 : shards;
            if (named.isEmpty()
                    || named.get().shards() != number
                    || names.isEmpty() != (shards != null)
                    || withdrawn.stream().anyMatch(shard -> shard >= number)) {
                throw new MalformedObjectException(
                        "spec.group doesn't match spec.canLeadLease, which is " + lease
                                + ": <lease>-<number>-* has this number of shards, <group>-* has leases, and any other name neither");
            }
            LeaseGroup group = named.get();
            if (shards != null && withdrawn.isEmpty()) {
                return Candidate.builder(key, group);
            }
            Set<ObjectKey> leases = new HashSet<>(group.leases());
            withdrawn.forEach(shard -> leases.remove(group.lease(shard)));
            for (String name : names) {
                Optional<String> problem = Names.problemOfName(name);
                if (problem.isPresent()) {
                    throw new MalformedObjectException("spec.group.leases has '" + name + "', which " + problem.get());
                }
                leases.add(new ObjectKey(group.namespace(), name));
            }
            return Candidate.builder(key, group).leases(leases);
        }

        @Override
        void put(Candidate candidate, JsonObject metadata, JsonObject spec) {
            JsonObject labels = new JsonObject();
            labels.addProperty(WireNames.BINARY_VERSION, label(candidate.binaryVersion()));
            labels.addProperty(WireNames.COMPATIBILITY_VERSION, label(candidate.compatibilityVersion()));
            metadata.getAsJsonObject("annotations").add(WireNames.PENDING_ACK, JsonNull.INSTANCE);
            metadata.add("labels", labels);
            spec.addProperty("canLeadLease", candidate.lease().toString());
            LeaseGroup ofGroup = candidate.group();
            if (ofGroup != null) {
                spec.add(GROUP, group(ofGroup, candidate));
            }
            spec.addProperty("strategy", candidate.strategy());
            spec.addProperty("priority", candidate.priority());
            spec.addProperty("leaseDurationSeconds", LeaseJson.seconds(candidate.validity(), 1));
        }

        private static JsonObject group(LeaseGroup group, Candidate candidate) {
            JsonObject json = new JsonObject();
            if (group.isSharded()) {
                JsonArray withdrawn = new JsonArray();
                candidate.withdrawnShards().forEach(withdrawn::add);
                json.addProperty(SHARDS, group.shards());
                json.add(WITHDRAWN, withdrawn.isEmpty() ? JsonNull.INSTANCE : withdrawn);
            } else {
                JsonArray leases = new JsonArray();
                candidate.leases().forEach(lease -> leases.add(lease.name()));
                json.add(LEASES, leases);
            }
            return json;
        }

        @Override
        public JsonObject ping(Instant time) {
            JsonObject annotations = new JsonObject();
            annotations.addProperty(WireNames.PENDING_ACK, Rfc3339.micro(time));
            JsonObject metadata = new JsonObject();
            metadata.add("annotations", annotations);
            return LeaseJson.patch(metadata, null);
        }
    }

    /**
     * Candidates of the native format, {@code coordination.k8s.io} LeaseCandidate in one of the versions
     * {@link ResourceType#NATIVE_VERSIONS}. As in client-go, an acknowledgement doesn't remove the ping; a renewal that isn't earlier than
     * the ping acknowledges it.
     */
    private static final class Native extends CandidateJson {

        /** How long kube-apiserver treats a candidate as valid after a renewal; the format has no field for it. */
        private static final Duration VALIDITY = Duration.ofMinutes(30);

        Native(ResourceType resource) {
            super(resource);
        }

        @Override
        Candidate.Builder read(Fields object) throws MalformedObjectException {
            Fields spec = object.spec();
            return Candidate.builder(object.key(), leaseOf(object))
                    .binaryVersion(version(spec, "binaryVersion"))
                    .compatibilityVersion(version(spec, "emulationVersion"))
                    .priority(priorityOf(object.metadata().child("annotations")))
                    .pingTime(spec.time("pingTime"))
                    .validity(VALIDITY);
        }

        private static ObjectKey leaseOf(Fields object) throws MalformedObjectException {
            return new ObjectKey(object.key().namespace(), object.spec().requiredString("leaseName"));
        }

        @Override
        @Nullable
        String strategyOf(@Nullable String field) {
            return NativeStrategies.decode(field);
        }

        @Override
        void put(Candidate candidate, JsonObject metadata, JsonObject spec) {
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
            metadata.getAsJsonObject("annotations").addProperty(WireNames.PRIORITY, text(candidate.priority()));
            spec.addProperty("leaseName", candidate.lease().name());
            spec.addProperty("binaryVersion", text(candidate.binaryVersion()));
            spec.addProperty("emulationVersion", text(candidate.compatibilityVersion()));
            spec.addProperty("strategy", NativeStrategies.announced(candidate.strategy()));
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
}

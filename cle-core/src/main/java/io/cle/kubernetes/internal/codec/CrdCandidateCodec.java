package io.cle.kubernetes.internal.codec;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.json.Rfc3339;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.Version;
import io.cle.model.internal.Names;
import org.jspecify.annotations.Nullable;

/** Candidates of the crd format, {@code coordination.cle.io/v1alpha1} LeaseCandidate. */
public final class CrdCandidateCodec implements CandidateCodec {

    private static final String GROUP = "group";
    private static final String SHARDS = "shards";
    private static final String LEASES = "leases";
    private static final String WITHDRAWN = "withdrawn";

    @Override
    public ResourceType resource() {
        return ResourceType.CRD_CANDIDATES;
    }

    @Override
    public Optional<Candidate> decode(Fields object) throws MalformedObjectException {
        Fields labels = object.metadata().child("labels");
        Fields spec = object.spec();
        Candidate.Builder candidate = CandidateFields.readMetadata(object, candidateOf(object.key(), spec))
                .binaryVersion(version(labels, WireNames.BINARY_VERSION))
                .compatibilityVersion(version(labels, WireNames.COMPATIBILITY_VERSION))
                .pingTime(object.metadata().child("annotations").time(WireNames.PENDING_ACK))
                .priority(spec.integer("priority", Integer.MIN_VALUE))
                .renewTime(spec.time("renewTime"));
        String strategy = spec.string("strategy");
        if (strategy != null && !strategy.isEmpty()) {
            candidate.strategy(strategy);
        }
        Integer validity = spec.integer("leaseDurationSeconds", 1);
        if (validity != null) {
            candidate.validity(Duration.ofSeconds(validity));
        }
        return CandidateFields.checked(candidate);
    }

    private static Candidate.Builder candidateOf(ObjectKey key, Fields spec) throws MalformedObjectException {
        ObjectKey lease = leaseOf(spec);
        Optional<LeaseGroup> named = LeaseGroup.ofPattern(lease);
        Fields group = spec.child(GROUP);
        Integer shards = group.integer(SHARDS, 1);
        List<String> names = group.strings(LEASES);
        if (named.isEmpty() && shards == null && names.isEmpty()) {
            return Candidate.builder(key, lease);
        }
        if (named.isEmpty() || named.get().shards() != (shards == null ? 0 : shards)) {
            throw new MalformedObjectException("spec.canLeadLease is " + lease + ", which "
                    + (shards != null
                            ? "isn't a group of " + shards + " shards"
                            : named.isPresent()
                                    ? "names a group of shards, and there is no spec.group.shards"
                                    : "isn't a group of leases"));
        }
        return shards == null ? ofLeases(key, named.get(), names) : ofShards(key, named.get(), names, group);
    }

    private static Candidate.Builder ofLeases(ObjectKey key, LeaseGroup group, List<String> names)
            throws MalformedObjectException {
        if (names.isEmpty()) {
            throw new MalformedObjectException(
                    "spec.canLeadLease names the group " + group + ", and spec.group has neither shards nor leases");
        }
        List<ObjectKey> leases = new ArrayList<>();
        for (String name : names) {
            if (Names.problemOfName(name).isPresent()) {
                throw new MalformedObjectException("spec.group.leases has '" + name + "', which "
                        + Names.problemOfName(name).get());
            }
            leases.add(new ObjectKey(group.namespace(), name));
        }
        return Candidate.builder(key, group).leases(leases);
    }

    private static Candidate.Builder ofShards(ObjectKey key, LeaseGroup group, List<String> names, Fields spec)
            throws MalformedObjectException {
        if (!names.isEmpty()) {
            throw new MalformedObjectException("spec.group has both shards and leases");
        }
        List<Integer> withdrawn = spec.integers(WITHDRAWN);
        if (withdrawn.isEmpty()) {
            return Candidate.builder(key, group);
        }
        Set<ObjectKey> leases = new HashSet<>(group.leases());
        for (Integer shard : withdrawn) {
            if (shard < 0 || shard >= group.shards()) {
                throw new MalformedObjectException(
                        "spec.group.withdrawn has " + shard + ", and there are " + group.shards() + " shards");
            }
            leases.remove(group.lease(shard));
        }
        return Candidate.builder(key, group).leases(leases);
    }

    @Override
    public @Nullable ObjectKey leaseNamedBy(Fields object) {
        try {
            return leaseOf(object.spec());
        } catch (MalformedObjectException e) {
            return null;
        }
    }

    @Override
    public JsonObject renewal(Candidate candidate) {
        JsonObject labels = new JsonObject();
        labels.addProperty(WireNames.BINARY_VERSION, label(WireNames.BINARY_VERSION, candidate.binaryVersion()));
        labels.addProperty(
                WireNames.COMPATIBILITY_VERSION,
                label(WireNames.COMPATIBILITY_VERSION, candidate.compatibilityVersion()));
        CandidateFields.checkVersions(candidate).ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
        JsonObject metadata = pending(null);
        metadata.add("labels", labels);
        CandidateFields.putPod(candidate, metadata);
        JsonObject spec = new JsonObject();
        spec.addProperty("canLeadLease", candidate.lease().toString());
        LeaseGroup ofGroup = candidate.group();
        if (ofGroup != null) {
            spec.add(GROUP, group(ofGroup, candidate));
        }
        spec.addProperty("strategy", candidate.strategy());
        spec.addProperty("priority", candidate.priority());
        spec.addProperty(
                "leaseDurationSeconds",
                Math.max(1, candidate.validity().plusNanos(999_999_999).toSeconds()));
        spec.addProperty("renewTime", Rfc3339.micro(candidate.renewTime()));
        JsonObject patch = new JsonObject();
        patch.add("metadata", metadata);
        patch.add("spec", spec);
        return patch;
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
        JsonObject patch = new JsonObject();
        patch.add("metadata", pending(time));
        return patch;
    }

    private static JsonObject pending(@Nullable Instant time) {
        JsonObject annotations = new JsonObject();
        annotations.addProperty(WireNames.PENDING_ACK, Rfc3339.micro(time));
        JsonObject metadata = new JsonObject();
        metadata.add("annotations", annotations);
        return metadata;
    }

    private static ObjectKey leaseOf(Fields spec) throws MalformedObjectException {
        try {
            return ObjectKey.parse(spec.requiredString("canLeadLease"));
        } catch (IllegalArgumentException e) {
            throw new MalformedObjectException("spec.canLeadLease: " + e.getMessage());
        }
    }

    private static @Nullable String label(String name, @Nullable Version version) {
        return version == null ? null : VersionLabel.encode(name, version);
    }

    private static @Nullable Version version(Fields labels, String name) throws MalformedObjectException {
        return VersionLabel.decode("metadata.labels." + name, labels.string(name));
    }
}

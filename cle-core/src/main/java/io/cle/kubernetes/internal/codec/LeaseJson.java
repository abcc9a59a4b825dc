package io.cle.kubernetes.internal.codec;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.json.Rfc3339;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.LeaseGroup;
import io.cle.model.internal.Lease;
import io.cle.model.internal.Names;
import io.cle.model.internal.ResourceVersions;
import io.cle.model.internal.TermAnnotation;
import io.cle.model.internal.TermAnnotation.Ended;
import org.jspecify.annotations.Nullable;

/**
 * Leases as JSON. The two formats differ in where strategy and preferred holder are stored. Leases without annotations, such as
 * client-go's, can also be read. Pure.
 *
 * <p>A Lease without a holder is written with an empty identity, as client-go does: kube-apiserver's own controller (observed in 1.36)
 * crashes its process on a lease without an identity.
 */
public sealed class LeaseJson implements JsonCodec<Lease> permits RecordJson {

    /** The crd format, also for direct locks: the fields that every API server has, and annotations in place of newer fields. */
    public static final LeaseJson CRD = new LeaseJson(ResourceType.LEASES);

    /**
     * The native format: strategy and preferred holder are fields, from which the end of a term is derived. An administrator's strategy is in
     * the crd format's annotation, because kube-apiserver overwrites the field.
     */
    public static final LeaseJson NATIVE = new LeaseJson(ResourceType.LEASES);

    /** The elector of a native lease that has a strategy and names no other elector. Derived, never written. */
    static final String KUBE_APISERVER = "kube-apiserver";

    /**
     * The maximum length of a term annotation, more than twice the length of any that this project writes. Limited because every watcher of
     * a lease reads it with every renewal.
     */
    private static final int LONGEST_TERM = 2048;

    /**
     * The fields whose stored values may differ. kube-apiserver drops the first two if its feature gate is off, which
     * {@code FeatureGateTrial} detects. The version changes with each write. The labels are only for people, and platforms set them with
     * their own webhooks.
     */
    private static final Set<String> IGNORED = Set.of(
            "spec.strategy",
            "spec.preferredHolder",
            "metadata.resourceVersion",
            "metadata.labels." + WireNames.APPLICATION,
            "metadata.labels." + WireNames.MANAGED_BY);

    private static final String TRANSITIONS = "leaseTransitions";
    private static final String TERM = "term";
    private static final String PREEMPTING = "preempting";

    private final ResourceType resource;

    LeaseJson(ResourceType resource) {
        this.resource = resource;
    }

    @Override
    public ResourceType resource() {
        return resource;
    }

    @Override
    public Optional<Lease> decode(Fields object) throws MalformedObjectException {
        Fields annotations = object.metadata().child("annotations");
        Fields spec = object.spec();
        Lease.Builder lease = readMetadata(object, annotations);
        readSpec(spec, TRANSITIONS, lease);
        lease.holderPod(holderPodOf(annotations, spec.string("holderIdentity")));
        if (this == NATIVE) {
            readNative(annotations, spec, lease);
        } else {
            readElection(annotations, lease);
        }
        return Optional.of(lease.build());
    }

    /** Reads strategy, elector and the end of term from the fields of the native format. */
    private static void readNative(Fields annotations, Fields spec, Lease.Builder lease)
            throws MalformedObjectException {
        String strategy = NativeStrategies.decode(spec.string("strategy"));
        String administrators = annotations.string(WireNames.STRATEGY);
        if (administrators == null || administrators.equals(annotations.string(WireNames.RECORDED_STRATEGY))) {
            // A coordinator in the crd format records the strategy used, and itself as the elector, in annotations.
            // The field contains the candidates' request, which kube-apiserver writes over any earlier value.
            lease.strategy(strategy).recordedStrategy(strategy);
        } else {
            lease.strategy(administrators).recordedStrategy(null);
        }
        if (strategy != null && annotations.string(WireNames.ELECTED_BY) == null) {
            lease.electedBy(KUBE_APISERVER);
        }
        String preferred = Objects.requireNonNullElse(spec.string("preferredHolder"), "");
        // The fields can't express the end of a term without a preferred holder.
        boolean marked = "true".equals(annotations.string(WireNames.END_OF_TERM));
        if (preferred.isEmpty() ? marked : !preferred.equals(spec.string("holderIdentity"))) {
            lease.endOfTerm(preferred.isEmpty() ? null : preferred, annotations.string(WireNames.PREFERRED_KEY));
        }
    }

    /**
     * Reads the five fields that a Lease has in every version, and that client-go's record also has.
     *
     * @param transitions the name of the field for the number of transitions
     */
    static void readSpec(Fields spec, String transitions, Lease.Builder lease) throws MalformedObjectException {
        String holder = spec.string("holderIdentity");
        boolean closed = holder != null && LeaseGroup.isOwner(holder);
        lease.holder(closed ? null : holder)
                .owner(closed ? holder : null)
                .acquireTime(spec.time("acquireTime"))
                .renewTime(spec.time("renewTime"))
                .transitions(Objects.requireNonNullElse(spec.integer(transitions, 0), 0));
        // Records released by older clients have 0 seconds; a Lease without a holder can't expire.
        boolean held = holder != null && !holder.isEmpty();
        Integer seconds = spec.integer("leaseDurationSeconds", held ? 1 : 0);
        if (seconds != null && seconds > 0) {
            lease.leaseDuration(Duration.ofSeconds(seconds));
        }
    }

    /**
     * Returns a builder for a lease with the metadata that all formats share. A lease whose version can't be a fencing token is malformed
     * and can't be acquired or granted (safety.md#fencing-token).
     */
    static Lease.Builder readMetadata(Fields object, Fields annotations) throws MalformedObjectException {
        Fields metadata = object.metadata();
        String version = object.resourceVersion();
        if (version != null && ResourceVersions.isNumber(version) && !ResourceVersions.isToken(version)) {
            throw new MalformedObjectException("metadata.resourceVersion is " + Json.excerpt(version)
                    + ", above the largest fencing token " + Long.MAX_VALUE
                    + ", so that no process can lead by this lease; elect on an API server with smaller versions, such as one"
                    + " whose storage is etcd");
        }
        return Lease.builder(object.key())
                .resourceVersion(version)
                .uid(metadata.string("uid"))
                .electedBy(annotations.string(WireNames.ELECTED_BY))
                .recordedStrategy(annotations.string(WireNames.RECORDED_STRATEGY))
                .term(termOf(annotations.rawString(WireNames.TERM)))
                .holderKey(annotations.string(WireNames.HOLDER_KEY))
                .managed("true".equals(metadata.child("labels").string(WireNames.MANAGED)))
                .group(metadata.child("labels").string(WireNames.GROUP))
                .retiredBy(annotations.string(WireNames.RETIRED_BY))
                .application(metadata.child("labels").rawString(WireNames.APPLICATION));
    }

    /** Reads the annotations for data that a Lease has no fields for. */
    static void readElection(Fields annotations, Lease.Builder lease) throws MalformedObjectException {
        lease.strategy(annotations.string(WireNames.STRATEGY));
        if ("true".equals(annotations.string(WireNames.END_OF_TERM))) {
            String preferred = annotations.string(WireNames.PREFERRED_HOLDER);
            lease.endOfTerm(
                    preferred == null || preferred.isEmpty() ? null : preferred,
                    annotations.string(WireNames.PREFERRED_KEY));
        }
    }

    /** Reads the holder's pod and container; {@code null} if the annotation was written for another holder. */
    private static @Nullable String holderPodOf(Fields annotations, @Nullable String holder)
            throws MalformedObjectException {
        String text = annotations.string(WireNames.HOLDER_POD);
        String ofHolder = "/" + holder;
        return text != null && text.endsWith(ofHolder) && text.length() > ofHolder.length()
                ? text.substring(0, text.length() - ofHolder.length())
                : null;
    }

    /**
     * Parses a term annotation ({@code docs/protocol.md}); {@code null} if there is none. A malformed one is treated as absent
     * (safety.md#term-annotation). Unknown parts are ignored, and lost with the next write.
     */
    private static @Nullable TermAnnotation termOf(@Nullable String text) {
        if (text == null || text.length() > LONGEST_TERM) {
            return null;
        }
        try {
            Fields parts = Fields.of(Json.parseObject(text));
            boolean preempts = parts.has(PREEMPTING);
            Ended ended = new Ended(parts.string("ended"), parts.string("after"));
            TermAnnotation annotation = new TermAnnotation(
                    parts.string(preempts ? PREEMPTING : TERM),
                    preempts,
                    parts.string("write"),
                    Duration.ofSeconds(Objects.requireNonNullElse(parts.integer("duration", 0), 0)),
                    parts.string("holder"),
                    parts.time("acquireTime"),
                    ended);
            return annotation.holder() == null && ended.equals(Ended.NOTHING) ? null : annotation;
        } catch (MalformedObjectException | IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * Returns the merge patch that writes all fields of a lease and preserves fields that the model doesn't know. It has no
     * resourceVersion.
     *
     * @throws IllegalArgumentException if the format can't express the lease, with a message for people
     */
    public JsonObject patch(Lease lease) {
        JsonObject annotations = annotations(lease);
        JsonObject spec = spec(lease);
        if (this == NATIVE) {
            putNative(lease, annotations, spec);
        } else {
            putElection(lease, annotations);
        }
        return patch(metadata(lease, annotations), spec);
    }

    private static void putNative(Lease lease, JsonObject annotations, JsonObject spec) {
        boolean inFields = lease.preferredHolder() != null;
        if (inFields && lease.strategy() == null) {
            throw new IllegalArgumentException(
                    "a preferred holder (" + lease.preferredHolder() + ") requires a strategy in the native format");
        }
        if (KUBE_APISERVER.equals(lease.electedBy())) {
            annotations.add(WireNames.ELECTED_BY, JsonNull.INSTANCE);
        }
        annotations.remove(WireNames.RECORDED_STRATEGY);
        annotations.addProperty(WireNames.END_OF_TERM, lease.endOfTerm() && !inFields ? "true" : null);
        spec.addProperty("strategy", NativeStrategies.encode(lease.strategy()));
        spec.addProperty("preferredHolder", lease.preferredHolder());
    }

    /** Adds the annotations that {@link #readElection} reads. */
    static void putElection(Lease lease, JsonObject annotations) {
        annotations.addProperty(WireNames.STRATEGY, lease.strategy());
        annotations.addProperty(WireNames.END_OF_TERM, lease.endOfTerm() ? "true" : null);
        annotations.addProperty(WireNames.PREFERRED_HOLDER, lease.preferredHolder());
    }

    /**
     * Returns the JSON that {@link #readSpec} reads. A Lease without a holder has an empty identity; a closed one names the owner of
     * its key instead, so that client-go's electors wait, too.
     */
    private static JsonObject spec(Lease lease) {
        JsonObject spec = new JsonObject();
        String holder = lease.holder() == null ? lease.owner() : lease.holder();
        spec.addProperty("holderIdentity", holder == null ? "" : holder);
        spec.addProperty("leaseDurationSeconds", seconds(lease.leaseDuration(), 1));
        spec.addProperty("acquireTime", Rfc3339.micro(lease.acquireTime()));
        spec.addProperty("renewTime", Rfc3339.micro(lease.renewTime()));
        spec.addProperty(TRANSITIONS, lease.transitions());
        return spec;
    }

    /** Returns a duration in whole seconds, rounded up because other processes wait for it. */
    static long seconds(Duration duration, int least) {
        return Math.max(least, duration.plusNanos(999_999_999).toSeconds());
    }

    /** Returns the annotations that all formats share; JSON {@code null} removes an annotation. */
    static JsonObject annotations(Lease lease) {
        JsonObject annotations = new JsonObject();
        annotations.addProperty(WireNames.ELECTED_BY, lease.electedBy());
        annotations.addProperty(WireNames.RECORDED_STRATEGY, lease.recordedStrategy());
        annotations.addProperty(WireNames.TERM, text(lease.term()));
        annotations.addProperty(
                WireNames.HOLDER_POD, lease.holderPod() == null ? null : lease.holderPod() + "/" + lease.holder());
        annotations.addProperty(WireNames.HOLDER_KEY, lease.holderKey());
        annotations.addProperty(WireNames.PREFERRED_KEY, lease.preferredKey());
        annotations.addProperty(WireNames.RETIRED_BY, lease.retiredBy());
        return annotations;
    }

    private static @Nullable String text(@Nullable TermAnnotation annotation) {
        if (annotation == null) {
            return null;
        }
        JsonObject parts = new JsonObject();
        Json.add(parts, annotation.preempts() ? PREEMPTING : TERM, annotation.term());
        Json.add(parts, "write", annotation.write());
        if (annotation.term() != null) {
            parts.addProperty("duration", seconds(annotation.duration(), 0));
        }
        Json.add(parts, "holder", annotation.holder());
        if (annotation.holder() != null) {
            parts.addProperty(
                    "acquireTime", Rfc3339.micro(Objects.requireNonNull(annotation.acquireTime(), "of a holder")));
        }
        Json.add(parts, "ended", annotation.ended().term());
        Json.add(parts, "after", annotation.ended().after());
        return parts.toString();
    }

    /** Returns the patch of the metadata with these annotations and the labels. */
    static JsonObject metadata(Lease lease, JsonObject annotations) {
        JsonObject labels = new JsonObject();
        labels.addProperty(WireNames.MANAGED, lease.managed() ? "true" : null);
        Json.add(labels, WireNames.GROUP, lease.group());
        Json.add(labels, WireNames.APPLICATION, lease.application());
        JsonObject metadata = new JsonObject();
        metadata.add("labels", labels);
        metadata.add("annotations", annotations);
        return metadata;
    }

    static JsonObject patch(JsonObject metadata, @Nullable JsonObject spec) {
        JsonObject patch = new JsonObject();
        patch.add("metadata", metadata);
        if (spec != null) {
            patch.add("spec", spec);
        }
        return patch;
    }

    /**
     * Returns the merge patch with which an administrator ends every claim on a lease ({@code safety.md#administrators-line}): no holder, a
     * duration of one second, and a term annotation that cites the replaced version. The patch contains that version, which makes it a
     * compare and swap.
     *
     * @param version the replaced version
     */
    public JsonObject ending(Lease lease, String version) {
        JsonObject spec = new JsonObject();
        spec.addProperty("holderIdentity", "");
        spec.addProperty("leaseDurationSeconds", Lease.RELEASED.toSeconds());
        return patch(endingMetadata(version, new JsonObject()), spec);
    }

    static JsonObject endingMetadata(String version, JsonObject annotations) {
        annotations.addProperty(WireNames.TERM, text(TermAnnotation.released(new Ended(Ended.ALL, version))));
        JsonObject metadata = new JsonObject();
        metadata.addProperty("resourceVersion", version);
        metadata.add("annotations", annotations);
        return metadata;
    }

    /** Returns the command that applies this patch; empty if the lease was never stored, or if its name is unsafe in a shell. */
    public Optional<String> endingLine(Lease lease) {
        String version = lease.resourceVersion();
        String namespace = lease.key().namespace();
        String name = lease.key().name();
        return version != null
                        && ResourceVersions.isNumber(version)
                        && Names.problemOfNamespace(namespace).isEmpty()
                        && Names.problemOfName(name).isEmpty()
                ? Optional.of("kubectl patch " + resource.kind().toLowerCase(Locale.ROOT) + " " + name + " -n "
                        + namespace + " --type=merge -p '" + ending(lease, version) + "'")
                : Optional.empty();
    }

    /**
     * Returns all changes that matter, because the record as a whole is a term, a grant or the end of a term
     * (safety.md#write-that-stays).
     */
    @Override
    public List<String> changes(JsonObject written, JsonObject stored) {
        return Json.differences(written, stored, Set.of("", "0")).stream()
                .filter(field -> !IGNORED.contains(field))
                .toList();
    }
}

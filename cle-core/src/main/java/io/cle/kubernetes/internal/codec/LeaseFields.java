package io.cle.kubernetes.internal.codec;

import java.time.Duration;
import java.util.Objects;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.json.Rfc3339;
import io.cle.model.LeaseGroup;
import io.cle.model.internal.Lease;
import io.cle.model.internal.ResourceVersions;
import io.cle.model.internal.TermAnnotation;
import io.cle.model.internal.TermAnnotation.Ended;
import org.jspecify.annotations.Nullable;

/** The parts of a lease that are written the same way in several formats. */
final class LeaseFields {

    /** The name of the field in a Lease. */
    static final String TRANSITIONS = "leaseTransitions";

    private LeaseFields() {}

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
     * Returns the JSON that {@link #readSpec} reads. A Lease without a holder has an empty identity, as in client-go; a closed one that of
     * its key's owner, so that client-go's electors wait, too.
     */
    static JsonObject spec(Lease lease) {
        JsonObject spec = new JsonObject();
        String holder = lease.holder() == null ? lease.owner() : lease.holder();
        spec.addProperty("holderIdentity", holder == null ? "" : holder);
        spec.addProperty("leaseDurationSeconds", seconds(lease));
        spec.addProperty("acquireTime", Rfc3339.micro(lease.acquireTime()));
        spec.addProperty("renewTime", Rfc3339.micro(lease.renewTime()));
        spec.addProperty(TRANSITIONS, lease.transitions());
        return spec;
    }

    /** Returns the lease duration in whole seconds, rounded up because other processes wait for it. */
    static long seconds(Lease lease) {
        return Math.max(1, lease.leaseDuration().plusNanos(999_999_999).toSeconds());
    }

    /**
     * Returns a builder for a lease with the metadata that all formats share. A lease whose version can't be a fencing token is malformed:
     * no process leads by it or is elected for it (safety.md#fencing-token).
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
                .term(TermAnnotations.parse(annotations.rawString(WireNames.TERM)))
                .holderKey(annotations.string(WireNames.HOLDER_KEY))
                .managed("true".equals(metadata.child("labels").string(WireNames.MANAGED)))
                .group(metadata.child("labels").string(WireNames.GROUP))
                .retiredBy(annotations.string(WireNames.RETIRED_BY))
                .application(metadata.child("labels").rawString(WireNames.APPLICATION));
    }

    /** Returns the annotations that all formats share; JSON {@code null} removes an annotation. */
    static JsonObject annotations(Lease lease) {
        JsonObject annotations = new JsonObject();
        annotations.addProperty(WireNames.ELECTED_BY, lease.electedBy());
        annotations.addProperty(WireNames.RECORDED_STRATEGY, lease.recordedStrategy());
        annotations.addProperty(WireNames.TERM, TermAnnotations.text(lease.term()));
        annotations.addProperty(WireNames.HOLDER_POD, textOfPod(lease));
        annotations.addProperty(WireNames.HOLDER_KEY, lease.holderKey());
        annotations.addProperty(WireNames.PREFERRED_KEY, lease.preferredKey());
        annotations.addProperty(WireNames.RETIRED_BY, lease.retiredBy());
        return annotations;
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

    /** Adds the annotations that {@link #readElection} reads. */
    static void putElection(Lease lease, JsonObject annotations) {
        annotations.addProperty(WireNames.STRATEGY, lease.strategy());
        annotations.addProperty(WireNames.END_OF_TERM, lease.endOfTerm() ? "true" : null);
        annotations.addProperty(WireNames.PREFERRED_HOLDER, lease.preferredHolder());
    }

    /** Returns the patch of the metadata with these annotations and the labels. */
    static JsonObject metadata(Lease lease, JsonObject annotations) {
        JsonObject labels = new JsonObject();
        labels.addProperty(WireNames.MANAGED, lease.managed() ? "true" : null);
        if (lease.group() != null) {
            labels.addProperty(WireNames.GROUP, lease.group());
        }
        if (lease.application() != null) {
            labels.addProperty(WireNames.APPLICATION, lease.application());
        }
        JsonObject metadata = new JsonObject();
        metadata.add("labels", labels);
        metadata.add("annotations", annotations);
        return metadata;
    }

    /** Returns the metadata that ends every claim on the replaced record, by compare and swap. */
    static JsonObject endingMetadata(String version, JsonObject annotations) {
        annotations.addProperty(
                WireNames.TERM, TermAnnotations.text(TermAnnotation.released(new Ended(Ended.ALL, version))));
        JsonObject metadata = new JsonObject();
        metadata.addProperty("resourceVersion", version);
        metadata.add("annotations", annotations);
        return metadata;
    }

    /** Reads the holder's pod and container; {@code null} if the annotation was written for another holder. */
    static @Nullable String holderPodOf(Fields annotations, @Nullable String holder) throws MalformedObjectException {
        String text = annotations.string(WireNames.HOLDER_POD);
        if (text == null) {
            return null;
        }
        String ofHolder = "/" + holder;
        return text.endsWith(ofHolder) && text.length() > ofHolder.length()
                ? text.substring(0, text.length() - ofHolder.length())
                : null;
    }

    private static @Nullable String textOfPod(Lease lease) {
        return lease.holderPod() == null ? null : lease.holderPod() + "/" + lease.holder();
    }
}

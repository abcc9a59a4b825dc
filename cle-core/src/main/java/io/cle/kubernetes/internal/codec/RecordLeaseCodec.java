package io.cle.kubernetes.internal.codec;

import java.util.Optional;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.json.Rfc3339;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.internal.Lease;

/**
 * Leases as client-go's {@code LeaderElectionRecord}: JSON in an annotation of an Endpoints or ConfigMap object, in the form that
 * Go's {@code encoding/json} gives it. What neither client-go's record nor KEP-2835's has is in further annotations, as in the crd format.
 *
 * <p>Times in the record have whole seconds. Two writes within a second may therefore leave the same record. That misleads no elector
 * that judges by it whether the holder is alive, because a holder renews every few seconds only; and writes are compared and swapped by the
 * object's resourceVersion, not by the record.
 */
public record RecordLeaseCodec(ResourceType resource) implements LeaseCodec {

    /** Where client-go puts the record. */
    public static final String RECORD = "control-plane.alpha.kubernetes.io/leader";

    private static final String TRANSITIONS = "leaderTransitions";

    /** KEP-2835's key of the holder, in the record itself: an elector that knows no keys writes a record without it. */
    private static final String HOLDER_KEY = "holderKey";

    /** Empty when the object is there without a record: then the lease isn't. */
    @Override
    public Optional<Lease> decode(Fields object) throws MalformedObjectException {
        Fields annotations = object.metadata().child("annotations");
        String record = annotations.rawString(RECORD);
        if (record == null || record.isEmpty()) {
            return Optional.empty();
        }
        Lease.Builder lease = LeaseFields.readMetadata(object, annotations);
        LeaseFields.readElection(annotations, lease);
        try {
            Fields fields = Fields.of(Json.parseObject(record));
            LeaseFields.readSpec(fields, TRANSITIONS, lease);
            lease.holderKey(fields.string(HOLDER_KEY));
        } catch (MalformedObjectException e) {
            throw new MalformedObjectException("metadata.annotations." + RECORD + ": " + e.problem());
        }
        return Optional.of(lease.build());
    }

    @Override
    public JsonObject patch(Lease lease) {
        JsonObject annotations = LeaseFields.annotations(lease);
        LeaseFields.putElection(lease, annotations);
        annotations.add(WireNames.HOLDER_KEY, JsonNull.INSTANCE);
        annotations.addProperty(RECORD, record(lease));
        JsonObject patch = new JsonObject();
        patch.add("metadata", LeaseFields.metadata(lease, annotations));
        return patch;
    }

    /** The record is one text, so that all of it is written. */
    @Override
    public JsonObject ending(Lease lease, String version) {
        Lease ended = lease.toBuilder()
                .holder(null)
                .holderKey(null)
                .leaseDuration(Lease.RELEASED)
                .build();
        JsonObject annotations = new JsonObject();
        annotations.addProperty(RECORD, record(ended));
        JsonObject patch = new JsonObject();
        patch.add("metadata", LeaseFields.endingMetadata(version, annotations));
        return patch;
    }

    /** The record, byte for byte as client-go writes it; for a holder with a key, as KEP-2835 extends it. */
    static String record(Lease lease) {
        JsonObject record = new JsonObject();
        record.addProperty("holderIdentity", lease.holder() == null ? "" : lease.holder());
        if (lease.holderKey() != null) {
            record.addProperty(HOLDER_KEY, lease.holderKey());
        }
        record.addProperty("leaseDurationSeconds", LeaseFields.seconds(lease));
        record.addProperty("acquireTime", Rfc3339.seconds(lease.acquireTime()));
        record.addProperty("renewTime", Rfc3339.seconds(lease.renewTime()));
        record.addProperty(TRANSITIONS, lease.transitions());
        // Go escapes these three for the sake of HTML; outside of strings they don't occur.
        return record.toString().replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
    }
}

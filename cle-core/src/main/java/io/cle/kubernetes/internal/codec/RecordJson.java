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
 * Leases as client-go's {@code LeaderElectionRecord}: JSON in an annotation of an Endpoints or ConfigMap object, in the form that Go's
 * {@code encoding/json} produces. Data that neither client-go's record nor KEP-2835's contains is in further annotations, as in the crd
 * format.
 *
 * <p>Times in the record are in whole seconds, so two writes within a second may leave the same record. This misleads no elector about
 * whether the holder is alive, because a holder renews only every few seconds. Compare and swap uses the object's resourceVersion, not the
 * record.
 */
public final class RecordJson extends LeaseJson {

    /** The annotation in which client-go stores the record. */
    public static final String RECORD = "control-plane.alpha.kubernetes.io/leader";

    private static final String TRANSITIONS = "leaderTransitions";

    /** KEP-2835's key of the holder, as a field of the record: an elector that doesn't know keys writes a record without it. */
    private static final String HOLDER_KEY = "holderKey";

    public RecordJson(ResourceType resource) {
        super(resource);
    }

    /** Decodes the record; empty if the object has none, which means that the lease doesn't exist. */
    @Override
    public Optional<Lease> decode(Fields object) throws MalformedObjectException {
        Fields annotations = object.metadata().child("annotations");
        String record = annotations.rawString(RECORD);
        if (record == null || record.isEmpty()) {
            return Optional.empty();
        }
        Lease.Builder lease = readMetadata(object, annotations);
        readElection(annotations, lease);
        try {
            Fields fields = Fields.of(Json.parseObject(record));
            readSpec(fields, TRANSITIONS, lease);
            lease.holderKey(fields.string(HOLDER_KEY));
        } catch (MalformedObjectException e) {
            throw new MalformedObjectException("metadata.annotations." + RECORD + ": " + e.problem());
        }
        return Optional.of(lease.build());
    }

    @Override
    public JsonObject patch(Lease lease) {
        JsonObject annotations = annotations(lease);
        putElection(lease, annotations);
        annotations.add(WireNames.HOLDER_KEY, JsonNull.INSTANCE);
        annotations.addProperty(RECORD, record(lease));
        return patch(metadata(lease, annotations), null);
    }

    /** Writes the whole record, because it is a single text. */
    @Override
    public JsonObject ending(Lease lease, String version) {
        Lease ended = lease.toBuilder()
                .holder(null)
                .holderKey(null)
                .leaseDuration(Lease.RELEASED)
                .build();
        JsonObject annotations = new JsonObject();
        annotations.addProperty(RECORD, record(ended));
        return patch(endingMetadata(version, annotations), null);
    }

    /** Returns the record, byte for byte as client-go writes it; for a holder with a key, with KEP-2835's extension. */
    static String record(Lease lease) {
        JsonObject record = new JsonObject();
        record.addProperty("holderIdentity", lease.holder() == null ? "" : lease.holder());
        Json.add(record, HOLDER_KEY, lease.holderKey());
        record.addProperty("leaseDurationSeconds", seconds(lease.leaseDuration(), 1));
        record.addProperty("acquireTime", Rfc3339.seconds(lease.acquireTime()));
        record.addProperty("renewTime", Rfc3339.seconds(lease.renewTime()));
        record.addProperty(TRANSITIONS, lease.transitions());
        // Go escapes these three characters for HTML; they occur only within strings.
        return record.toString().replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
    }
}

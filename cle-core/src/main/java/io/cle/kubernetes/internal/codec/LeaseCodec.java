package io.cle.kubernetes.internal.codec;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

import com.google.gson.JsonObject;
import io.cle.model.internal.Lease;
import io.cle.model.internal.Names;
import io.cle.model.internal.ResourceVersions;

/** Leases in one wire format. Pure. */
public interface LeaseCodec extends JsonCodec<Lease> {

    /**
     * Returns the merge patch that writes all fields of a lease and preserves fields that the model doesn't know. It has no
     * resourceVersion.
     *
     * @throws IllegalArgumentException if the format can't express the lease, with a message for people
     */
    JsonObject patch(Lease lease);

    /**
     * Returns the merge patch with which an administrator ends every claim on a lease ({@code safety.md#administrators-line}): no holder, a
     * duration of one second, and a term annotation that cites the replaced version. It contains that version, so that it is a compare and
     * swap.
     *
     * @param version the replaced version
     */
    default JsonObject ending(Lease lease, String version) {
        JsonObject spec = new JsonObject();
        spec.addProperty("holderIdentity", "");
        spec.addProperty("leaseDurationSeconds", Lease.RELEASED.toSeconds());
        JsonObject patch = new JsonObject();
        patch.add("metadata", LeaseFields.endingMetadata(version, new JsonObject()));
        patch.add("spec", spec);
        return patch;
    }

    /** Returns the command that applies this patch; empty if the lease was never stored, or if its name is unsafe in a shell. */
    default Optional<String> endingLine(Lease lease) {
        String version = lease.resourceVersion();
        String namespace = lease.key().namespace();
        String name = lease.key().name();
        return version != null
                        && ResourceVersions.isNumber(version)
                        && Names.problemOfNamespace(namespace).isEmpty()
                        && Names.problemOfName(name).isEmpty()
                ? Optional.of("kubectl patch " + resource().kind().toLowerCase(Locale.ROOT) + " " + name + " -n "
                        + namespace + " --type=merge -p '" + ending(lease, version) + "'")
                : Optional.empty();
    }

    /** Returns all changes, because the record as a whole is a term, a grant or the end of a term. */
    @Override
    default List<String> changes(JsonObject written, JsonObject stored) {
        return StoredChanges.ofLease(written, stored);
    }
}

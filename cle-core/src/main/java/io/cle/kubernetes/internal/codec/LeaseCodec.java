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
     * The merge patch that writes all fields of a lease and leaves alone what the model doesn't know of; without the
     * resourceVersion.
     *
     * @throws IllegalArgumentException with a message for a person, when the format can't express the lease
     */
    JsonObject patch(Lease lease);

    /**
     * The merge patch by which an administrator ends every claim on a lease ({@code safety.md#administrators-line}): no holder, one second, and a
     * term annotation that cites the version that it replaces; with that version, so that it is a compare and swap.
     *
     * @param version the version that it replaces
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

    /** The line that does it; empty if the lease was never stored, or a shell could misread its name. */
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

    /** All of it: a term, a grant or the end of a term is what the record says. */
    @Override
    default List<String> changes(JsonObject written, JsonObject stored) {
        return StoredChanges.ofLease(written, stored);
    }
}

package io.cle.kubernetes.internal.codec;

import java.util.List;

import com.google.gson.JsonObject;
import io.cle.model.Lease;

/** Leases in one wire format. Pure. */
public interface LeaseCodec extends ObjectCodec<Lease> {

    /**
     * The merge patch that writes all fields of a lease and leaves alone what the model doesn't know of; without the
     * resourceVersion.
     *
     * @throws IllegalArgumentException with a message for a person, when the format can't express the lease
     */
    JsonObject patch(Lease lease);

    /** All of it: a term, a grant or the end of a term is what the record says. */
    @Override
    default List<String> changes(JsonObject written, JsonObject stored) {
        return StoredChanges.of(written, stored);
    }
}

package io.cle.coordinator.informer;

import io.cle.api.WatchEvent;
import io.cle.model.Lease;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/** A lease as an informer keeps it. */
public final class ObservedLease extends Observed<Lease> {

    ObservedLease(V1ObjectMeta metadata, @Nullable WatchEvent<Lease> event, @Nullable Listing listing) {
        super(metadata, event, listing);
    }
}

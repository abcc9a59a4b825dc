package io.cle.coordinator.informer;

import io.cle.api.WatchEvent;
import io.cle.model.Candidate;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/** A candidate as an informer keeps it. */
public final class ObservedCandidate extends Observed<Candidate> {

    ObservedCandidate(V1ObjectMeta metadata, @Nullable WatchEvent<Candidate> event, @Nullable Listing listing) {
        super(metadata, event, listing);
    }
}

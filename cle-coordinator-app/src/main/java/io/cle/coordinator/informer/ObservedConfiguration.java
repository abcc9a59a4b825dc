package io.cle.coordinator.informer;

import io.cle.api.LeaseConfiguration;
import io.cle.api.WatchEvent;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/** A lease configuration as an informer keeps it. */
public final class ObservedConfiguration extends Observed<LeaseConfiguration> {

    ObservedConfiguration(
            V1ObjectMeta metadata, @Nullable WatchEvent<LeaseConfiguration> event, @Nullable Listing listing) {
        super(metadata, event, listing);
    }
}

package io.cle.coordinator.informer;

import io.cle.api.LeaseConfiguration;
import io.cle.api.WatchEvent;
import io.cle.model.Candidate;
import io.cle.model.Lease;

/** Who is told of what the informers observe. Called on the event loop, in the order in which it happened. */
public interface Observations {

    /** Something about a lease. */
    void onLease(WatchEvent<Lease> event);

    /** Something about a candidate. */
    void onCandidate(WatchEvent<Candidate> event);

    /** Something about a lease configuration. */
    void onConfiguration(WatchEvent<LeaseConfiguration> event);

    /** All that there was of every kind has been told of. */
    void onSynced();
}

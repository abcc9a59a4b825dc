package io.cle.spring.kubernetes.internal;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.kubernetes.internal.client.LeaderEvents;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.internal.ConfiguredLeases;

/**
 * Writes Events on the records of direct locks when terms begin and end. On a coordinated lease the coordinator does.
 *
 * @param component how the application calls itself in Events
 */
public record EventsOfTerms(ClusterClient cluster, ConfiguredLeases leases, String component) implements LeaseLockCustomizer {

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        leases.find(name)
                .flatMap(lease -> cluster.events(lease, component))
                .ifPresent(events -> lock.addListener(new Listener(events)));
    }

    private record Listener(LeaderEvents events) implements LeadershipListener {

        @Override
        public void onGranted(Term term) {
            events.becameLeader();
        }

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            events.stoppedLeading();
        }
    }
}

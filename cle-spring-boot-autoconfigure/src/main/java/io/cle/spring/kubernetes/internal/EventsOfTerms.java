package io.cle.spring.kubernetes.internal;

import io.cle.kubernetes.internal.store.LeaderEvents;
import io.cle.lock.RevokeReason;
import io.cle.lock.Term;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.LeadershipListener;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.internal.ElectionSettings;

/**
 * Writes Events on the records of direct locks when terms begin and end. On a coordinated lease the coordinator does.
 *
 * @param component how the application calls itself in Events
 */
public record EventsOfTerms(Cluster cluster, ElectionSettings settings, String component)
        implements LeaseLockCustomizer {

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        settings.find(name)
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

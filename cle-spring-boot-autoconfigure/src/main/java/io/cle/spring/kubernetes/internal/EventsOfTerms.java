package io.cle.spring.kubernetes.internal;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.Term;
import io.cle.kubernetes.internal.client.LeaderEvents;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.properties.internal.LeaseSettings;
import org.jspecify.annotations.Nullable;

/**
 * Writes Events on the records of direct locks when terms begin. On a coordinated lease the coordinator writes them.
 *
 * @param cluster {@code null} if this process joins no cluster, and so writes no Events
 * @param component the reporting component of the Events
 */
public record EventsOfTerms(@Nullable ClusterClient cluster, Leases leases, String component)
        implements LeaseLockCustomizer {

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        LeaseSettings settings = leases.get(name).settings();
        if (cluster != null && settings != null) {
            cluster.events(settings, component).ifPresent(events -> lock.addListener(new Listener(events)));
        }
    }

    private record Listener(LeaderEvents events) implements LeadershipListener {

        @Override
        public void onGranted(Term term) {
            events.becameLeader();
        }
    }
}

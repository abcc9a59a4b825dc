package io.cle.samples.upgrade;

import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnRevokedLeadership;
import org.springframework.context.event.EventListener;

/** Passes on what the starter tells the application. */
class LeadershipReporter {

    private final Replica replica;

    LeadershipReporter(Replica replica) {
        this.replica = replica;
    }

    @EventListener
    void granted(OnGrantedLeadership event) {
        replica.granted(event.fencingToken());
    }

    @EventListener
    void revoked(OnRevokedLeadership event) {
        replica.revoked(event.fencingToken(), event.reason());
    }
}

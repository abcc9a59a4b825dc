package io.cle.spring.integration;

import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnRevokedLeadership;
import io.cle.spring.lock.LeaseLocks;
import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.LeaderEventPublisher;

/**
 * Publishes Spring Integration's {@code OnGrantedEvent} and {@code OnRevokedEvent} for each lease; the role is the name of the lease in
 * this application. Endpoints in that role are started when leadership is granted and stopped when it is revoked. A lease is held
 * until they have stopped, or until the drain timeout is over.
 */
record IntegrationLeaderEvents(LeaseLocks locks, LeaderEventPublisher publisher) {

    @EventListener
    void onGranted(OnGrantedLeadership granted) {
        publisher.publishOnGranted(this, contextOf(granted.lease()), granted.lease());
    }

    @EventListener
    void onRevoked(OnRevokedLeadership revoked) {
        publisher.publishOnRevoked(this, contextOf(revoked.lease()), revoked.lease());
    }

    private Context contextOf(String lease) {
        return new LeaseContext(lease, locks.get(lease));
    }

    /** What Spring Integration's listeners may know of leadership, and how they give it up. */
    private record LeaseContext(String lease, CoordinatedLeaseLock lock) implements Context {

        @Override
        public boolean isLeader() {
            return lock.isLeader();
        }

        @Override
        public void yield() {
            lock.resign();
        }

        @Override
        public String getRole() {
            return lease;
        }

        @Override
        public String toString() {
            return "lease " + lease + ", leader: " + isLeader();
        }
    }
}

package io.cle.spring.integration;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.spring.lock.LeaseLockCustomizer;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.LeaderEventPublisher;

/**
 * Publishes Spring Integration's {@code OnGrantedEvent} and {@code OnRevokedEvent} for each lease; the role is the name of the lease in
 * this application. Endpoints in that role are started when leadership is granted and stopped when it is revoked. A lease is held
 * until they have stopped, or until the drain timeout is over. Listens to the lock itself, because a listener that fails on this
 * application's own events keeps the listeners after it from being called, and endpoints would continue to run without a term.
 */
record IntegrationLeaderEvents(LeaderEventPublisher publisher) implements LeaseLockCustomizer {

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        Context context = new LeaseContext(name, lock);
        lock.addListener(new LeadershipListener() {
            @Override
            public void onGranted(Term term) {
                publisher.publishOnGranted(IntegrationLeaderEvents.this, context, name);
            }

            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                publisher.publishOnRevoked(IntegrationLeaderEvents.this, context, name);
            }
        });
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

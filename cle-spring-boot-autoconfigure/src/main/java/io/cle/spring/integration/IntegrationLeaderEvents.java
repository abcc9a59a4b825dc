package io.cle.spring.integration;

import java.io.Serial;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.internal.LeaseCreation;
import io.cle.spring.lock.internal.Leases;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.LeaderEventPublisher;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;
import org.springframework.integration.support.SmartLifecycleRoleController;

/**
 * Publishes Spring Integration's {@code OnGrantedEvent} and {@code OnRevokedEvent} for each lease; the role is the name of the lease in
 * this application. Endpoints in that role are started when leadership is granted and stopped when it is revoked. A lease is held
 * until they have stopped, or until the drain timeout is over. Listens to the lock itself, because a listener that fails on this
 * application's own events keeps the listeners after it from being called, and endpoints would continue to run without a term.
 */
record IntegrationLeaderEvents(
        LeaderEventPublisher publisher,
        ConfigurableApplicationContext context,
        ObjectProvider<SmartLifecycleRoleController> roles)
        implements LeaseLockCustomizer, Leases.User {

    /** {@inheritDoc} It does by endpoints in its role, and by listeners other than the one that starts these. */
    @Override
    public boolean uses(Supplier<String> defaultLease) {
        return roles.stream()
                        .flatMap(controller -> controller.getRoles().stream())
                        .anyMatch(role -> role.equals(defaultLease.get()))
                || Stream.of(OnGrantedEvent.class, OnRevokedEvent.class)
                        .flatMap(event -> LeaseCreation.listeners(
                                context, ResolvableType.forClass(event), ResolvableType.forClass(Unpublished.class)))
                        .anyMatch(listener -> !(listener instanceof SmartLifecycleRoleController));
    }

    private static final class Unpublished extends ApplicationEvent {

        @Serial
        private static final long serialVersionUID = 1L;

        Unpublished() {
            super("nobody");
        }
    }

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

package io.cle.spring.event;

import io.cle.lock.RevokeReason;
import io.cle.lock.Term;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.LeadershipListener;
import io.cle.spring.lock.LeaseLockCustomizer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Publishes what locks tell to the application context. A listener that fails is logged and changes nothing for the lock. When the terms
 * of a context that closes are over, nothing is published any more: beans that are about to be destroyed need not hear who leads next.
 */
public final class LeadershipEventPublisher implements LeaseLockCustomizer {

    private static final Logger log = LoggerFactory.getLogger(LeadershipEventPublisher.class);

    private final ApplicationEventPublisher publisher;
    private volatile boolean closed;

    /** Publishes to the given context. */
    public LeadershipEventPublisher(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        lock.addListener(new LeadershipListener() {
            @Override
            public void onGranted(Term term) {
                publish(new OnGrantedLeadership(name, term.identity(), term.fencingToken(), term));
            }

            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                publish(new OnRevokedLeadership(name, term.identity(), term.fencingToken(), reason, term));
            }

            @Override
            public void onLeaderChanged(@Nullable String holder) {
                publish(new OnLeaderChanged(name, holder, lock.snapshot().identity()));
            }
        });
    }

    /** After the one who ends the terms and waits for that. */
    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE + 1)
    void onClose(ContextClosedEvent event) {
        if (event.getApplicationContext() == publisher) {
            closed = true;
        }
    }

    private void publish(Object event) {
        if (closed) {
            log.debug("the context is closing; not published any more: {}", event);
            return;
        }
        try {
            publisher.publishEvent(event);
        } catch (RuntimeException e) {
            log.error("a listener failed on {}; listeners after it were not told", event, e);
        }
    }
}

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

/** Publishes what locks tell to the application context. A listener that fails is logged and changes nothing for the lock. */
public final class LeadershipEventPublisher implements LeaseLockCustomizer {

    private static final Logger log = LoggerFactory.getLogger(LeadershipEventPublisher.class);

    private final ApplicationEventPublisher publisher;

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

    private void publish(Object event) {
        try {
            publisher.publishEvent(event);
        } catch (RuntimeException e) {
            log.error("a listener failed on {}; listeners after it were not told", event, e);
        }
    }
}

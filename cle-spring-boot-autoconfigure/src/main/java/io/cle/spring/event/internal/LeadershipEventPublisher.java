package io.cle.spring.event.internal;

import java.util.List;
import java.util.stream.Stream;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnLeaderChanged;
import io.cle.spring.event.OnRevokedLeadership;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.internal.ApplicationLease;
import io.cle.spring.lock.internal.Leases;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.context.event.GenericApplicationListenerAdapter;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.ResolvableType;

/**
 * Publishes the events of the locks in an application context. Publishing on the callback thread of the lease keeps events
 * in order and the lease held until the listeners of its revocation have returned, or the drain timeout is over.
 * Exceptions of listeners are logged. Led work is interrupted independently of listeners
 * ({@code safety.md#callbacks-off-the-renewal-path}). Thread-safe.
 *
 * <p>A closing context receives only the ends of terms whose beginning was published, because beans that are about to
 * be destroyed need not know the next leader.
 */
public final class LeadershipEventPublisher implements LeaseLockCustomizer, Leases.User {

    private static final Logger log = LoggerFactory.getLogger(LeadershipEventPublisher.class);

    private static final List<Class<?>> EVENTS =
            List.of(OnGrantedLeadership.class, OnRevokedLeadership.class, OnLeaderChanged.class);

    private final ConfigurableApplicationContext context;
    private final Leases leases;

    /** Publishes to the given context. */
    public LeadershipEventPublisher(ConfigurableApplicationContext context, Leases leases) {
        this.context = context;
        this.leases = leases;
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        lock.addListener(new OfLease(leases.get(name)));
    }

    /** {@inheritDoc} A listener that was declared for an event of leadership is called for each lease. */
    @Override
    public boolean usesMain() {
        return EVENTS.stream().anyMatch(this::hasListener);
    }

    /** Returns whether a listener is declared for this event rather than for all events, even if its bean isn't created yet. */
    private boolean hasListener(Class<?> event) {
        Stream<ApplicationListener<?>> created = context instanceof AbstractApplicationContext known
                ? known.getApplicationListeners().stream()
                : Stream.empty();
        // An @EventListener method has a listener even if its bean is lazy.
        return created.anyMatch(listener -> supports(listener, event) && !supports(listener, Unpublished.class))
                || names(event)
                        .filter(name -> !context.getBeanFactory().containsSingleton(name))
                        .anyMatch(name -> names(Unpublished.class).noneMatch(name::equals));
    }

    private static boolean supports(ApplicationListener<?> listener, Class<?> event) {
        GenericApplicationListener generic = listener instanceof GenericApplicationListener known
                ? known
                : new GenericApplicationListenerAdapter(listener);
        return generic.supportsEventType(payload(event));
    }

    private Stream<String> names(Class<?> event) {
        ResolvableType type = ResolvableType.forClassWithGenerics(ApplicationListener.class, payload(event));
        return Stream.of(context.getBeanFactory().getBeanNamesForType(type, true, false));
    }

    private static ResolvableType payload(Class<?> event) {
        return ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, event);
    }

    /** Supported only by listeners to every event. */
    private record Unpublished() {}

    /** Publishes the events of one lock; called by one thread at a time. */
    private final class OfLease implements LeadershipListener {
        private final ApplicationLease lease;
        /** Whether the beginning of the current term was published. The end is published only then. */
        private boolean granted;

        OfLease(ApplicationLease lease) {
            this.lease = lease;
        }

        @Override
        public void onGranted(Term term) {
            granted = !context.isClosed();
            if (granted) {
                publish(new OnGrantedLeadership(lease.name(), lease.withShard(term)));
            }
        }

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            if (granted) {
                publish(new OnRevokedLeadership(lease.name(), lease.withShard(term), reason));
            }
        }

        @Override
        public void onLeaderChanged(@Nullable String holder) {
            if (!context.isClosed()) {
                publish(new OnLeaderChanged(
                        lease.name(), holder, lease.lock().snapshot().identity(), lease.shard()));
            }
        }

        private void publish(Object event) {
            try {
                context.publishEvent(event);
            } catch (RuntimeException | Error e) {
                // Includes Errors, such as a listener's missing class, so that the next event is still published.
                log.error("Lease {}: a listener failed on {}; those after it were not called", lease.name(), event, e);
            }
        }
    }
}

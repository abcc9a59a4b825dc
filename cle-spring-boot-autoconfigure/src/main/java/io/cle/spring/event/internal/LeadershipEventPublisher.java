package io.cle.spring.event.internal;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import io.cle.lock.RevokeReason;
import io.cle.lock.Term;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.LeadershipListener;
import io.cle.runtime.internal.loop.Clock;
import io.cle.spring.actuate.internal.ListenerProblem;
import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnLeaderChanged;
import io.cle.spring.event.OnRevokedLeadership;
import io.cle.spring.lock.LeaseLockCustomizer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Publishes the events of the locks to the listeners of an application context, on threads of its own. The events of a lease are
 * delivered in their order. A listener that throws or blocks keeps no other listener, lease or lock from anything, except that a lease
 * is held for a listener of {@link OnRevokedLeadership} until the drain timeout.
 *
 * <p>Of a context that closes only the ends of its terms are published: beans that are about to be destroyed need not know who leads
 * next. The ends are, because an application's own event multicaster may report the close on several threads, so that it is known here
 * before the terms have ended.
 */
public final class LeadershipEventPublisher implements LeaseLockCustomizer, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(LeadershipEventPublisher.class);

    private final ApplicationEventPublisher publisher;
    private final ExecutorService threads = Executors.newCachedThreadPool(daemons());
    private final EventDelivery delivery;
    private final Duration patience;
    private volatile boolean closed;

    /** Publishes to the given context. */
    public LeadershipEventPublisher(ApplicationEventPublisher publisher) {
        this(publisher, Duration.ofSeconds(1));
    }

    /**
     * Publishes to the given context.
     *
     * @param patience how long a listener that doesn't return holds up the listeners after it
     */
    LeadershipEventPublisher(ApplicationEventPublisher publisher, Duration patience) {
        this.publisher = publisher;
        this.patience = patience;
        this.delivery = new EventDelivery(new EventListeners(publisher), threads, patience, Clock.system());
    }

    private static ThreadFactory daemons() {
        CustomizableThreadFactory threads = new CustomizableThreadFactory("cle-events-");
        threads.setDaemon(true);
        return threads;
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        lock.addListener(new OfLease(name, lock));
    }

    /** The listeners that failed on their last event, or have not returned from it. */
    public Collection<ListenerProblem> problems() {
        return delivery.problems();
    }

    /** Runs after the listener that ends the terms and waits for that. */
    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE + 1)
    void onClose(ContextClosedEvent event) {
        if (event.getApplicationContext() == publisher) {
            closed = true;
        }
    }

    @Override
    public void destroy() {
        closed = true;
        threads.shutdown();
    }

    /** Publishes what one lock reports. */
    private final class OfLease implements LeadershipListener {
        private final String name;
        private final CoordinatedLeaseLock lock;
        /** Completes when all listeners have been called with the last event, or have been given up on. */
        private CompletableFuture<CompletableFuture<Void>> last =
                CompletableFuture.completedFuture(CompletableFuture.completedFuture(null));
        /** Completes when all listeners have returned from the last revocation. */
        private CompletableFuture<Void> revoked = CompletableFuture.completedFuture(null);
        /** Whether the grant of the current term was published; only then its end is published, too. */
        private boolean granted;

        OfLease(String name, CoordinatedLeaseLock lock) {
            this.name = name;
            this.lock = lock;
        }

        @Override
        public void onGranted(Term term) {
            granted = !closed;
            if (granted) {
                publish(new OnGrantedLeadership(name, term.identity(), term.fencingToken(), term));
            }
            awaitCalls();
        }

        /** What a listener sets up is there when {@code @OnLeader} work begins, unless the listener takes too long. */
        private void awaitCalls() {
            try {
                last.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                log.debug("lease {}: work begins before all listeners have returned", name);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                log.debug("lease {}: work begins although no listener could be called", name, e);
            }
        }

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            revoked = granted
                    ? publish(new OnRevokedLeadership(name, term.identity(), term.fencingToken(), reason, term))
                    : CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<Void> drained(Term term) {
            return revoked;
        }

        @Override
        public void onLeaderChanged(@Nullable String holder) {
            publish(new OnLeaderChanged(name, holder, lock.snapshot().identity()));
        }

        private CompletableFuture<Void> deliver(Object event) {
            if (closed && event instanceof OnLeaderChanged) {
                log.debug("the context is closing; not published any more: {}", event);
                return CompletableFuture.completedFuture(null);
            }
            try {
                return delivery.deliver(name, event);
            } catch (RuntimeException | Error e) {
                // Of the context, which may be closing, or of a listener that is asked which events it takes. The
                // next event is delivered all the same: if the end of a term were never published, what listeners
                // have begun in it would go on.
                log.error("lease {}: no listener can be called with {}", name, event, e);
                return CompletableFuture.completedFuture(null);
            }
        }

        private CompletableFuture<Void> publish(Object event) {
            // Also after one that has found no thread: a stage that has failed would fail all that come after it.
            last = last.handleAsync((previous, noThread) -> deliver(event), threads)
                    .whenComplete((calls, noThread) -> {
                        if (noThread != null && !closed) {
                            log.error("lease {}: there is no thread to call listeners with {}", name, event, noThread);
                        }
                    });
            return last.thenCompose(Function.identity());
        }
    }
}

package io.cle.spring.lock.internal;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.cle.CoordinatedLeaseLock;
import io.cle.OwnedLock;
import io.cle.loop.internal.EventLoop;
import io.cle.spring.lock.LeaseLockCustomizer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.function.SingletonSupplier;

/**
 * Starts the locks on {@link ApplicationReadyEvent}, when the web server is up and all runners have run, and stops them when the context
 * begins to close, before any other bean is stopped. The close waits until every term is drained and handed over, as long as the leases'
 * drain timeouts allow. A context that is only stopped ({@code context.stop()}) ends the terms, too, in the phase that stops first and
 * within its timeout, and joins again when it is started again. With {@code cle.enabled=false} no lock is ever started.
 */
public final class ElectionLifecycle implements SmartLifecycle, SmartInitializingSingleton {

    /** Before all other listeners of a close, except those that prepare the end of the terms. */
    public static final int CLOSE_ORDER = Ordered.HIGHEST_PRECEDENCE + 1;

    /** How long an application may take from the start of its last bean until it is ready, before a warning is logged. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(ElectionLifecycle.class);

    private final ApplicationContext context;
    private final Supplier<Leases> leases;
    private final Supplier<List<LeaseLockCustomizer>> customizers;
    private final Supplier<Duration> patience;
    private final EventLoop loop;
    private final boolean enabled;

    private EventLoop.@Nullable Timer warning;
    private boolean ready;
    private boolean started;
    private boolean joined;
    private boolean closing;
    /** A lock is customized once, however often the context is started. */
    private final Set<ApplicationLease> customized = new HashSet<>();
    /** The most recent end of all terms; completes when the leases are handed over. */
    private CompletableFuture<Void> end = CompletableFuture.completedFuture(null);

    /**
     * Creates the lifecycle of an application's locks.
     *
     * @param context the context whose close ends the election
     * @param leases supplies the leases, which may need locks that need this object
     * @param customizers supplies the customizers, in the order in which they are called before the first start; called once a lease is joined
     * @param patience supplies the longest wait of a close
     * @param loop runs the timer that warns if the application isn't ready in time
     */
    public ElectionLifecycle(
            ApplicationContext context,
            Supplier<Leases> leases,
            Supplier<List<LeaseLockCustomizer>> customizers,
            Supplier<Duration> patience,
            EventLoop loop) {
        this.context = context;
        this.leases = SingletonSupplier.of(leases);
        this.customizers = SingletonSupplier.of(customizers);
        this.patience = patience;
        this.loop = loop;
        this.enabled = context.getEnvironment().getProperty("cle.enabled", Boolean.class, true);
    }

    /** Resolves the leases, so that a problem with a joined lease fails the start. */
    @Override
    public void afterSingletonsInstantiated() {
        leases.get().joinMainIfUsed();
        if (!leases.get().all().isEmpty()) {
            log.debug("Closing the context waits up to {} for the terms to end", patience.get());
        }
    }

    /** Joins the default lease if its lock is created after the other leases were joined. Otherwise its bean is found when they join. */
    public synchronized CoordinatedLeaseLock created(OwnedLock lock) {
        if (joined) {
            customize(leases.get().mainIsCreated(lock));
            lock.start();
        }
        return lock;
    }

    /** Runs after all other listeners of this event, because their work is part of getting ready. */
    @EventListener
    @Order(Ordered.LOWEST_PRECEDENCE)
    void onReady(ApplicationReadyEvent event) {
        if (isForeign(event.getApplicationContext(), context)) {
            return;
        }
        log.debug("The application is ready {} after its start", event.getTimeTaken());
        applicationIsReady();
    }

    /** Runs as early as {@link #CLOSE_ORDER}, while all other beans still work. */
    @EventListener
    @Order(CLOSE_ORDER)
    void onClose(ContextClosedEvent event) {
        if (event.getApplicationContext() == context) {
            synchronized (this) {
                closing = true;
                cancelWarning();
            }
            stopAndWait();
        }
    }

    /**
     * Returns whether the source of an event is a context other than an application's own: a child context's events reach its
     * parent, too. A context without a {@code SpringApplication} never becomes ready by itself, so it follows its children.
     */
    static boolean isForeign(Object source, ApplicationContext own) {
        return source instanceof ApplicationContext
                && source != own
                && own.containsLocalBean("springApplicationArguments");
    }

    private synchronized void applicationIsReady() {
        ready = true;
        cancelWarning();
        joinIfPossible();
    }

    @Override
    public synchronized void start() {
        started = true;
        if (enabled && !ready && !leases.get().all().isEmpty()) {
            // With a runner that never returns, such as an application's main loop, no process would ever lead.
            warning = loop.schedule(PATIENCE, ElectionLifecycle::warn);
        }
        joinIfPossible();
    }

    private static void warn() {
        log.warn(
                "The application isn't ready, and until then this process is no candidate and leads nothing: a CommandLineRunner, an"
                        + " ApplicationRunner or a listener of the start has not returned. Work that doesn't end belongs on a thread of its"
                        + " own; if only the leader is to do it, in a method with @OnLeader");
    }

    private void cancelWarning() {
        if (warning != null) {
            warning.cancel();
        }
    }

    private void joinIfPossible() {
        if (!enabled || !started || !ready || joined) {
            return;
        }
        leases.get().joinMainIfUsed();
        joined = true;
        leases.get().all().forEach(this::customize);
        leases.get().all().stream().flatMap(ElectionLifecycle::owned).forEach(OwnedLock::start);
    }

    private void customize(ApplicationLease lease) {
        if (customized.add(lease)) {
            customizers.get().forEach(customizer -> customizer.customize(lease.name(), lease.lock()));
        }
    }

    /**
     * Returns the lock of a lease if this application starts and stops it. A lock that isn't an {@link OwnedLock}, such
     * as a mock, has another owner.
     */
    private static Stream<OwnedLock> owned(ApplicationLease lease) {
        return lease.lock() instanceof OwnedLock owned ? Stream.of(owned) : Stream.empty();
    }

    private static CompletableFuture<Void> stop(Stream<OwnedLock> locks) {
        return CompletableFuture.allOf(
                locks.map(lock -> lock.stop().toCompletableFuture()).toArray(CompletableFuture[]::new));
    }

    /** Ends all terms. The future completes when the leases are handed over, even if an earlier call has ended the terms. */
    private synchronized CompletableFuture<Void> endTerms() {
        started = false;
        if (!joined) {
            return end;
        }
        joined = false;
        end = stop(leases.get().all().stream().flatMap(ElectionLifecycle::owned));
        return end;
    }

    @Override
    public void stop(Runnable callback) {
        endTerms().whenComplete((unused, failure) -> {
            if (failure != null) {
                log.warn("Not every lease was handed over; it may have to expire", failure);
            }
            callback.run();
        });
    }

    @Override
    public void stop() {
        stopAndWait();
    }

    private void stopAndWait() {
        CompletableFuture<Void> handedOver = endTerms();
        if (handedOver.isDone()) {
            return;
        }
        Duration longest = patience.get();
        try {
            handedOver.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.warn("Interrupted while leases were handed over; they may have to expire");
        } catch (TimeoutException e) {
            log.warn("Not every lease was handed over within {}; it may have to expire", longest);
            // The stop that follows the close must not wait again.
            handedOver.complete(null);
        } catch (ExecutionException e) {
            log.warn("Not every lease was handed over; it may have to expire", e.getCause());
        }
    }

    /**
     * Returns true also while a closing context ends its terms. If an application's own event multicaster publishes the
     * close on another thread, the closing thread waits for the terms only in {@link #stop(Runnable)}, which Spring
     * calls only if this returns true.
     */
    @Override
    public synchronized boolean isRunning() {
        return started || (closing && !end.isDone());
    }

    /**
     * Returns the highest phase: the locks are stopped before everything else, the web server's graceful shutdown included, and started
     * last.
     */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}

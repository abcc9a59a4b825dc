package io.cle.coordinator.control;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

import io.cle.api.CoordinatorApi;
import io.cle.api.LeaseConfiguration;
import io.cle.api.WatchEvent;
import io.cle.coordinator.informer.Observations;
import io.cle.model.Candidate;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import io.cle.runtime.Coordinator;
import io.cle.runtime.CoordinatorConfig;
import io.cle.runtime.EventLoop;
import io.kubernetes.client.extended.workqueue.ratelimiter.ItemExponentialFailureRateLimiter;
import io.kubernetes.client.extended.workqueue.ratelimiter.RateLimiter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link Coordinator} between the informers that feed it and the work queue that it fills. It observes always and coordinates
 * only while this replica leads and everything there is has been seen. Its state is confined to the event loop; its methods are
 * thread-safe.
 *
 * <p>When to reconcile again is kept here, by the timers of the event loop, rather than in the work queue: the delays of
 * client-java's queue are whole milliseconds, can't be taken back, and what doesn't fit into its intake of a thousand is lost
 * without a sound. Failures are limited by the item alone; the queue's own limiter allows ten retries a minute in all.
 */
public final class Coordination implements Observations {

    private static final Duration FIRST_BACK_OFF = Duration.ofMillis(50);
    private static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(10);
    private static final Logger log = LoggerFactory.getLogger(Coordination.class);

    private final CoordinatorConfig config;
    private final EventLoop loop;
    private final RateLimiter<ObjectKey> failures =
            new ItemExponentialFailureRateLimiter<>(FIRST_BACK_OFF, LONGEST_BACK_OFF);
    private final Map<ObjectKey, CompletableFuture<?>> running = new HashMap<>();
    private final Map<ObjectKey, EventLoop.Timer> timers = new HashMap<>();
    private final List<CompletableFuture<@Nullable Void>> idle = new ArrayList<>();
    private final CompletableFuture<@Nullable Void> synced = new CompletableFuture<>();
    private Consumer<ObjectKey> queue = unused -> {};
    private @Nullable Coordinator coordinator;
    private boolean leading;
    private boolean seenAll;
    private volatile boolean coordinating;

    /** A coordination of nothing yet. */
    public Coordination(CoordinatorConfig config, EventLoop loop) {
        this.config = config;
        this.loop = loop;
    }

    /**
     * Connects it to its surroundings, before the informers start; or, when it is connected, to others: then nothing is known any more,
     * and nothing is coordinated until everything there is has been seen anew.
     *
     * @param api reads and writes; must deliver on the event loop
     * @param workQueue takes the leases that have to be reconciled; must not block
     */
    public void connect(CoordinatorApi api, Consumer<ObjectKey> workQueue) {
        loop.execute(() -> {
            queue = workQueue;
            seenAll = false;
            rest();
            coordinator = new Coordinator(config, api, loop.clock(), this::changed);
        });
    }

    // ---- what the informers tell ---------------------------------------------------------------------------------

    @Override
    public void onLease(WatchEvent<Lease> event) {
        known().ifPresent(present -> present.onLease(event));
    }

    @Override
    public void onCandidate(WatchEvent<Candidate> event) {
        known().ifPresent(present -> present.onCandidate(event));
    }

    @Override
    public void onConfiguration(WatchEvent<LeaseConfiguration> event) {
        known().ifPresent(present -> present.onConfiguration(event));
    }

    @Override
    public void onSynced() {
        seenAll = true;
        synced.complete(null);
        begin();
    }

    /** Completes on the event loop when everything there is has been seen for the first time. */
    public CompletionStage<@Nullable Void> synced() {
        return synced;
    }

    private Optional<Coordinator> known() {
        return Optional.ofNullable(coordinator);
    }

    // ---- whether to coordinate -----------------------------------------------------------------------------------

    /** This replica leads: coordinates from now on, as soon as everything there is has been seen. */
    public void lead() {
        loop.execute(() -> {
            leading = true;
            begin();
        });
    }

    private void begin() {
        if (leading && seenAll && !coordinating) {
            coordinating = true;
            known().ifPresent(Coordinator::touchAll);
        }
    }

    /** This replica leads no more. What is under way is finished; it can do no harm (coordinator's rule 8). */
    public void pause() {
        loop.execute(() -> {
            leading = false;
            rest();
        });
    }

    private void rest() {
        coordinating = false;
        timers.values().forEach(EventLoop.Timer::cancel);
        timers.keySet().forEach(failures::forget);
        timers.clear();
    }

    /** Whether leases are being reconciled. */
    public boolean coordinating() {
        return coordinating;
    }

    /** Completes as soon as nothing is under way. */
    public CompletionStage<@Nullable Void> idle() {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            idle.add(done);
            completeIfIdle();
        });
        return done;
    }

    private void completeIfIdle() {
        if (running.isEmpty()) {
            idle.forEach(waiting -> waiting.complete(null));
            idle.clear();
        }
    }

    // ---- reconciling ---------------------------------------------------------------------------------------------

    private void changed(ObjectKey key) {
        if (coordinating) {
            queue.accept(key);
        }
    }

    /**
     * Reconciles a lease, unless this replica doesn't coordinate; one that is being reconciled isn't at the same time once more.
     *
     * @return completes when that is done; doesn't fail
     */
    public CompletionStage<?> reconcile(ObjectKey key) {
        return CompletableFuture.supplyAsync(() -> run(key), loop::deliver).thenCompose(Function.identity());
    }

    private CompletionStage<?> run(ObjectKey key) {
        CompletableFuture<?> already = running.get(key);
        Coordinator present = coordinator;
        if (already != null || present == null || !coordinating) {
            return already == null ? CompletableFuture.completedStage(null) : already;
        }
        cancelTimer(key);
        CompletableFuture<?> done = new CompletableFuture<>();
        running.put(key, done);
        present.reconcile(key).whenComplete((outcome, failure) -> {
            running.remove(key);
            if (failure != null) {
                log.error("lease {}: the reconciliation has failed; this is a bug, please report it", key, failure);
            }
            next(key, Optional.ofNullable(outcome));
            done.complete(null);
            completeIfIdle();
        });
        return done;
    }

    private void next(ObjectKey key, Optional<Coordinator.Outcome> outcome) {
        if (!coordinating) {
            return;
        }
        if (outcome.isEmpty() || outcome.get().failed()) {
            again(key, failures.when(key));
            return;
        }
        failures.forget(key);
        outcome.get().recheckIn().ifPresent(delay -> again(key, delay));
    }

    private void again(ObjectKey key, Duration delay) {
        cancelTimer(key);
        if (delay.isZero()) {
            queue.accept(key);
        } else {
            timers.put(key, loop.schedule(delay, () -> {
                timers.remove(key);
                changed(key);
            }));
        }
    }

    private void cancelTimer(ObjectKey key) {
        EventLoop.Timer timer = timers.remove(key);
        if (timer != null) {
            timer.cancel();
        }
    }

    // ---- for people ----------------------------------------------------------------------------------------------

    /** Asks the coordinator something, on the event loop; empty before it is connected. */
    public <R> CompletionStage<Optional<R>> ask(Function<Coordinator, R> question) {
        return CompletableFuture.supplyAsync(() -> known().map(question), loop);
    }
}

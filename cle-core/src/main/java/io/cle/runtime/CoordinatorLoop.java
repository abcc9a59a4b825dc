package io.cle.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.api.CoordinatorApi;
import io.cle.api.Subscription;
import io.cle.model.ObjectKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives a {@link Coordinator} by the port's own watches, for where there is no controller machinery to do it: a coordinator within
 * another process, and tests. Each lease is reconciled by one at a time, and again when it has changed meanwhile. Thread-safe.
 */
public final class CoordinatorLoop implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CoordinatorLoop.class);
    private static final Duration FIRST_BACK_OFF = Duration.ofMillis(50);
    private static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(10);

    private final CoordinatorApi api;
    private final EventLoop loop;
    private final Coordinator coordinator;
    private final List<Subscription> watches = new ArrayList<>();
    private final Set<ObjectKey> running = new HashSet<>();
    private final Set<ObjectKey> dirty = new HashSet<>();
    private final Map<ObjectKey, EventLoop.Timer> timers = new HashMap<>();
    private final Map<ObjectKey, Integer> failures = new HashMap<>();
    private boolean coordinating;

    /** Makes a loop that does nothing yet. The API must deliver on the given event loop. */
    public CoordinatorLoop(CoordinatorConfig config, CoordinatorApi api, EventLoop loop) {
        this.api = api;
        this.loop = loop;
        this.coordinator = new Coordinator(config, api, loop.clock(), this::enqueue);
    }

    /** Observes from now on, so that coordinating can begin at once when it's wanted. */
    public void observe() {
        loop.execute(() -> {
            if (watches.isEmpty()) {
                watches.add(api.watchLeases(coordinator::onLease));
                watches.add(api.watchCandidates(coordinator::onCandidate));
                watches.add(api.watchConfigurations(coordinator::onConfiguration));
            }
        });
    }

    /** Coordinates from now on. */
    public void start() {
        observe();
        loop.execute(() -> {
            coordinating = true;
            coordinator.touchAll();
        });
    }

    /** Coordinates no more, but goes on observing. What is under way is finished; it can do no harm (coordinator's rule 8). */
    public void pause() {
        loop.execute(() -> {
            coordinating = false;
            timers.values().forEach(EventLoop.Timer::cancel);
            timers.clear();
            dirty.clear();
            failures.clear();
        });
    }

    /** Neither coordinates nor observes any more. */
    @Override
    public void close() {
        pause();
        loop.execute(() -> {
            watches.forEach(Subscription::close);
            watches.clear();
        });
    }

    /** What is known of every lease. */
    public CompletionStage<List<ElectionView>> views() {
        return CompletableFuture.supplyAsync(coordinator::views, loop);
    }

    private void enqueue(ObjectKey key) {
        if (!coordinating) {
            return;
        }
        if (running.contains(key)) {
            dirty.add(key);
            return;
        }
        running.add(key);
        loop.execute(() -> run(key));
    }

    private void run(ObjectKey key) {
        EventLoop.Timer timer = timers.remove(key);
        if (timer != null) {
            timer.cancel();
        }
        coordinator.reconcile(key).whenComplete((outcome, failure) -> {
            running.remove(key);
            if (failure != null) {
                log.error("lease {}: the reconciliation has failed; this is a bug, please report it", key, failure);
            }
            next(key, Optional.ofNullable(outcome));
        });
    }

    private void next(ObjectKey key, Optional<Coordinator.Outcome> outcome) {
        if (!coordinating) {
            return;
        }
        if (outcome.isEmpty() || outcome.get().failed()) {
            int failure = failures.merge(key, 1, Integer::sum);
            Duration backOff = FIRST_BACK_OFF.multipliedBy(1L << Math.min(failure - 1, 10));
            again(key, backOff.compareTo(LONGEST_BACK_OFF) < 0 ? backOff : LONGEST_BACK_OFF);
            return;
        }
        failures.remove(key);
        if (dirty.remove(key)) {
            enqueue(key);
            return;
        }
        outcome.get().recheckIn().ifPresent(delay -> again(key, delay));
    }

    private void again(ObjectKey key, Duration delay) {
        timers.put(key, loop.schedule(delay, () -> enqueue(key)));
    }
}

package io.cle.spring.event.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.cle.runtime.internal.loop.Clock;
import io.cle.spring.actuate.internal.ListenerProblem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers events to listeners: to each of them one at a time and in their order. In general a listener is called when the one before
 * it has returned; one that throws, or doesn't return within a second, keeps no other from being called. Thread-safe.
 */
final class EventDelivery {

    private static final Logger log = LoggerFactory.getLogger(EventDelivery.class);

    private final EventListeners listeners;
    private final Executor threads;
    private final Duration patience;
    private final Clock clock;
    /** The last call of each listener, until it has returned; the listener's next call begins then. */
    private final Map<Object, CompletableFuture<Void>> lastCalls = new ConcurrentHashMap<>();

    private final Map<String, ListenerProblem> problems = new ConcurrentSkipListMap<>();

    /**
     * Makes a delivery.
     *
     * @param threads runs each call; must have a thread for each listener that blocks
     * @param patience how long a listener holds up the ones after it
     */
    EventDelivery(EventListeners listeners, Executor threads, Duration patience, Clock clock) {
        this.listeners = listeners;
        this.threads = threads;
        this.patience = patience;
        this.clock = clock;
    }

    /** The listeners that failed or block now, in the order of their names. */
    Collection<ListenerProblem> problems() {
        return List.copyOf(problems.values());
    }

    /**
     * Calls all listeners of an event, on the calling thread's time.
     *
     * @param lease the name of the lease that the event is about
     * @return completes when the last of them has returned, well or not; never fails
     */
    CompletableFuture<Void> deliver(String lease, Object event) {
        List<CompletableFuture<Void>> calls = new ArrayList<>();
        for (EventListeners.Target listener : listeners.of(event)) {
            CompletableFuture<Void> call = lastCalls.compute(
                    listener.key(),
                    (key, last) -> last == null
                            ? CompletableFuture.runAsync(() -> call(lease, listener, event), threads)
                            : last.thenRunAsync(() -> call(lease, listener, event), threads));
            calls.add(call);
            call.thenRun(() -> lastCalls.remove(listener.key(), call));
            await(call, lease, listener, event);
        }
        return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new));
    }

    private void await(CompletableFuture<Void> call, String lease, EventListeners.Target listener, Object event) {
        try {
            call.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            String name = event.getClass().getSimpleName();
            ListenerProblem blocks = new ListenerProblem(
                    lease, listener.name(), name, clock.wall().minus(patience), "has not returned since it was called");
            // A call that has failed in between has left its failure here, which stays.
            problems.merge(
                    keyOf(lease, listener, event),
                    blocks,
                    (known, late) -> known.since().isBefore(late.since()) ? late : known);
            // Removed if it has returned in between, which it may have done before the entry was there.
            call.thenRun(() -> problems.remove(keyOf(lease, listener, event), blocks));
            log.warn(
                    "lease {}: listener {} has not returned from {} for {}; the listeners after it are called all the same",
                    lease,
                    listener.name(),
                    name,
                    patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a call doesn't fail, whatever the listener does", e);
        }
    }

    private void call(String lease, EventListeners.Target listener, Object event) {
        try {
            listener.call().accept(event);
            problems.remove(keyOf(lease, listener, event));
        } catch (Throwable e) {
            // Errors too: a listener's missing class must not keep a lease from being handed over.
            String name = event.getClass().getSimpleName();
            problems.put(
                    keyOf(lease, listener, event),
                    new ListenerProblem(lease, listener.name(), name, clock.wall(), e.toString()));
            log.error(
                    "lease {}: listener {} failed on {}; the listeners after it are called all the same",
                    lease,
                    listener.name(),
                    event,
                    e);
        }
    }

    private static String keyOf(String lease, EventListeners.Target listener, Object event) {
        return lease + " " + listener.name() + " " + event.getClass().getSimpleName();
    }
}

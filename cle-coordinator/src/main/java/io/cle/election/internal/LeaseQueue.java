package io.cle.election.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

import io.cle.election.internal.LeaseReconciler.Outcome;
import io.cle.election.internal.LeaseReconciler.Result;
import io.cle.loop.internal.BackOff;
import io.cle.loop.internal.EventLoop;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when each lease is reconciled. Namespaces take turns, so that thousands of leases of one don't delay those of another. A lease is
 * reconciled by one worker at a time, again if it changes during its reconciliation, and with back-off after a failure. Nothing is reconciled
 * while the queue is closed. Confined to the event loop, unless said otherwise.
 *
 * <p>Rule: {@code protocol.md#requests-and-limits}.
 */
final class LeaseQueue {

    /** The delay between attempts at one lease. */
    static final BackOff BACK_OFF = new BackOff(Duration.ofMillis(50), Duration.ofSeconds(10));

    private static final Logger log = LoggerFactory.getLogger(LeaseQueue.class);

    private final EventLoop loop;
    private final RandomGenerator random;
    private final int places;
    private final Consumer<ObjectKey> workers;
    private final ElectionProgress progress;
    private volatile boolean open;
    private final AtomicInteger depth = new AtomicInteger();

    /** The leases that wait for a place, by namespace; the namespace whose turn is next comes first. */
    private final Map<String, OfNamespace> waiting = new LinkedHashMap<>();

    /**
     * Leases whose candidates were pinged and for which nothing was written since. They come first; otherwise, while a thousand leases wait,
     * acknowledgements would expire before their lease's turn.
     */
    private final Set<ObjectKey> pinged = new HashSet<>();

    /** Leases handed to the workers whose reconciliation hasn't begun. */
    private final Set<ObjectKey> handedOut = new HashSet<>();

    /** Leases that are being reconciled. */
    private final Map<ObjectKey, CompletableFuture<Boolean>> underWay = new HashMap<>();

    /** Leases that have changed while they were being reconciled. */
    private final Set<ObjectKey> changedMeanwhile = new HashSet<>();

    /** When to reconcile a lease although nothing has changed. */
    private final Map<ObjectKey, EventLoop.Timer> timers = new HashMap<>();

    /**
     * The number of consecutive failures of each lease. The next attempt may hang as well, so such leases come last, and leave a place of
     * their namespace free.
     */
    private final Map<ObjectKey, Integer> failures = new HashMap<>();

    /** Failing leases whose last write was refused: events don't shorten their back-off, because each renewal would repeat the write. */
    private final Set<ObjectKey> refused = new HashSet<>();

    /** The waiting leases of one namespace, each set oldest first. */
    private record OfNamespace(Set<ObjectKey> first, Set<ObjectKey> others, Set<ObjectKey> failing) {

        private OfNamespace() {
            this(new LinkedHashSet<>(), new LinkedHashSet<>(), new LinkedHashSet<>());
        }

        private int size() {
            return first.size() + others.size() + failing.size();
        }

        private void remove(ObjectKey lease) {
            first.remove(lease);
            others.remove(lease);
            failing.remove(lease);
        }

        /** Returns the next lease; {@code null} if there is none, or only failing ones and these have to wait. */
        private @Nullable ObjectKey next(boolean failingToo) {
            Set<ObjectKey> leases = !first.isEmpty() ? first : !others.isEmpty() || !failingToo ? others : failing;
            return leases.isEmpty() ? null : leases.iterator().next();
        }
    }

    /**
     * Creates a closed queue.
     *
     * @param random for the jitter of retries
     * @param places how many leases may be with the workers at once
     * @param workers must {@linkplain #run run} each given lease once, later
     */
    LeaseQueue(EventLoop loop, RandomGenerator random, int places, Consumer<ObjectKey> workers) {
        this.loop = loop;
        this.random = random;
        this.places = places;
        this.workers = workers;
        this.progress = new ElectionProgress(loop.clock().now());
    }

    void open() {
        open = true;
        progress.rest(loop.clock().now());
    }

    /** Clears the queue. Reconciliations in progress are completed. */
    void close() {
        open = false;
        progress.rest(loop.clock().now());
        List.copyOf(timers.keySet()).forEach(this::cancelTimer);
        waiting.clear();
        depth.set(0);
        pinged.clear();
        handedOut.clear();
        changedMeanwhile.clear();
        failures.clear();
        refused.clear();
    }

    /** Whether leases are being reconciled. Thread-safe. */
    boolean isOpen() {
        return open;
    }

    /** How many leases wait for a place. Thread-safe. */
    int depth() {
        return depth.get();
    }

    /** Completes when the current reconciliations have ended. */
    CompletionStage<@Nullable Void> idle() {
        return CompletableFuture.allOf(underWay.values().toArray(CompletableFuture[]::new));
    }

    /** Returns why this replica has to step down ({@link ElectionProgress#stuck}). */
    Optional<String> stuck(Duration patience) {
        return progress.stuck(patience, loop.clock().now());
    }

    /** Queues a lease for reconciliation. */
    void add(ObjectKey lease) {
        if (!open || handedOut.contains(lease) || refused.contains(lease)) {
            return;
        }
        if (underWay.containsKey(lease)) {
            changedMeanwhile.add(lease);
            return;
        }
        OfNamespace leases = waiting.computeIfAbsent(lease.namespace(), unused -> new OfNamespace());
        Set<ObjectKey> notPinged = failures.containsKey(lease) ? leases.failing() : leases.others();
        if ((pinged.contains(lease) ? leases.first() : notPinged).add(lease)) {
            depth.incrementAndGet();
        }
        progress.due(lease, loop.clock().now());
        handOut();
    }

    private void handOut() {
        ObjectKey lease = next();
        while (lease != null) {
            OfNamespace leases = Objects.requireNonNull(waiting.remove(lease.namespace()), "waiting leases");
            leases.remove(lease);
            if (leases.size() > 0) {
                waiting.put(lease.namespace(), leases);
            }
            depth.decrementAndGet();
            handedOut.add(lease);
            workers.accept(lease);
            lease = next();
        }
    }

    private @Nullable ObjectKey next() {
        if (handedOut.size() + underWay.size() < places) {
            for (Map.Entry<String, OfNamespace> leases : waiting.entrySet()) {
                ObjectKey lease = next(leases.getKey(), leases.getValue());
                if (lease != null) {
                    return lease;
                }
            }
        }
        return null;
    }

    /**
     * Returns the lease of a namespace that is reconciled next; {@code null} if there is no place for one. Some places stay free for other
     * namespaces, and some of a namespace's own for leases that haven't failed, because a reconciliation may take as long as its requests.
     */
    private @Nullable ObjectKey next(String namespace, OfNamespace leases) {
        List<ObjectKey> taken = Stream.concat(handedOut.stream(), underWay.keySet().stream())
                .filter(lease -> lease.namespace().equals(namespace))
                .toList();
        int most = places - places / 4;
        int mostFailing = Math.max(1, most - Math.max(1, most / 4));
        return taken.size() < most
                ? leases.next(taken.stream().filter(failures::containsKey).count() < mostFailing)
                : null;
    }

    /**
     * Reconciles a lease that was handed to the workers, unless it is being reconciled or the queue has been closed since.
     *
     * @return completes with whether it has succeeded: false if a request has failed or the reconciliation has thrown. Never fails
     */
    CompletionStage<Boolean> run(ObjectKey lease, Supplier<CompletionStage<Outcome>> reconciliation) {
        handedOut.remove(lease);
        CompletableFuture<Boolean> already = underWay.get(lease);
        if (already != null || !open) {
            return already == null ? CompletableFuture.completedStage(true) : already;
        }
        cancelTimer(lease);
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        underWay.put(lease, done);
        // Called within the stage, because a strategy may throw anything, such as a LinkageError, and the lease has to
        // be reconciled again.
        CompletionStage<Outcome> attempt =
                CompletableFuture.completedStage(reconciliation).thenCompose(Supplier::get);
        attempt.whenComplete((outcome, failure) -> {
            underWay.remove(lease);
            if (failure == null) {
                progress.done(lease, loop.clock().now());
            } else {
                log.error("Lease {}: reconciliation threw; this is a bug, please report it", lease, failure);
            }
            Outcome result = failure == null ? outcome : Outcome.FAILED;
            if (open) {
                next(lease, result);
                handOut();
            }
            done.complete(!result.failed());
        });
        return done;
    }

    private void next(ObjectKey lease, Outcome outcome) {
        boolean changed = changedMeanwhile.remove(lease);
        if (outcome.failed()) {
            pinged.remove(lease);
            addIn(lease, BACK_OFF.after(failures.merge(lease, 1, Integer::sum), random));
            if (outcome.result() == Result.REFUSED) {
                refused.add(lease);
            }
            return;
        }
        if (outcome.result() == Result.PINGED) {
            // The number of failures is kept, because the write that follows may be refused again.
            pinged.add(lease);
        } else {
            failures.remove(lease);
            if (outcome.recheckIn().map(Duration::isZero).orElse(true)) {
                pinged.remove(lease);
            }
        }
        if (changed) {
            add(lease);
        } else {
            outcome.recheckIn().ifPresent(delay -> addIn(lease, delay));
        }
    }

    private void addIn(ObjectKey lease, Duration delay) {
        if (delay.isZero()) {
            add(lease);
            return;
        }
        timers.put(lease, loop.schedule(delay, () -> {
            timers.remove(lease);
            refused.remove(lease);
            add(lease);
        }));
    }

    private void cancelTimer(ObjectKey lease) {
        EventLoop.Timer timer = timers.remove(lease);
        if (timer != null) {
            timer.cancel();
        }
    }
}

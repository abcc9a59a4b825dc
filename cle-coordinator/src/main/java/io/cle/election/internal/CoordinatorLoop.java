package io.cle.election.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

import io.cle.election.internal.api.CoordinatorClient;
import io.cle.loop.internal.BackOff;
import io.cle.loop.internal.EventLoop;
import io.cle.model.ObjectKey;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.WatchEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a coordinator: owns its three watches, and decides which lease is reconciled when. The jar, the samples and the simulation all run
 * this class.
 *
 * <p>It observes as soon as it has an API, and reconciles only while it is {@linkplain #coordinate() asked to coordinate} and every object
 * there is has been seen (safety.md#seen-everything). A lease is reconciled by one at a time; if it changes meanwhile, it is reconciled
 * again. One that fails is tried again with back-off.
 *
 * <p>State is confined to the event loop; methods are thread-safe.
 * Rule: {@code protocol.md#requests-and-limits}.
 */
public final class CoordinatorLoop implements AutoCloseable {

    /** Between attempts at one lease. */
    static final BackOff BACK_OFF = new BackOff(Duration.ofMillis(50), Duration.ofSeconds(10));

    private static final String LEASES = "leases";
    private static final String CANDIDATES = "lease candidates";
    private static final String CONFIGURATIONS = "lease configurations";
    private static final List<String> KINDS = List.of(LEASES, CANDIDATES, CONFIGURATIONS);

    /** How many leases are read in one task of the event loop. */
    private static final int READ_AT_ONCE = 100;

    private static final Logger log = LoggerFactory.getLogger(CoordinatorLoop.class);

    private final CoordinatorConfig config;
    private final EventLoop loop;
    private final RandomGenerator random;
    private final WorkQueue queue;
    private final CoordinatorListener listener;
    private final Runnable whenInterrupted;
    private final Map<String, WatchStatus> statuses = new ConcurrentHashMap<>();
    private final CompletableFuture<@Nullable Void> synced = new CompletableFuture<>();

    /** The watches that are open; empty before there is an API, and after the end. */
    private final List<Subscription> watches = new ArrayList<>();

    /** What was observed through the API in use, and what decides on it; null before there is an API. */
    private @Nullable LeaseTable table;

    private @Nullable Coordinator coordinator;

    /** Whether this replica is to coordinate; it does once everything has been seen. */
    private boolean wanted;

    private volatile boolean coordinating;
    private volatile int depth;
    private boolean closed;

    /** Leases that have to be reconciled and have not been handed to the queue. */
    private final WaitingLeases waiting = new WaitingLeases();

    /**
     * Leases whose candidates were pinged, and for which nothing was written since. They come first: otherwise, while a thousand leases wait, an
     * acknowledgement is too old by the time its lease's turn comes, and all its candidates are pinged again.
     */
    private final Set<ObjectKey> pinged = new HashSet<>();

    /** Leases that the queue has, and whose reconciliation has not begun. */
    private final Set<ObjectKey> handedOut = new HashSet<>();

    /** Leases that are being reconciled. */
    private final Map<ObjectKey, CompletableFuture<Boolean>> underWay = new HashMap<>();

    /** Leases that have changed while they were being reconciled. */
    private final Set<ObjectKey> changedMeanwhile = new HashSet<>();

    /** When to reconcile a lease although nothing has changed. */
    private final Map<ObjectKey, EventLoop.Timer> timers = new HashMap<>();

    /** How many times in a row the reconciliation of a lease has failed. */
    private final Map<ObjectKey, Integer> failures = new HashMap<>();

    private final ElectionProgress progress;

    /**
     * Creates a loop that does nothing before it is given an API.
     *
     * @param loop where the API delivers, and where everything is decided
     * @param random for the jitter of retries
     * @param queue calls {@link #reconcile} for what it is given
     * @param whenInterrupted is run when a watch breaks or a list fails, because the API server may have been replaced by one that serves
     *     another wire format; must not block
     */
    public CoordinatorLoop(
            CoordinatorConfig config,
            EventLoop loop,
            RandomGenerator random,
            WorkQueue queue,
            CoordinatorListener listener,
            Runnable whenInterrupted) {
        this.config = config;
        this.loop = loop;
        this.random = random;
        this.queue = queue;
        this.listener = listener;
        this.whenInterrupted = whenInterrupted;
        this.progress = new ElectionProgress(loop.clock().now());
        forgetWatches();
    }

    private void forgetWatches() {
        KINDS.forEach(kind ->
                statuses.put(kind, WatchStatus.unlisted(kind, loop.clock().wall())));
    }

    // ---- what is observed ----------------------------------------------------------------------------------------

    /**
     * Observes through an API from now on. If there was another one, everything that was known is forgotten, because it was known in
     * another wire format, and nothing is reconciled until everything there is has been seen anew.
     *
     * @param api must deliver on the event loop
     */
    public void use(CoordinatorClient api) {
        loop.execute(() -> {
            if (closed) {
                return;
            }
            closeWatches();
            rest();
            forgetWatches();
            CoordinatorJournal journal = new CoordinatorJournal(api, loop, listener);
            LeaseTable observed =
                    new LeaseTable(config.namespaces(), config.policy().leaseDuration(), loop.clock(), journal);
            Coordinator next =
                    new Coordinator(config, api, observed, journal, loop.clock(), random, this::takeChanges, listener);
            table = observed;
            coordinator = next;
            watches.add(api.watchLeases(event -> observe(LEASES, event, journal, observed::onLease)));
            watches.add(api.watchCandidates(event -> observe(CANDIDATES, event, journal, observed::onCandidate)));
            watches.add(api.watchConfigurations(event -> {
                observe(CONFIGURATIONS, event, journal, observed::onConfiguration);
                next.reportConfigurations();
            }));
        });
    }

    private <T> void observe(
            String kind, WatchEvent<T> event, CoordinatorJournal journal, Consumer<WatchEvent<T>> observed) {
        statuses.computeIfPresent(
                kind, (unused, status) -> status.after(event, loop.clock().wall()));
        journal.watched(kind, event);
        observed.accept(event);
        takeChanges();
        if (event instanceof WatchEvent.Interrupted<T>) {
            whenInterrupted.run();
        }
        if (event instanceof WatchEvent.Snapshot<T> && seenEverything()) {
            synced.complete(null);
            begin();
        }
    }

    private void takeChanges() {
        if (table != null) {
            table.takeTouched().forEach(this::changed);
        }
    }

    private boolean seenEverything() {
        return watches().stream().allMatch(WatchStatus::synced);
    }

    private void closeWatches() {
        watches.forEach(Subscription::close);
        watches.clear();
    }

    /** Completes on the event loop when everything there is has been seen for the first time. */
    public CompletionStage<@Nullable Void> synced() {
        return synced;
    }

    /** Returns the status of the three watches. */
    public List<WatchStatus> watches() {
        return KINDS.stream()
                .map(kind -> Objects.requireNonNull(statuses.get(kind)))
                .toList();
    }

    // ---- whether to coordinate -----------------------------------------------------------------------------------

    /** Coordinates from now on, as soon as everything there is has been seen. */
    public void coordinate() {
        loop.execute(() -> {
            wanted = true;
            begin();
        });
    }

    private void begin() {
        if (wanted && !coordinating && table != null && coordinator != null && seenEverything()) {
            coordinating = true;
            progress.rest(loop.clock().now());
            List.copyOf(table.keys()).forEach(this::changed);
            coordinator.begin();
        }
    }

    /** Stops coordinating but keeps watching. Reconciliations in progress are completed, which is safe (safety.md#one-coordinator). */
    public void pause() {
        loop.execute(() -> {
            wanted = false;
            rest();
        });
    }

    private void rest() {
        coordinating = false;
        if (coordinator != null) {
            coordinator.rest();
        }
        progress.rest(loop.clock().now());
        List.copyOf(timers.keySet()).forEach(this::cancelTimer);
        waiting.clear();
        depth = 0;
        pinged.clear();
        handedOut.clear();
        changedMeanwhile.clear();
        failures.clear();
    }

    /**
     * Checks that elections complete while there is something to elect. Called on the event loop.
     *
     * @param patience how long no election may complete
     * @return why this replica has to step down; empty if it need not
     */
    Optional<String> stuck(Duration patience) {
        return progress.stuck(patience, loop.clock().now());
    }

    /** Whether leases are being reconciled. */
    public boolean coordinating() {
        return coordinating;
    }

    /** Completes on the event loop when all reconciliations are done that are under way now. After {@link #pause} no other begins. */
    public CompletionStage<@Nullable Void> idle() {
        return CompletableFuture.supplyAsync(
                        () -> CompletableFuture.allOf(underWay.values().toArray(CompletableFuture[]::new)), loop)
                .thenCompose(Function.identity());
    }

    /** Stops coordinating and watching, for good. */
    @Override
    public void close() {
        pause();
        loop.execute(() -> {
            closed = true;
            closeWatches();
        });
    }

    // ---- which lease is reconciled when --------------------------------------------------------------------------

    private void changed(ObjectKey lease) {
        if (!coordinating || handedOut.contains(lease)) {
            return;
        }
        if (underWay.containsKey(lease)) {
            changedMeanwhile.add(lease);
            return;
        }
        waiting.add(lease, pinged.contains(lease));
        depth = waiting.size();
        progress.due(lease, loop.clock().now());
        handOut();
    }

    private void handOut() {
        while (handedOut.size() + underWay.size() < queue.capacity()) {
            Optional<ObjectKey> next = waiting.take(this::hasPlaces);
            if (next.isEmpty()) {
                return;
            }
            depth = waiting.size();
            handedOut.add(next.get());
            queue.add(next.get(), this);
        }
    }

    /** Some places are left for other namespaces, because a reconciliation may take as long as its requests. */
    private boolean hasPlaces(String namespace) {
        long taken = Stream.concat(handedOut.stream(), underWay.keySet().stream())
                .filter(lease -> lease.namespace().equals(namespace))
                .count();
        return taken < queue.capacity() - queue.capacity() / 4;
    }

    /** How many leases have to be reconciled and wait for a place in the queue. */
    public int depth() {
        return depth;
    }

    /**
     * Reconciles a lease for the queue: nothing if this replica doesn't coordinate any more, and not twice at a time.
     *
     * @return completes when that is done, with whether it has succeeded: false if a request has failed, or the reconciliation has thrown. Doesn't fail
     */
    public CompletionStage<Boolean> reconcile(ObjectKey lease) {
        return CompletableFuture.supplyAsync(() -> run(lease), loop::deliver).thenCompose(Function.identity());
    }

    private CompletionStage<Boolean> run(ObjectKey lease) {
        handedOut.remove(lease);
        CompletableFuture<Boolean> already = underWay.get(lease);
        Coordinator present = coordinator;
        if (already != null || present == null || !coordinating) {
            return already == null ? CompletableFuture.completedStage(true) : already;
        }
        cancelTimer(lease);
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        underWay.put(lease, done);
        progress.begun(lease, loop.clock().now());
        attempt(present, lease).whenComplete((outcome, failure) -> {
            takeChanges();
            underWay.remove(lease);
            if (failure == null) {
                progress.done(lease, loop.clock().now());
            } else {
                log.error("lease {}: the reconciliation has thrown; this is a bug, please report it", lease, failure);
            }
            if (coordinating) {
                next(lease, Optional.ofNullable(outcome));
                handOut();
            }
            done.complete(failure == null && !outcome.failed());
        });
        return done;
    }

    /** What is thrown, a strategy's LinkageError too, must not leave the lease under way: it would never be reconciled again. */
    private static CompletionStage<Coordinator.Outcome> attempt(Coordinator coordinator, ObjectKey lease) {
        try {
            return coordinator.reconcile(lease);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private void next(ObjectKey lease, Optional<Coordinator.Outcome> outcome) {
        boolean changed = changedMeanwhile.remove(lease);
        outcome.ifPresent(it -> notePings(lease, it));
        if (outcome.isEmpty() || outcome.get().failed()) {
            reconcileIn(lease, BACK_OFF.after(failures.merge(lease, 1, Integer::sum), random));
            return;
        }
        if (outcome.get().stale()) {
            int repeated = failures.merge(lease, 1, Integer::sum) - 1;
            reconcileIn(lease, repeated == 0 ? Duration.ZERO : BACK_OFF.after(repeated, random));
            return;
        }
        failures.remove(lease);
        if (changed) {
            changed(lease);
        } else {
            outcome.get().recheckIn().ifPresent(delay -> reconcileIn(lease, delay));
        }
    }

    private void notePings(ObjectKey lease, Coordinator.Outcome outcome) {
        if (outcome.asked()) {
            pinged.add(lease);
        } else if (outcome.recheckIn().map(Duration::isZero).orElse(true)) {
            pinged.remove(lease);
        }
    }

    private void reconcileIn(ObjectKey lease, Duration delay) {
        if (delay.isZero()) {
            changed(lease);
            return;
        }
        timers.put(lease, loop.schedule(delay, () -> {
            timers.remove(lease);
            changed(lease);
        }));
    }

    private void cancelTimer(ObjectKey lease) {
        EventLoop.Timer timer = timers.remove(lease);
        if (timer != null) {
            timer.cancel();
        }
    }

    // ---- for people ----------------------------------------------------------------------------------------------

    /**
     * Reads what is known of all leases, in order; a batch of them in each task of the event loop, because thousands at once would delay
     * elections.
     *
     * @param reader takes a batch, on the event loop
     * @return completes on the event loop when all have been read
     */
    public CompletionStage<@Nullable Void> readAll(Consumer<List<ElectionView>> reader) {
        return CompletableFuture.supplyAsync(
                        () -> table == null ? List.<ObjectKey>of() : List.copyOf(table.keys()), loop)
                .thenCompose(leases -> readFrom(leases, 0, reader));
    }

    private CompletionStage<@Nullable Void> readFrom(
            List<ObjectKey> leases, int from, Consumer<List<ElectionView>> reader) {
        if (from >= leases.size()) {
            return CompletableFuture.completedStage(null);
        }
        int until = Math.min(leases.size(), from + READ_AT_ONCE);
        return views(leases.subList(from, until)).thenCompose(views -> {
            reader.accept(views);
            return readFrom(leases, until, reader);
        });
    }

    /** Returns views of leases, without those that are unknown. */
    public CompletionStage<List<ElectionView>> views(List<ObjectKey> leases) {
        return CompletableFuture.supplyAsync(() -> viewsNow(leases), loop);
    }

    private List<ElectionView> viewsNow(List<ObjectKey> leases) {
        Coordinator present = coordinator;
        return present == null
                ? List.of()
                : leases.stream().flatMap(lease -> present.view(lease).stream()).toList();
    }
}

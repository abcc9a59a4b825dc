package io.cle.election.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

import io.cle.election.internal.api.CoordinatorClient;
import io.cle.loop.internal.EventLoop;
import io.cle.model.ObjectKey;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * A coordinator: its watches, its {@link LeaseQueue} and its {@link LeaseReconciler}. The jar, the test kit, the samples and the simulation
 * all run this class.
 *
 * <p>It observes as soon as it has an API, and reconciles only while it is {@linkplain #coordinate() asked to coordinate} and has listed every
 * object (safety.md#seen-everything).
 *
 * <p>State is confined to the event loop; methods are thread-safe.
 * Rule: {@code protocol.md#requests-and-limits}.
 */
public final class Coordinator implements AutoCloseable {

    private static final String LEASES = "leases";
    private static final String CANDIDATES = "lease candidates";
    private static final String CONFIGURATIONS = "lease configurations";

    private final CoordinatorConfig config;
    private final EventLoop loop;
    private final LeaseQueue queue;
    private final Consumer<String> reported;
    private final Runnable whenInterrupted;
    private final CompletableFuture<@Nullable Void> synced = new CompletableFuture<>();

    /** The status of each watch, by its kind and namespace. */
    private volatile Map<String, WatchStatus> statuses;

    /** The open watches; empty before {@link #use} and after {@link #close}. */
    private final List<Subscription> watches = new ArrayList<>();

    /** The table and the reconciler of the current API; null before there is one. */
    private @Nullable LeaseTable table;

    private @Nullable LeaseReconciler reconciler;

    /** Whether this replica coordinates once it has synced. */
    private boolean wanted;

    private boolean closed;

    /**
     * Creates a coordinator that does nothing before it is given an API.
     *
     * @param loop the event loop on which the API delivers and all decisions are made
     * @param random for the jitter of retries
     * @param workers call {@link #reconcile} for each lease that they are given
     * @param reported receives the reason of each Event about a lease, in camel case; called on the event loop, must not block
     * @param whenInterrupted called when a watch breaks or a list fails, because the API server may have been replaced by one that serves another
     *     wire format; must not block
     */
    public Coordinator(
            CoordinatorConfig config,
            EventLoop loop,
            RandomGenerator random,
            Workers workers,
            Consumer<String> reported,
            Runnable whenInterrupted) {
        this.config = config;
        this.loop = loop;
        this.queue = new LeaseQueue(loop, random, workers.count(), lease -> workers.take(lease, this));
        this.reported = reported;
        this.whenInterrupted = whenInterrupted;
        this.statuses = unlisted(Set.of(CoordinatorClient.ALL_NAMESPACES));
    }

    private Map<String, WatchStatus> unlisted(Set<String> namespaces) {
        Map<String, WatchStatus> unlisted = new ConcurrentSkipListMap<>();
        for (String kind : List.of(LEASES, CANDIDATES, CONFIGURATIONS)) {
            namespaces.forEach(namespace -> unlisted.put(
                    watched(kind, namespace),
                    WatchStatus.unlisted(watched(kind, namespace), loop.clock().wall())));
        }
        return unlisted;
    }

    private static String watched(String kind, String namespace) {
        return namespace.isEmpty() ? kind : kind + " of namespace " + namespace;
    }

    // ---- watches -------------------------------------------------------------------------------------------------

    /**
     * Starts observing through an API. Discards everything known through a previous one, which had another wire format, and reconciles nothing until
     * it has synced again.
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
            statuses = unlisted(api.namespaces());
            CoordinatorJournal journal = new CoordinatorJournal(api, loop, reported);
            LeaseTable observed =
                    new LeaseTable(config.namespaces(), config.policy().leaseDuration(), loop.clock(), journal);
            LeaseReconciler next = new LeaseReconciler(config, api, observed, journal, loop.clock(), this::takeChanges);
            table = observed;
            reconciler = next;
            for (String namespace : api.namespaces()) {
                watches.add(api.watchLeases(
                        namespace, event -> observe(LEASES, namespace, event, journal, observed::onLease)));
                watches.add(api.watchCandidates(
                        namespace, event -> observe(CANDIDATES, namespace, event, journal, observed::onCandidate)));
                watches.add(api.watchConfigurations(namespace, event -> {
                    observe(CONFIGURATIONS, namespace, event, journal, observed::onConfiguration);
                    next.reportConfigurations();
                }));
            }
        });
    }

    private <T> void observe(
            String kind,
            String namespace,
            WatchEvent<T> event,
            CoordinatorJournal journal,
            BiConsumer<String, WatchEvent<T>> observed) {
        String watched = watched(kind, namespace);
        if (mayNotBeRead(watched, kind, event)) {
            observe(kind, namespace, new WatchEvent.Snapshot<>(List.of()), journal, observed);
        }
        statuses.computeIfPresent(
                watched, (unused, status) -> status.after(event, loop.clock().wall()));
        journal.watched(watched, event);
        observed.accept(namespace, event);
        takeChanges();
        if (event instanceof WatchEvent.Interrupted<T>) {
            whenInterrupted.run();
        }
        if (event instanceof WatchEvent.Snapshot<T> && seenEverything()) {
            synced.complete(null);
            begin();
        }
    }

    /**
     * Returns whether a namespace is treated as empty because this coordinator isn't allowed to list it, such as one that was deleted together with
     * its RoleBinding. If it may list no namespace at all, it never syncs.
     */
    private boolean mayNotBeRead(String watched, String kind, WatchEvent<?> event) {
        return event instanceof WatchEvent.Interrupted<?> interrupted
                && interrupted.forbidden() != null
                && watches().stream().anyMatch(it -> !it.synced() && it.kind().equals(watched))
                && watches().stream().anyMatch(it -> it.synced() && it.kind().startsWith(kind));
    }

    private void takeChanges() {
        if (table != null) {
            table.takeTouched().forEach(queue::add);
        }
    }

    private boolean seenEverything() {
        return watches().stream().allMatch(WatchStatus::synced);
    }

    private void closeWatches() {
        watches.forEach(Subscription::close);
        watches.clear();
    }

    /** Completes on the event loop when this replica has synced for the first time. */
    public CompletionStage<@Nullable Void> synced() {
        return synced;
    }

    /** Returns the status of each watch. */
    public List<WatchStatus> watches() {
        return List.copyOf(statuses.values());
    }

    // ---- start and stop ------------------------------------------------------------------------------------------

    /** Starts coordinating as soon as this replica has synced. */
    public void coordinate() {
        loop.execute(() -> {
            wanted = true;
            begin();
        });
    }

    private void begin() {
        if (wanted && !queue.isOpen() && table != null && reconciler != null && seenEverything()) {
            queue.open();
            List.copyOf(table.keys()).forEach(queue::add);
            reconciler.begin();
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
        queue.close();
        if (reconciler != null) {
            reconciler.rest();
        }
    }

    /**
     * Checks that elections complete while there is something to elect. Called on the event loop.
     *
     * @param patience how long no election may complete
     * @return why this replica has to step down; empty if it need not
     */
    Optional<String> stuck(Duration patience) {
        return queue.stuck(patience);
    }

    /** Whether leases are being reconciled. */
    public boolean coordinating() {
        return queue.isOpen();
    }

    /** Completes on the event loop when the current reconciliations have ended. After {@link #pause} no other begins. */
    public CompletionStage<@Nullable Void> idle() {
        return CompletableFuture.supplyAsync(queue::idle, loop).thenCompose(Function.identity());
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

    // ---- one lease -----------------------------------------------------------------------------------------------

    /** Returns the number of leases that wait to be reconciled. */
    public int depth() {
        return queue.depth();
    }

    /**
     * Reconciles a lease, unless this replica no longer coordinates or the lease is already being reconciled.
     *
     * @return completes with whether it has succeeded: false if a request has failed or the reconciliation has thrown. Never fails
     */
    public CompletionStage<Boolean> reconcile(ObjectKey lease) {
        return CompletableFuture.supplyAsync(
                        () -> queue.run(
                                lease,
                                () -> Objects.requireNonNull(reconciler)
                                        .reconcile(lease)
                                        .whenComplete((outcome, failure) -> takeChanges())),
                        loop::deliver)
                .thenCompose(Function.identity());
    }

    // ---- views ---------------------------------------------------------------------------------------------------

    /** Returns views of all leases, ordered by namespace and name. */
    public CompletionStage<List<ElectionView>> views() {
        return CompletableFuture.supplyAsync(() -> table == null ? List.of() : viewsNow(table.keys()), loop);
    }

    /** Returns views of leases, without those that are unknown. */
    public CompletionStage<List<ElectionView>> views(Collection<ObjectKey> leases) {
        return CompletableFuture.supplyAsync(() -> viewsNow(leases), loop);
    }

    private List<ElectionView> viewsNow(Collection<ObjectKey> leases) {
        LeaseReconciler present = reconciler;
        return present == null
                ? List.of()
                : leases.stream().flatMap(lease -> present.view(lease).stream()).toList();
    }
}

package io.cle.lock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.cle.LeadershipListener;
import io.cle.LockSnapshot;
import io.cle.OwnedLock;
import io.cle.Registration;
import io.cle.Resignation;
import io.cle.Role;
import io.cle.Shard;
import io.cle.Term;
import io.cle.kubernetes.internal.client.CandidateClient;
import io.cle.lock.internal.LockMachine.Action;
import io.cle.lock.internal.LockMachine.Event;
import io.cle.lock.internal.LockState.BegunTerm;
import io.cle.loop.internal.EventLoop;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.store.internal.LeaseApi;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.WatchEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A lock on a lease in a Kubernetes API server: runs {@link LockMachine} on an event loop, passes it the events of the watch, and carries out its
 * actions. {@link LockCandidacy} announces its candidate.
 */
public final class LeaseLock implements OwnedLock {

    private static final Logger log = LoggerFactory.getLogger(LeaseLock.class);

    private static final Duration WITHDRAWAL_PATIENCE = Duration.ofSeconds(1);

    private final LockConfig config;
    private final Optional<Shard> shard;
    private final LockStores.Source source;
    private final Entropy entropy;
    private final EventLoop loop;
    private final LockListeners listeners;
    private final LockJournal journal;
    private final EventLoop.Alarm alarm;

    /** The prefix of log messages. */
    private final String about;

    private final List<Subscription> watches = new ArrayList<>();
    private final List<CompletableFuture<@Nullable Void>> waiters = new ArrayList<>();

    /** Tasks that wait until the candidate is gone. */
    private final List<Runnable> onceWithdrawn = new ArrayList<>();

    private final @Nullable Candidacy candidacy;
    private volatile LockState state;

    /** The subscription to the source; null while the lock doesn't run. Confined to the loop, as are the next three. */
    private @Nullable Subscription supply;

    /** The stores in use, or last used before the lock was stopped; null before there are any. */
    private @Nullable LockStores stores;

    /** The stores to use once the lock has started over; null unless it starts over. */
    private @Nullable LockStores next;

    /** The subscription to the candidacy, from when this process first joins until the watch is closed. */
    private @Nullable Subscription candidate;

    /** The constructed lock; a copy, such as a Mockito spy, isn't the same as {@code this}. */
    private final LeaseLock original = this;

    /**
     * Creates a lock without starting it. Its stores are chosen when it starts. If candidates of the crd format are newly served, a running term
     * continues. Any other change of the stores makes the lock start over: a term ends, is drained and released.
     *
     * @param entropy distinguishes this process from others of the same identity, and from copies of itself
     * @param threads run the machines and the listeners; the stores must deliver on their loop
     */
    public LeaseLock(LockConfig config, LockStores.Source source, Entropy entropy, LockThreads threads) {
        this(config, source, entropy, threads, null);
    }

    /**
     * Creates a lock on a lease of a group. It shares the candidate of the group with the locks on the other leases.
     *
     * @param group the group's candidate; {@code null} if the lease isn't one of a group
     */
    public LeaseLock(
            LockConfig config,
            LockStores.Source source,
            Entropy entropy,
            LockThreads threads,
            @Nullable GroupCandidacy group) {
        EventLoop loop = threads.loop();
        this.journal = new LockJournal(config, config.lease(), loop.clock(), threads.lines());
        this.config = config;
        this.shard = Shard.of(config.group(), config.lease());
        this.source = source;
        this.entropy = entropy;
        this.loop = loop;
        this.listeners = new LockListeners(config.lease().toString(), threads.callbacks());
        this.about = "Lease " + config.lease();
        this.alarm = new EventLoop.Alarm(loop, () -> step(new Event.Tick()));
        this.candidacy = candidacy(group);
        this.state = LockState.initial();
    }

    private @Nullable Candidacy candidacy(@Nullable GroupCandidacy group) {
        if (config.candidacy() == null) {
            return null;
        }
        Candidacy.Listener listener = new Candidacy.Listener(
                listeners::announced, () -> step(new Event.ElectionStarted()), source::doubt, this::candidacyStepped);
        return group == null
                ? new LockCandidacy(config, loop, journal, listener)
                : group.share(config.lease(), listener);
    }

    @Override
    public String name() {
        return config.lease().name();
    }

    @Override
    public void start() {
        requireOriginal(original, this, config.lease());
        loop.execute(() -> {
            if (!state.started()) {
                step(new Event.Start(entropy.nonce()));
            }
            if (supply == null) {
                supply = source.use(this::use, journal::failed);
            }
        });
    }

    /**
     * Refuses to start a copy of a lock, such as a Mockito spy: the machine would run in the original, and the copy would never lead.
     *
     * @throws IllegalStateException if the lock isn't the original
     */
    public static void requireOriginal(OwnedLock original, OwnedLock lock, ObjectKey lease) {
        if (original != lock) {
            throw new IllegalStateException("lease " + lease
                    + ": the lock was copied, as @MockitoSpyBean does, and the copy would never lead; in a test,"
                    + " replace the lock by a mock (@MockitoBean) or grant leadership (@AutoConfigureLeadership)");
        }
    }

    private void use(LockStores chosen) {
        if (watches.isEmpty()) {
            stores = chosen;
            observe();
        } else if (!state.startsOver() && addsCandidates(chosen)) {
            stores = chosen;
            if (candidacy != null && candidate != null) {
                candidate = candidacy.use(chosen);
            }
        } else {
            journal.remember(
                    "starts over, because the API server serves candidates in another format, or none any more");
            next = chosen;
            step(new Event.ApiReplaced());
        }
    }

    /** Whether candidates are newly served. If so, the term and the watch of the lease continue. */
    private boolean addsCandidates(LockStores chosen) {
        return stores != null && stores.leases() == chosen.leases() && stores.candidates() == null;
    }

    private void observe() {
        if (state.started() && stores != null && watches.isEmpty()) {
            step(new Event.WatchOpened());
            watches.add(stores.leases().watch(config.lease(), this::onLease));
        }
    }

    private LeaseApi leases() {
        return Objects.requireNonNull(stores, "the lock has no stores yet").leases();
    }

    /** Returns the store of candidates; {@code null} for a direct lock, and while no candidates are served. */
    private @Nullable CandidateClient candidates() {
        return stores == null ? null : stores.candidates();
    }

    // ---- calls of the application --------------------------------------------------------------------------------

    /**
     * Sets whether this process may be a candidate. If it may not, it only observes the lease and reports its leader to listeners; a leader hands
     * over, but only if there is another candidate ({@link Fitness}). May be called before the start.
     *
     * @param found the reason why it may not, as the end of a sentence: "readiness is REFUSING_TRAFFIC"; {@code null} if it may
     */
    public void setProblem(@Nullable String found) {
        loop.execute(() -> step(new Event.FitnessChanged(found)));
    }

    @Override
    public boolean isRunning() {
        return state.started();
    }

    @Override
    public CompletionStage<Void> stop() {
        listeners.leaveListener();
        CompletableFuture<@Nullable Void> stopped = new CompletableFuture<>();
        loop.execute(() -> {
            if (state.running()) {
                journal.remember("withdraws from the election");
            }
            step(new Event.Stop());
            waitUntilSettled(stopped);
        });
        return stopped;
    }

    @Override
    public void close() {
        Duration patience = config.drainTimeout().plus(config.timings().leaseDuration());
        try {
            stop().toCompletableFuture().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.warn("Lease {}: interrupted while stopping; the lease may have to expire", config.lease());
        } catch (TimeoutException | ExecutionException e) {
            log.warn("Lease {}: did not stop within {}; the lease may have to expire", config.lease(), patience, e);
        }
    }

    @Override
    public boolean isLeader() {
        LockState current = state;
        return current.term() != null && current.leads(loop.clock().now());
    }

    @Override
    public Optional<String> leader() {
        Lease lease = state.lease();
        return lease == null ? Optional.empty() : Optional.ofNullable(lease.holder());
    }

    @Override
    public Optional<Term> term() {
        return running().map(term -> LockTerm.of(term, shard, this));
    }

    @Override
    public OptionalLong fencingToken() {
        return running().map(BegunTerm::fencingToken).map(OptionalLong::of).orElseGet(OptionalLong::empty);
    }

    private Optional<BegunTerm> running() {
        LockState current = state;
        BegunTerm term = current.term();
        return term != null && current.leads(loop.clock().now()) ? Optional.of(term) : Optional.empty();
    }

    @Override
    public CompletionStage<Resignation> resign() {
        CompletableFuture<Resignation> resigned = new CompletableFuture<>();
        loop.execute(() -> resign(null, resigned));
        return resigned;
    }

    @Override
    public CompletionStage<Resignation> resign(String successor) {
        CompletableFuture<Resignation> resigned = new CompletableFuture<>();
        loop.execute(() -> {
            if (state.term() == null) {
                resign(null, resigned);
            } else if (candidacy == null || successor.equals(config.identity())) {
                resigned.complete(Resignation.NOT_A_CANDIDATE);
            } else {
                candidacy.ifCandidate(successor, candidate -> {
                    if (!(candidate instanceof ApiResult.Ok<Boolean> ok)) {
                        String problem = "the candidate '" + successor + "' can't be read: " + candidate.describe()
                                + "; this process continues to lead";
                        journal.report(problem);
                        resigned.completeExceptionally(
                                new IllegalStateException("lease " + config.lease() + ": " + problem));
                    } else if (ok.value()) {
                        resign(successor, resigned);
                    } else {
                        resigned.complete(Resignation.NOT_A_CANDIDATE);
                    }
                });
            }
        });
        return resigned;
    }

    private void resign(@Nullable String successor, CompletableFuture<Resignation> resigned) {
        boolean led = state.term() != null;
        if (!led && !state.ending()) {
            // Completed at once, because a lease that is being acquired isn't settled before its term has ended.
            resigned.complete(Resignation.NOT_LEADING);
            return;
        }
        if (led) {
            journal.remember("resigns" + (successor == null ? "" : " in favour of '" + successor + "'"));
        }
        CompletableFuture<@Nullable Void> settled = new CompletableFuture<>();
        settled.thenRun(() -> resigned.complete(led ? outcomeOfResigning() : Resignation.NOT_LEADING));
        step(new Event.Resign(successor));
        waitUntilSettled(settled);
    }

    private Resignation outcomeOfResigning() {
        Lease lease = state.lease();
        boolean stillHeld = lease != null && config.identity().equals(lease.holder());
        return stillHeld ? Resignation.EXPIRES : Resignation.RELEASED;
    }

    @Override
    public void announcePriority(@Nullable Integer priority) {
        Candidacy announced = candidacy;
        if (announced != null) {
            loop.execute(() -> announced.announcePriority(priority));
        }
    }

    @Override
    public Registration addListener(LeadershipListener listener) {
        return listeners.add(listener);
    }

    @Override
    public LockSnapshot snapshot() {
        LockState current = state;
        Moment now = loop.clock().now();
        Lease lease = current.lease();
        BegunTerm term = current.leads(now) ? current.term() : null;
        return new Snapshot(
                config.lease(),
                config.identity(),
                config.coordinated(),
                config.timings(),
                current.role(now),
                term == null
                        ? null
                        : new LockSnapshot.Leading(
                                term.fencingToken(), Duration.ofNanos(current.validUntil() - now.nanos())),
                lease == null ? Snapshot.Seen.NOTHING : observed(lease),
                candidacy == null ? null : candidacy.stored(),
                current.uncoordinated(),
                config.takeover() == null ? null : config.takeover().key(),
                new LockSnapshot.Contacts(
                        journal.contact(),
                        candidacy == null || !candidacy.served() ? null : candidacy.contact(),
                        journal.writes()),
                journal.entries(),
                journal.measured());
    }

    private static LockSnapshot.Observed observed(Lease lease) {
        return new Snapshot.Seen(
                lease.holder(),
                lease.acquireTime(),
                lease.renewTime(),
                lease.electedBy(),
                lease.strategy(),
                lease.transitions(),
                lease.endOfTerm(),
                lease.preferredHolder(),
                lease.confirmed() ? lease.holderKey() : null);
    }

    // ---- the watch of the lease ----------------------------------------------------------------------------------

    private void onLease(WatchEvent<Lease> event) {
        if (event instanceof WatchEvent.Snapshot<Lease> snapshot) {
            journal.answered();
            step(found(snapshot));
        } else if (event instanceof WatchEvent.Changed<Lease> changed) {
            journal.answered();
            String holder = changed.object().holder();
            if (holder != null && !holder.equals(config.identity())) {
                journal.writtenByAnother(changed.object());
            }
            step(new Event.LeaseSeen(changed.object(), true));
        } else if (event instanceof WatchEvent.Removed<Lease> removed) {
            journal.answered();
            step(new Event.LeaseMissing(removed.resourceVersion()));
        } else if (event instanceof WatchEvent.Malformed<Lease> malformed) {
            journal.report("the lease is malformed and is left as it is: " + malformed.problem());
            step(new Event.LeaseUnreadable());
        } else if (event instanceof WatchEvent.Interrupted<Lease> interrupted) {
            if (interrupted.again()) {
                journal.watchFailsAgain(LockJournal.Problem.LEASE_WATCH, interrupted.message());
            } else {
                journal.failed("the watch of the lease has broken: " + interrupted.message());
            }
            source.doubt();
        } else if (event instanceof WatchEvent.Recovered<Lease>) {
            journal.end(LockJournal.Problem.LEASE_WATCH);
        }
    }

    private static Event found(WatchEvent.Snapshot<Lease> snapshot) {
        Lease lease = snapshot.objects().isEmpty() ? null : snapshot.objects().get(0);
        return lease == null ? new Event.LeaseMissing(null) : new Event.LeaseSeen(lease, false);
    }

    // ---- the machine ---------------------------------------------------------------------------------------------

    private void step(Event event) {
        LockMachine.Outcome outcome =
                LockMachine.step(config, state, event, loop.clock().now(), entropy.number());
        state = outcome.state();
        outcome.actions().forEach(action -> EventLoop.attempt(about, action, () -> carryOut(action)));
        alarm.set(state.wakeAt());
        settle();
    }

    private <T> void handle(CompletionStage<ApiResult<T>> answer, Consumer<ApiResult<T>> handler) {
        answer.thenAccept(result -> EventLoop.attempt(about, result, () -> handler.accept(result)));
    }

    private void carryOut(Action action) {
        if (action instanceof Action.WriteLease write) {
            Role role = state.role(loop.clock().now());
            Consumer<ApiResult<?>> written =
                    journal.sending(write.desired(), role == Role.LEADER || role == Role.DRAINING);
            handle(write.unlessShards() ? unlessShards(write) : send(write), result -> {
                written.accept(result);
                step(new Event.WriteDone(result));
            });
        } else if (action instanceof Action.ReadLease) {
            handle(leases().read(config.lease()), result -> {
                journal.read(result);
                step(new Event.ReadDone(result));
            });
        } else if (action instanceof Action.Grant grant) {
            journal.termBegan(grant.term().fencingToken());
            listeners.granted(LockTerm.of(grant.term(), shard, this));
        } else if (action instanceof Action.Revoke revoke) {
            Term term = LockTerm.of(revoke.term(), shard, this);
            journal.termEnded(revoke.reason());
            listeners.revoked(
                    term, revoke.reason(), () -> loop.execute(() -> drained(new Event.Drained(term.fencingToken()))));
        } else if (action instanceof Action.LeaderChanged changed) {
            journal.holderChanged(changed.holder());
            listeners.leaderChanged(changed.holder());
        } else if (action instanceof Action.Join) {
            join();
        } else if (action instanceof Action.FindOthers) {
            handle(
                    Objects.requireNonNull(candidates(), "there are candidates to be found")
                            .list(config.lease()),
                    result -> step(new Event.OthersFound(result)));
        } else if (action instanceof Action.Announce) {
            if (candidacy != null) {
                candidacy.announce();
            }
        } else if (action instanceof Action.Withdraw) {
            if (candidacy != null) {
                candidacy.withdraw();
            }
        } else if (action instanceof Action.ReportClaim report) {
            Moment now = loop.clock().now();
            LeaseObservation observation = report.observation();
            journal.report(observation.describeClaim(
                    now.wall().plusNanos(observation.freeAt() - now.nanos()),
                    Optional.ofNullable(observation.lease()).flatMap(leases()::endingLine)));
        } else if (action instanceof Action.Report report) {
            journal.report(report.message());
        } else if (action instanceof Action.Inform inform) {
            journal.inform(inform.message());
        } else if (action instanceof Action.RequestFailed failed) {
            journal.begin(LockJournal.Problem.LEASE, Level.WARN, failed.message());
        }
    }

    private void join() {
        journal.remember("joins the election as '" + config.identity() + "'");
        journal.joins();
        if (candidacy == null) {
            listeners.announced();
        } else if (candidate == null) {
            candidate = candidacy.use(Objects.requireNonNull(stores, "a lock that joins has stores"));
        }
    }

    private CompletionStage<ApiResult<Lease>> send(Action.WriteLease write) {
        return write.create() ? leases().create(write.desired()) : leases().write(write.desired());
    }

    /**
     * Sends a write, or refuses it if there are candidates for shards of the lease.
     */
    private CompletionStage<ApiResult<Lease>> unlessShards(Action.WriteLease write) {
        CandidateClient candidates = candidates();
        return candidates == null
                ? send(write)
                : candidates.forShardsOf(config.lease()).thenCompose(found -> {
                    if (!(found instanceof ApiResult.Ok<List<Candidate>> ok)) {
                        return CompletableFuture.completedStage(found.failure());
                    }
                    return ok.value().isEmpty()
                            ? send(write)
                            : CompletableFuture.completedStage(
                                    shardsAwaited(ok.value().get(0)));
                });
    }

    private ApiResult<Lease> shardsAwaited(Candidate candidate) {
        return new ApiResult.Refused<>(
                ApiResult.Refused.NONE,
                "'" + candidate.identity() + "' is a candidate for "
                        + Objects.requireNonNull(candidate.group()).shards() + " shards of " + config.lease()
                        + ", which may have leaders. Without a coordinator, nobody races for a lease that has shards. "
                        + LockConfig.CHECK_COORDINATOR,
                null);
    }

    /** Races while no coordinator can elect this process, and reports when that changes ({@code safety.md#fallback-race}). */
    private void candidacyStepped() {
        if (candidacy != null && candidacy.withdrawn()) {
            List<Runnable> due = List.copyOf(onceWithdrawn);
            onceWithdrawn.clear();
            due.forEach(Runnable::run);
        }
        Candidacy.Problem problem = candidacy == null ? null : candidacy.problem();
        String reason = problem == null ? null : problem.reason();
        String before = state.uncoordinated();
        if (Objects.equals(before, reason)) {
            settle();
            return;
        }
        if ((before == null) != (reason == null)) {
            reportRace(problem);
        }
        step(new Event.CoordinationChanged(reason));
    }

    private void reportRace(Candidacy.@Nullable Problem problem) {
        if (problem == null) {
            if (state.running()) {
                journal.inform("joins the coordinated election; a running term continues");
            }
            return;
        }
        boolean served = candidates() != null;
        String without = config.fallback().enabled() ? config.wishesOfACoordinator() : "";
        String message = (config.fallback().enabled()
                        ? "races for the lease at once, without a coordinator, because "
                        : "isn't elected, and " + config.nobodyRaces() + ": ")
                + problem.reason() + (without.isEmpty() ? "" : ". Without effect meanwhile: " + without)
                + ". It joins the coordinated election without a restart once " + problem.until();
        if (served || !without.isEmpty() || !config.fallback().enabled()) {
            journal.report(message);
        } else {
            journal.inform(message + "; to race for good, set cle.resource-lock=leases");
        }
    }

    /**
     * Continues the end of a term once the withdrawn candidate is deleted; otherwise the next election could choose it again. Waits one second at
     * most, because the API server may not answer.
     */
    private void drained(Event.Drained drained) {
        Runnable task = () -> step(drained);
        if (candidacy == null || !candidacy.withdrawing()) {
            task.run();
            return;
        }
        onceWithdrawn.add(task);
        loop.schedule(WITHDRAWAL_PATIENCE, () -> {
            if (onceWithdrawn.remove(task)) {
                task.run();
            }
        });
    }

    // ---- the end -------------------------------------------------------------------------------------------------

    private void waitUntilSettled(CompletableFuture<@Nullable Void> waiter) {
        waiters.add(waiter);
        settle();
    }

    /**
     * Completes pending calls of stop() and resign() once everything has ended. Closes the watches if the lock was stopped or starts over.
     */
    private void settle() {
        boolean withdrawn = candidacy == null || candidacy.withdrawn();
        if (!state.settled() || (!state.running() && !withdrawn)) {
            return;
        }
        if (!state.started() || state.startsOver()) {
            closeWatches();
        }
        List<CompletableFuture<@Nullable Void>> done = List.copyOf(waiters);
        waiters.clear();
        done.forEach(waiter -> waiter.complete(null));
    }

    private void closeWatches() {
        if (!watches.isEmpty()) {
            watches.forEach(Subscription::close);
            watches.clear();
            if (candidate != null) {
                candidate.close();
                candidate = null;
            }
            stores = next == null ? stores : next;
            next = null;
            step(new Event.WatchClosed());
        }
        if (state.started()) {
            loop.execute(this::observe);
        } else {
            journal.leaves();
            if (supply != null) {
                supply.close();
                supply = null;
            }
        }
    }
}

package io.cle.lock.internal;

import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import io.cle.LockSnapshot.Contact;
import io.cle.kubernetes.internal.client.CandidateClient;
import io.cle.lock.internal.CandidacyMachine.Action;
import io.cle.lock.internal.CandidacyMachine.Event;
import io.cle.loop.internal.EventLoop;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.WatchEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Announces, renews and withdraws the candidate of a lock: runs {@link CandidacyMachine} on the lock's event loop, and carries out its actions.
 * Confined to the loop, except for {@link #stored()} and {@link #contact()}.
 */
final class LockCandidacy implements Candidacy {

    private final LockConfig config;
    private final LockConfig.Candidacy candidacy;
    private final EventLoop loop;
    private final LockJournal journal;
    private final EventLoop.Alarm alarm;

    /** The prefix of log messages. */
    private final String about;

    private final Listener listener;

    /** The store of candidates; {@code null} while no candidates are served. */
    private @Nullable CandidateClient store;

    /** Why no candidates are served; {@code null} while they are. */
    private @Nullable String unserved;

    private Subscription watch = () -> {};

    /** Whether this process wants to be a candidate, even if no candidates are served. */
    private boolean wanted;

    /** The verbs that the API server forbids this process (403), each with its answer. */
    private final Map<String, String> forbidden = new TreeMap<>();

    private volatile CandidacyState state;

    /** Creates a candidacy without announcing it. */
    LockCandidacy(LockConfig config, EventLoop loop, LockJournal journal, Listener listener) {
        LockConfig.Candidacy candidacy = config.candidacy();
        if (candidacy == null) {
            throw new IllegalArgumentException("a direct lock announces no candidate");
        }
        this.config = config;
        this.candidacy = candidacy;
        this.loop = loop;
        this.journal = journal;
        this.about = "Lease " + config.lease();
        this.alarm = new EventLoop.Alarm(loop, () -> step(new Event.Tick()));
        this.listener = listener;
        this.state = CandidacyState.initial(candidacy.template().priority());
    }

    @Override
    public Subscription use(LockStores stores) {
        close();
        store = stores.candidates();
        unserved = stores.reason();
        forbidden.clear();
        state = state.afresh();
        alarm.set(LockState.NEVER);
        if (store != null) {
            watch = store.watch(candidacy.template().key(), this::seen);
        }
        if (wanted && store != null) {
            step(new Event.Announce());
        } else {
            listener.stepped().run();
        }
        return this::close;
    }

    /** Ends the watch. */
    void close() {
        watch.close();
        watch = () -> {};
    }

    @Override
    public @Nullable Problem problem() {
        if (unserved != null) {
            return new Problem(unserved, "candidates are served");
        }
        if (forbidden.isEmpty()) {
            return null;
        }
        return new Problem(
                "this process may not " + String.join(", ", forbidden.keySet()) + " leasecandidates in namespace "
                        + candidacy.template().key().namespace() + " ("
                        + forbidden.values().iterator().next() + ")",
                "these requests are allowed");
    }

    @Override
    public boolean served() {
        return store != null;
    }

    @Override
    public void announce() {
        wanted = true;
        if (store == null) {
            listener.announced().run();
        } else {
            step(new Event.Announce());
        }
    }

    @Override
    public void withdraw() {
        wanted = false;
        if (store != null) {
            step(new Event.Withdraw());
        }
    }

    @Override
    public void announcePriority(@Nullable Integer priority) {
        step(new Event.PriorityChanged(priority));
    }

    /** Whether this process wants to be a candidate, even if no candidates are served. */
    boolean wanted() {
        return wanted;
    }

    /** Announces the leases of its group that it can lead, at least one. */
    void announceLeases(Set<ObjectKey> leases) {
        step(new Event.LeasesChanged(leases));
    }

    private CandidateClient candidates() {
        return Objects.requireNonNull(store, "candidates are served");
    }

    @Override
    public @Nullable Candidate stored() {
        return state.stored();
    }

    @Override
    public Contact contact() {
        return journal.candidacy();
    }

    @Override
    public void ifCandidate(String identity, Consumer<ApiResult<Boolean>> answered) {
        ifCandidate(candidacy.template().lease(), identity, answered);
    }

    /** Reads whether another process is currently a candidate for a lease. */
    void ifCandidate(ObjectKey lease, String identity, Consumer<ApiResult<Boolean>> answered) {
        if (store == null) {
            answered.accept(new ApiResult.Ok<>(false));
            return;
        }
        ObjectKey key = new ObjectKey(candidacy.template().key().namespace(), identity);
        handle(
                candidates().read(key),
                result -> answered.accept(result.map(read ->
                        read.filter(candidate -> candidate.canLead(lease)).isPresent())));
    }

    @Override
    public boolean withdrawn() {
        return state.withdrawn();
    }

    @Override
    public boolean withdrawing() {
        return state.withdrawing() && !state.withdrawn();
    }

    private void step(Event event) {
        CandidacyMachine.Outcome outcome =
                CandidacyMachine.step(config, state, event, loop.clock().now());
        state = outcome.state();
        outcome.actions().forEach(action -> EventLoop.attempt(about, action, () -> carryOut(action)));
        alarm.set(state.wakeAt());
        listener.stepped().run();
    }

    private void seen(WatchEvent<Candidate> event) {
        if (event instanceof WatchEvent.Snapshot<Candidate> snapshot) {
            journal.answered();
            forbidden.remove("list");
            if (snapshot.objects().isEmpty()) {
                journal.candidacyPending();
            } else {
                journal.candidacyWorks();
            }
            step(found(snapshot));
        } else if (event instanceof WatchEvent.Changed<Candidate> changed) {
            journal.answered();
            forbidden.remove("watch");
            step(new Event.Seen(changed.object(), false));
        } else if (event instanceof WatchEvent.Removed<Candidate> removed) {
            journal.answered();
            step(new Event.Missing(removed.resourceVersion()));
        } else if (event instanceof WatchEvent.Malformed<Candidate> malformed) {
            journal.report("another writer has made this process's candidate malformed; writing it again: "
                    + malformed.problem());
            step(new Event.Malformed());
        } else if (event instanceof WatchEvent.Interrupted<Candidate> broken) {
            String problem = "the watch of the candidate has broken: " + broken.message();
            if (broken.forbidden() != null) {
                journal.candidacyFailed(problem, Level.DEBUG);
                forbidden.put(broken.forbidden(), broken.message());
                listener.stepped().run();
            } else if (broken.again()) {
                journal.watchFailsAgain(LockJournal.Problem.CANDIDATE_WATCH, broken.message());
            } else {
                journal.candidacyFailed(problem, Level.WARN);
            }
            listener.interrupted().run();
        } else if (event instanceof WatchEvent.Recovered<Candidate>) {
            journal.end(LockJournal.Problem.CANDIDATE_WATCH);
        }
    }

    private static Event found(WatchEvent.Snapshot<Candidate> snapshot) {
        Candidate candidate =
                snapshot.objects().isEmpty() ? null : snapshot.objects().get(0);
        return candidate == null ? new Event.Missing(snapshot.resourceVersion()) : new Event.Seen(candidate, true);
    }

    private void carryOut(Action action) {
        if (action instanceof Action.Create create) {
            handle(candidates().create(create.candidate()), result -> written("create", result));
        } else if (action instanceof Action.Renew renew) {
            handle(candidates().renew(renew.candidate()), result -> written("patch", result));
        } else if (action instanceof Action.Delete) {
            handle(candidates().delete(candidacy.template().key(), Optional.empty()), result -> {
                journal.heard(result);
                step(new Event.DeleteDone(result));
            });
        } else if (action instanceof Action.Announced) {
            listener.announced().run();
        } else if (action instanceof Action.ElectionStarted) {
            listener.electionStarted().run();
        } else if (action instanceof Action.Report report) {
            journal.report(report.message());
        } else if (action instanceof Action.RequestFailed failed) {
            journal.begin(LockJournal.Problem.CANDIDATE, Level.WARN, failed.message());
        }
    }

    private <T> void handle(CompletionStage<ApiResult<T>> answer, Consumer<ApiResult<T>> handler) {
        answer.thenAccept(result -> EventLoop.attempt(about, result, () -> handler.accept(result)));
    }

    private void written(String verb, ApiResult<Candidate> result) {
        if (store == null) {
            // No candidates are served any more since the request was sent.
            journal.heard(result);
        } else if (result instanceof ApiResult.Refused<Candidate> refused
                && refused.status() == HttpURLConnection.HTTP_FORBIDDEN) {
            journal.heard(result);
            journal.candidacyFailed("the candidate can't be announced: " + result.describe(), Level.DEBUG);
            forbidden.put(verb, refused.message());
        } else {
            if (!(result instanceof ApiResult.OutcomeUnknown<Candidate>)) {
                forbidden.remove(verb);
            }
            journal.announced(result);
        }
        step(new Event.WriteDone(result));
    }
}

package io.cle.election.internal;

import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.election.internal.api.CoordinatorClient;
import io.cle.election.internal.api.LeaseConfiguration;
import io.cle.election.internal.api.PodState;
import io.cle.election.internal.shards.KeyOwnership;
import io.cle.loop.internal.Clock;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.Moment;
import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.internal.Ranking;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reconciles leases: chooses the strategy, asks {@link Election}, and writes. {@link LeaseQueue} decides when. Confined to the event loop.
 *
 * <p>Rules: {@code safety.md#terminated-holder}, {@code safety.md#write-that-stays}, {@code safety.md#acknowledgement},
 * {@code protocol.md#events}.
 */
final class LeaseReconciler {

    private static final Logger log = LoggerFactory.getLogger(LeaseReconciler.class);

    /** Delay before retrying to delete an expired candidate. */
    private static final Duration COLLECT_AGAIN = Duration.ofMinutes(1);

    /** The maximum number of expired candidates that one reconciliation deletes, because elections share the API server. */
    private static final int COLLECTED_AT_ONCE = 100;

    private static final Duration BETWEEN_REMOVALS = Duration.ofSeconds(1);

    /** The minimum time between reads of pods whose holders renew, over all leases. */
    private static final Duration BETWEEN_FIRST_LOOKS = Duration.ofMillis(100);

    /** 422: the API server's rules for the candidate became stricter after it was stored, so it can no longer be changed. */
    private static final int INVALID = 422;

    /** The reason of the Event about a decision that couldn't be written. */
    private static final String NOT_WRITTEN = "DecisionNotWritten";

    private final CoordinatorConfig config;
    private final CoordinatorClient api;
    private final LeaseTable known;
    private final CoordinatorJournal journal;
    private final StrategyRule rule;
    private final KeyCheck keyCheck;
    private final Clock clock;
    private final Runnable tableChanged;

    /** Whether a status is being written. */
    private boolean reporting;

    /** When the next pod of a renewing holder may be inspected, in monotonic nanoseconds. */
    private long nextFirstLook;

    /**
     * Creates a reconciler that doesn't coordinate yet.
     *
     * @param known the observed leases and candidates; the reconciler adds the responses to its own requests
     * @param tableChanged called when a response outside a reconciliation has changed the table
     */
    LeaseReconciler(
            CoordinatorConfig config,
            CoordinatorClient api,
            LeaseTable known,
            CoordinatorJournal journal,
            Clock clock,
            Runnable tableChanged) {
        this.config = config;
        this.api = api;
        this.known = known;
        this.journal = journal;
        this.rule = new StrategyRule(config.strategies());
        this.keyCheck = new KeyCheck(api.leases(), known, config.policy().ackTimeout(), clock, journal::coordinating);
        this.clock = clock;
        this.tableChanged = tableChanged;
        this.nextFirstLook = clock.nanos();
    }

    /** Starts writing decisions, statuses of configurations, and Events. */
    void begin() {
        journal.coordinate(true);
        known.configurations().reportAll();
        reportConfigurations();
    }

    /** Stops sending writes. */
    void rest() {
        journal.coordinate(false);
    }

    /** The result of a reconciliation. */
    enum Result {
        /** Everything that was due. */
        DONE,
        /** It has pinged candidates, whose acknowledgements expire after seconds. */
        PINGED,
        /** A request has failed, or the decision was made on a stale lease. It is retried on the next event, or else after a back-off. */
        FAILED,
        /** The API server has refused or changed the write, or fails writes and answers reads. It is retried only after a back-off. */
        REFUSED
    }

    /**
     * The outcome of a reconciliation.
     *
     * @param recheckIn when to reconcile again without an event; empty if never, or after a failure
     */
    record Outcome(Result result, Optional<Duration> recheckIn) {

        static final Outcome DONE = new Outcome(Result.DONE, Optional.empty());
        static final Outcome FAILED = new Outcome(Result.FAILED, Optional.empty());
        static final Outcome REFUSED = new Outcome(Result.REFUSED, Optional.empty());
        private static final Outcome AGAIN = new Outcome(Result.DONE, Optional.of(Duration.ZERO));

        boolean failed() {
            return result == Result.FAILED || result == Result.REFUSED;
        }

        /** Returns this outcome, with a recheck after the given time at the latest. */
        Outcome sooner(Optional<Duration> in) {
            boolean sooner = in.isPresent() && (recheckIn.isEmpty() || in.get().compareTo(recheckIn.get()) < 0);
            return sooner ? new Outcome(result, in) : this;
        }
    }

    /**
     * Writes the outdated statuses of configurations, one after the other. After a failure, a status is written again when the configuration changes
     * or is listed again.
     */
    void reportConfigurations() {
        if (reporting || !journal.coordinating()) {
            return;
        }
        ConfigurationTable configurations = known.configurations();
        configurations.nextReport(rule, clock.wall()).ifPresent(report -> {
            reporting = true;
            api.report(report).thenAccept(result -> {
                reporting = false;
                // There is nothing to write to if the object was deleted, or the CRD of an older version has no status.
                if (!(result instanceof ApiResult.Gone)) {
                    journal.outcome(
                            "The status of LeaseConfigurations can't be written; elections are not affected", result);
                }
                configurations.recordStatus(report);
                reportConfigurations();
            });
        });
    }

    // ---- decide and act ------------------------------------------------------------------------------------------

    /** Decides what to do about a lease, and does it. */
    CompletionStage<Outcome> reconcile(ObjectKey key) {
        reportConfigurations();
        KeyEntry named = known.key(key);
        return named == null
                ? reconcileLease(key)
                : own(named)
                        .thenCompose(ofKey -> ofKey.failed()
                                ? CompletableFuture.completedStage(ofKey)
                                : reconcileLease(key).thenApply(ofLease -> ofLease.sooner(ofKey.recheckIn())));
    }

    private CompletionStage<Outcome> reconcileLease(ObjectKey key) {
        LeaseRecord record = known.find(key);
        if (record == null || !journal.coordinating()) {
            return CompletableFuture.completedStage(Outcome.DONE);
        }
        if (record.empty()) {
            known.remove(key);
            return CompletableFuture.completedStage(Outcome.DONE);
        }
        collect(record.candidates().expired(clock.now()));
        return elect(record);
    }

    /** Ensures that the leases of the family that owns a key can be granted (safety.md#one-owner-of-each-key). */
    private CompletionStage<Outcome> own(KeyEntry key) {
        Moment now = clock.now();
        SortedMap<Integer, Integer> candidates =
                known.candidatesOf(key, config.policy().ackTimeout(), now);
        Set<Integer> held = known.heldOf(key, now);
        int owner = KeyOwnership.owner(candidates, held, known.formerOwner(key));
        // While the lease without shards is held, only the holder's own hand-over changes its holder. The watch
        // delivers that if the lease has the label.
        LeaseRecord plain = known.find(key.key());
        boolean isWatched =
                plain != null && plain.current() != null && plain.current().managed();
        boolean plainLeads = owner == KeyOwnership.PLAIN && held.contains(owner) && isWatched;
        boolean unneeded = candidates.isEmpty() || plainLeads || owner == key.owner();
        CompletionStage<Outcome> checked =
                unneeded || key.waits(now) ? CompletableFuture.completedStage(Outcome.DONE) : keyCheck.run(key);
        // No event reports that a term has expired, or that a candidate hasn't answered in time.
        boolean others = candidates.keySet().stream().anyMatch(family -> family != key.owner());
        return checked.thenApply(
                outcome -> others ? outcome.sooner(Optional.of(config.policy().ackTimeout())) : outcome);
    }

    private CompletionStage<Outcome> elect(LeaseRecord record) {
        Moment now = clock.now();
        if (record.unreadable() || record.candidates().isEmpty()) {
            return nothing(
                    record, record.unreadable() ? "left alone: the lease is malformed" : "there are no candidates");
        }
        Lease lease = record.current();
        if (lease != null && !lease.managed() && !record.candidates().hasOneOfTheLeasesNamespace()) {
            return nothing(
                    record,
                    "left alone: the lease is not managed, and all candidates are of other namespaces; label it"
                            + " coordination.cle.io/managed=true so that one of them can lead");
        }
        GroupEntry group = record.group();
        KeyEntry key = known.keyOf(record).orElse(null);
        boolean isShard = group != null && group.group().isSharded();
        boolean unmarked = lease == null || (lease.group() == null && !lease.held() && !lease.closed());
        if (key != null && isShard && unmarked && key.owner() == LeaseTable.familyOf(record)) {
            // Only a lease that was closed is opened.
            known.doubtKeyOf(record);
        }
        boolean mayBeLed = isShard || lease == null || !lease.held();
        if (key != null && key.owner() != LeaseTable.familyOf(record) && mayBeLed) {
            known.awaitOwner(key, record);
            return nothing(record, "left alone: " + key.reason());
        }
        if (lease != null && lacksLabel(lease, group) && !LeaseTable.isOfOthers(record)) {
            Lease labelled = lease.toBuilder().managed(true).build();
            return write(record, labelled, null, now);
        }
        List<CandidateObservation> alive = record.candidates().alive(now);
        if (group != null) {
            assign(group, record);
        }
        StrategyChoice strategy = strategy(record, alive);
        Decision decision;
        try {
            decision = new Election(
                            record.key(),
                            record.lease(now),
                            alive,
                            strategy,
                            record.lastHolder(),
                            record.holderPod(),
                            record.holdOffs(),
                            config.policy(),
                            now)
                    .decide();
        } catch (RuntimeException e) {
            String problem = "the strategy " + strategy.name() + " has failed, so no candidate is elected: " + e;
            if (known.note(record, "StrategyFailed", problem)) {
                log.error("Lease {}: the strategy threw an exception", record.key(), e);
            }
            record.history().decided("left alone: the strategy has failed: " + e, now.wall());
            return CompletableFuture.completedStage(Outcome.FAILED);
        }
        known.note(record, "StrategyFailed", null);
        known.note(record, "NoUsableStrategy", strategy.warning());
        record.history().decided(decision.reason(), now.wall());
        return act(record, decision, now).thenApply(outcome -> soonest(outcome, record));
    }

    /** Records why nothing is done about a lease. */
    private CompletionStage<Outcome> nothing(LeaseRecord record, String why) {
        record.history().decided(why, clock.wall());
        return CompletableFuture.completedStage(Outcome.DONE);
    }

    /** Returns whether the lease lacks the label by which coordinators find it, or the one by which the candidates of its group do. */
    private static boolean lacksLabel(Lease lease, @Nullable GroupEntry group) {
        return !lease.managed() || (group != null && lease.group() == null);
    }

    /** Adds a recheck for when a candidate expires or leases of the group may move, because no watch reports that. */
    private Outcome soonest(Outcome outcome, LeaseRecord record) {
        GroupEntry group = record.group();
        long removal = Math.max(record.candidates().nextRemoval(), clock.now().plus(BETWEEN_REMOVALS));
        long next = Math.min(removal, group == null ? Decision.NEVER : group.nextMoves());
        return next == Decision.NEVER ? outcome : outcome.sooner(Optional.of(until(next)));
    }

    /** Assigns the leases of a group again if anything has changed, and has those reconciled that were assigned to another candidate. */
    private void assign(GroupEntry group, LeaseRecord record) {
        group.assign(
                        record,
                        (other, alive) -> chosen(other, alive).strategy() == BuiltInStrategy.BALANCED,
                        config.policy().ackTimeout(),
                        clock)
                .forEach(known::reassigned);
    }

    private StrategyChoice strategy(LeaseRecord record, List<CandidateObservation> alive) {
        StrategyChoice choice = chosen(record, alive);
        GroupEntry group = record.group();
        return group == null || choice.strategy() != BuiltInStrategy.BALANCED
                ? choice
                : choice.by(group.strategyFor(record));
    }

    private StrategyChoice chosen(LeaseRecord record, List<CandidateObservation> alive) {
        Lease lease = record.current();
        Optional<String> configured =
                known.configurations().of(record.key()).stream().findFirst().map(LeaseConfiguration::strategy);
        Optional<String> property = Optional.ofNullable(config.byProperty().get(record.key()));
        List<Candidate> candidates =
                alive.stream().map(CandidateObservation::candidate).toList();
        boolean raced = record.group() == null && (lease == null || !lease.closed());
        StrategyChoice choice = rule.choose(lease, configured, property, candidates, api.format());
        return raced ? choice : choice.whereNobodyRaces();
    }

    private CompletionStage<Outcome> act(LeaseRecord record, Decision decision, Moment now) {
        if (decision instanceof Decision.Write write) {
            KeyEntry key = known.keyOf(record).orElse(null);
            if (write instanceof Decision.Elect && key != null && key.owner() != LeaseTable.familyOf(record)) {
                record.history().decided("left alone: " + key.reason(), now.wall());
                return again(now.plus(config.policy().ackTimeout()));
            }
            return write(record, write.desired(), write, now);
        }
        if (decision instanceof Decision.Ping ping) {
            return ping(record, ping, now);
        }
        if (decision instanceof Decision.LookAtPod look) {
            return lookAtPod(record, look, now);
        }
        return decision.recheckAt() == Decision.NEVER
                ? CompletableFuture.completedStage(Outcome.DONE)
                : again(decision.recheckAt());
    }

    private CompletionStage<Outcome> again(long instant) {
        return CompletableFuture.completedStage(new Outcome(Result.DONE, Optional.of(until(instant))));
    }

    private Duration until(long instant) {
        return Duration.ofNanos(Math.max(0, instant - clock.nanos()));
    }

    /**
     * Writes a lease, unless the preferred holder or the strategy was changed just before.
     *
     * @param decision reported when the write has succeeded; {@code null} if only labels are written
     */
    private CompletionStage<Outcome> write(
            LeaseRecord record, Lease desired, Decision.@Nullable Write decision, Moment now) {
        if (decision != null && !(decision instanceof Decision.Elect)) {
            Optional<Long> later = record.nextPreference(now);
            if (later.isPresent()) {
                return again(later.get());
            }
        }
        Lease replaced = record.current();
        if (decision instanceof Decision.Elect && replaced != null && replaced.holder() != null) {
            // The replaced holder may have ended. If it were first pinged in a later election, that would wait for it.
            record.candidates().alive(now).stream()
                    .filter(candidate -> replaced.heldBy(candidate.candidate().identity())
                            && candidate.answer(now, config.policy().ackTimeout())
                                    == CandidateObservation.Answer.UNASKED)
                    .forEach(candidate -> ping(record, candidate.candidate(), now));
        }
        GroupEntry group = record.group();
        Lease labelled = group == null
                ? desired
                : desired.toBuilder().group(group.group().label()).build();
        record.noteSuccessor(labelled.endOfTerm() ? labelled.preferredHolder() : labelled.holder());
        return (labelled.resourceVersion() == null
                        ? api.leases().create(labelled)
                        : api.leases().write(labelled))
                .thenCompose(result -> written(record, labelled, decision, result))
                .whenComplete((outcome, failure) -> {
                    record.noteSuccessor(null);
                    known.touchGroup(record);
                });
    }

    private CompletionStage<Outcome> written(
            LeaseRecord record, Lease desired, Decision.@Nullable Write decision, ApiResult<Lease> result) {
        // A creation isn't a compare-and-swap: the lease may have been created and deleted before.
        boolean contiguous = desired.resourceVersion() != null;
        if (result instanceof ApiResult.Ok<Lease> ok) {
            record.seen(ok.value(), clock.now(), contiguous);
            known.note(record, NOT_WRITTEN, null);
            if (decision != null) {
                journal.written(ok.value(), eventOf(decision), decision.reason());
            }
            return CompletableFuture.completedStage(Outcome.AGAIN);
        }
        if (result instanceof ApiResult.Changed<Lease> changed) {
            record.seen(changed.value(), clock.now(), contiguous);
            notWritten(record, result);
            return CompletableFuture.completedStage(Outcome.REFUSED);
        }
        if (result instanceof ApiResult.Conflict<Lease> || result instanceof ApiResult.Gone<Lease>) {
            log.atLevel(result instanceof ApiResult.Conflict<Lease> ? Level.DEBUG : Level.WARN)
                    .log("Lease {}: failed to write the decision: {}", record.key(), result.describe());
        } else {
            notWritten(record, result);
        }
        boolean refused = result instanceof ApiResult.Refused<Lease>;
        boolean unknown = result instanceof ApiResult.OutcomeUnknown<Lease>;
        // A write that fails while reads succeed, as with an admission webhook, will mostly fail again.
        return refresh(record).thenApply(read -> refused || (unknown && read) ? Outcome.REFUSED : Outcome.FAILED);
    }

    private static String eventOf(Decision.Write decision) {
        if (decision instanceof Decision.Elect) {
            return "LeaderElected";
        }
        if (decision instanceof Decision.EndTerm) {
            return "EndOfTerm";
        }
        return decision instanceof Decision.ForgetPreferred ? "PreferredHolderGone" : "StrategyRecorded";
    }

    /** Reports a failed write: as an Event if the API server refused or changed it, only in the log if the API server didn't answer. */
    private void notWritten(LeaseRecord record, ApiResult<Lease> result) {
        String problem = "the last decision couldn't be written; retrying while it applies: " + result.describe();
        if (!(result instanceof ApiResult.OutcomeUnknown<Lease>)) {
            known.note(record, NOT_WRITTEN, problem);
        } else if (record.note(NOT_WRITTEN, problem) == null) {
            journal.logProblem(Level.WARN, LeaseTable.about(record), NOT_WRITTEN, problem);
        }
    }

    /**
     * Reads the lease after a failed write, so that the next decision is made on a fresh version (protocol.md#requests-and-limits). Returns whether
     * the read has succeeded.
     */
    private CompletionStage<Boolean> refresh(LeaseRecord record) {
        return api.leases().read(record.key()).thenApply(result -> {
            if (result instanceof ApiResult.Ok<Optional<Lease>> ok) {
                if (!ok.value()
                        .map(Lease::resourceVersion)
                        .equals(Optional.ofNullable(record.current()).map(Lease::resourceVersion))) {
                    known.doubtKeyOf(record);
                }
                ok.value()
                        .ifPresentOrElse(
                                lease -> record.seen(lease, clock.now(), false), () -> record.missing(clock.now()));
            }
            return result instanceof ApiResult.Ok;
        });
    }

    private CompletionStage<Outcome> ping(LeaseRecord record, Decision.Ping ping, Moment now) {
        CompletableFuture<Boolean> failed = CompletableFuture.completedFuture(false);
        for (Candidate candidate : ping.candidates()) {
            failed = failed.thenCombine(ping(record, candidate, now), Boolean::logicalOr);
        }
        return failed.thenApply(any -> {
            if (!any) {
                journal.end(unpinged(record));
            }
            return any ? Outcome.FAILED : new Outcome(Result.PINGED, Optional.of(until(ping.recheckAt())));
        });
    }

    /** Pings one candidate; completes with true if that has failed. */
    private CompletionStage<Boolean> ping(LeaseRecord record, Candidate candidate, Moment now) {
        known.update(candidate.key(), it -> it.pinged(now));
        return api.candidates()
                .ping(candidate, candidate.nextPing(now.wall()))
                .thenApply(result -> pinged(record, candidate, result, now));
    }

    private static String unpinged(LeaseRecord record) {
        return "Candidates of lease " + record.key() + " can't be pinged";
    }

    /** Returns true if the ping has failed. */
    private boolean pinged(LeaseRecord record, Candidate candidate, ApiResult<Candidate> result, Moment asked) {
        if (result instanceof ApiResult.Ok<Candidate>) {
            return false;
        }
        if (result instanceof ApiResult.Gone<Candidate>) {
            known.candidateRemoved(candidate.key());
            return false;
        }
        boolean forGood = result instanceof ApiResult.Refused<Candidate> refused
                && (refused.status() == HttpURLConnection.HTTP_FORBIDDEN
                        || refused.status() == INVALID
                        || refused.status() == ApiResult.Refused.NONE);
        if (forGood || result instanceof ApiResult.Changed<Candidate>) {
            // Another ping would fail the same way. The candidate is treated as pinged, so that the election continues
            // without it after the timeout.
            journal.warn(
                    LeaseTable.about(record),
                    "CandidateNotPinged",
                    "candidate " + candidate.key()
                            + " could not be pinged, and is ignored until it renews: "
                            + result.describe());
            return false;
        }
        // Also if the outcome is unknown: a candidate that was never pinged must not be treated as silent.
        journal.outcome(unpinged(record), result);
        known.notPinged(
                candidate, clock.now().reached(asked.plus(config.policy().ackTimeout())));
        return true;
    }

    private CompletionStage<Outcome> lookAtPod(LeaseRecord record, Decision.LookAtPod look, Moment now) {
        if (!look.silent() && !mayLook(now)) {
            return again(look.recheckAt());
        }
        long renewal = record.lease(now).seenAt();
        HolderPod before = record.holderPod();
        return api.pod(look.pod()).thenApply(result -> {
            PodState state = result instanceof ApiResult.Ok<PodState> ok
                    ? ok.value()
                    : new PodState.Unclear("it could not be read: " + result.describe());
            if (look.silent() && !before.lookedAtSince(renewal) && state instanceof PodState.Unclear unclear) {
                log.warn(
                        "Lease {}: holder missed a renewal; pod {} doesn't show whether it is alive: {}",
                        record.key(),
                        look.pod().key(),
                        unclear.why());
            }
            record.lookedAt(before.lookedAt(renewal, clock.nanos(), state, look.silent()));
            return Outcome.AGAIN;
        });
    }

    /**
     * Whether the pod of a renewing holder may be inspected now; otherwise it is inspected after a later renewal. Limited, because a new coordinator
     * has thousands of them.
     */
    private boolean mayLook(Moment now) {
        if (!now.reached(nextFirstLook)) {
            return false;
        }
        nextFirstLook = now.plus(BETWEEN_FIRST_LOOKS);
        return true;
    }

    private void collect(List<Candidate> expired) {
        long again = clock.now().plus(COLLECT_AGAIN);
        expired.stream().limit(COLLECTED_AT_ONCE).forEach(candidate -> {
            known.update(candidate.key(), it -> it.keptUntil(again));
            api.candidates()
                    .delete(candidate.key(), Optional.ofNullable(candidate.resourceVersion()))
                    .thenAccept(result -> collected(candidate, result));
        });
    }

    private void collected(Candidate candidate, ApiResult<?> result) {
        if (result instanceof ApiResult.Conflict<?>) {
            return; // It has renewed, as the watch will report.
        }
        journal.outcome("Expired candidates can't be removed", result);
        if (result instanceof ApiResult.Ok<?>) {
            known.candidateRemoved(candidate.key());
            tableChanged.run();
        }
    }

    // ---- views ---------------------------------------------------------------------------------------------------

    /** Returns the view of one lease; empty if it is unknown. */
    Optional<ElectionView> view(ObjectKey key) {
        return Optional.ofNullable(known.find(key)).map(record -> view(record, clock.now()));
    }

    private ElectionView view(LeaseRecord record, Moment now) {
        List<CandidateObservation> alive = record.candidates().alive(now);
        StrategyChoice choice = strategy(record, alive);
        List<ElectionView.Standing> standings = alive.stream()
                .map(candidate -> standing(candidate, record.holdOffs(), now))
                .toList();
        Lease lease = record.current();
        boolean held = lease != null && lease.held();
        GroupEntry group = record.group();
        return new ElectionView(
                record.key(),
                lease,
                choice,
                ranked(standings, choice),
                record.problems(),
                held ? wall(record.lease(now).seenAt(), now) : null,
                held ? wall(record.lease(now).freeAt(), now) : null,
                record.history().past(),
                group == null ? null : group.group());
    }

    /** Returns the wall time of a monotonic instant, in whole milliseconds so that it rarely differs between two views of an unchanged lease. */
    private static Instant wall(long nanos, Moment now) {
        return now.wall().plusNanos(nanos - now.nanos()).truncatedTo(ChronoUnit.MILLIS);
    }

    private ElectionView.Standing standing(CandidateObservation candidate, HoldOffs holdOffs, Moment now) {
        OptionalLong heldOff = holdOffs.until(candidate.candidate().identity(), now);
        return new ElectionView.Standing(
                candidate.candidate(),
                candidate.answer(now, config.policy().ackTimeout()),
                candidate.heardAt() == CandidateObservation.NEVER_SEEN ? null : wall(candidate.heardAt(), now),
                heldOff.isEmpty() ? null : wall(heldOff.getAsLong(), now));
    }

    /** Sorts candidates, the best one first and those that are held off last; doesn't sort them if the strategy fails. */
    private static List<ElectionView.Standing> ranked(List<ElectionView.Standing> standings, StrategyChoice choice) {
        Comparator<Candidate> ranking =
                choice.strategy() == null ? Ranking.OLDEST_THEN_BY_NAME : Ranking.by(choice.strategy());
        try {
            return standings.stream()
                    .sorted(Comparator.<ElectionView.Standing, Boolean>comparing(it -> it.heldOffUntil() != null)
                            .thenComparing(ElectionView.Standing::candidate, ranking))
                    .toList();
        } catch (RuntimeException e) {
            log.debug("Candidates can't be ranked because the strategy fails", e);
            return standings;
        }
    }
}

package io.cle.runtime.coordinator;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.cle.api.ApiFormat;
import io.cle.api.ApiResult;
import io.cle.api.CoordinatorApi;
import io.cle.api.LeaseConfiguration;
import io.cle.api.PodState;
import io.cle.api.WatchEvent;
import io.cle.election.CandidateObservation;
import io.cle.election.Death;
import io.cle.election.Decision;
import io.cle.election.Election;
import io.cle.election.ElectionInput;
import io.cle.election.HolderPod;
import io.cle.model.Candidate;
import io.cle.model.Lease;
import io.cle.model.Moment;
import io.cle.model.ObjectKey;
import io.cle.runtime.Clock;
import io.cle.strategy.Ranking;
import io.cle.strategy.StrategyChoice;
import io.cle.strategy.StrategyRule;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Observes leases and candidates and does what {@link Election} decides. It has no loop of its own: whoever drives it feeds it with
 * what watches tell, and calls {@link #reconcile} for the leases it reports as changed.
 *
 * <p>Confined to the event loop it was made with: all methods are to be called there.
 */
public final class Coordinator {

    private static final Logger log = LoggerFactory.getLogger(Coordinator.class);

    /** After what time to try again to remove an expired candidate. */
    private static final Duration COLLECT_AGAIN = Duration.ofMinutes(1);

    private final CoordinatorConfig config;
    private final CoordinatorApi api;
    private final StrategyRule rule;
    private final Clock clock;
    private final Consumer<ObjectKey> changed;
    private final BooleanSupplier coordinating;
    private final CoordinatorListener listener;
    private final KnownLeases files;
    private final WallTimes wallTimes = new WallTimes();

    /**
     * Makes a coordinator that knows of nothing yet.
     *
     * @param changed is told of every lease that has to be reconciled; must not block
     * @param coordinating whether this replica coordinates: a standby observes the same as the coordinator, which has recorded the Events
     */
    public Coordinator(
            CoordinatorConfig config,
            CoordinatorApi api,
            Clock clock,
            Consumer<ObjectKey> changed,
            BooleanSupplier coordinating,
            CoordinatorListener listener) {
        this.config = config;
        this.api = api;
        this.rule = new StrategyRule(config.strategies());
        this.clock = clock;
        this.changed = changed;
        this.coordinating = coordinating;
        this.listener = listener;
        this.files = new KnownLeases(config.namespaces(), clock, changed, this::complain);
    }

    /**
     * What a reconciliation has come to.
     *
     * @param recheckIn after what time to reconcile again although nothing was heard; empty when there is no need
     * @param failed whether a request has failed, so that it has to be tried again with back-off
     */
    public record Outcome(Optional<Duration> recheckIn, boolean failed) {

        private static final Outcome DONE = new Outcome(Optional.empty(), false);
        private static final Outcome FAILED = new Outcome(Optional.empty(), true);
        private static final Outcome AGAIN = new Outcome(Optional.of(Duration.ZERO), false);
    }

    // ---- what was seen -------------------------------------------------------------------------------------------

    /** Takes note of what the watch of the leases tells. */
    public void onLease(WatchEvent<Lease> event) {
        files.onLease(event);
    }

    /** Takes note of what the watch of the candidates tells. */
    public void onCandidate(WatchEvent<Candidate> event) {
        files.onCandidate(event);
    }

    /** Takes note of what the watch of the lease configurations tells. */
    public void onConfiguration(WatchEvent<LeaseConfiguration> event) {
        files.onConfiguration(event);
    }

    private void complain(Lease about, Warning complaint) {
        log.warn("{}", complaint.message());
        tell(about, true, complaint.word(), complaint.message());
    }

    /** Has everything reconciled, as at the beginning of coordinating. */
    public void touchAll() {
        List.copyOf(files.keys()).forEach(changed);
    }

    // ---- decide and act ------------------------------------------------------------------------------------------

    /** Decides what is to be done about a lease, and does it. */
    public CompletionStage<Outcome> reconcile(ObjectKey key) {
        LeaseRecord file = files.find(key);
        if (file == null) {
            return CompletableFuture.completedStage(Outcome.DONE);
        }
        if (file.empty()) {
            files.remove(key);
            return CompletableFuture.completedStage(Outcome.DONE);
        }
        List<Candidate> expired = file.expired(clock.now());
        return expired.isEmpty() ? elect(file) : collect(file, expired).thenCompose(unused -> elect(file));
    }

    private CompletionStage<Outcome> elect(LeaseRecord file) {
        Moment now = clock.now();
        if (file.unreadable() || file.candidates().isEmpty()) {
            file.decided(
                    file.unreadable() ? "left alone: the lease can't be understood" : "there are no candidates",
                    now.wall());
            return CompletableFuture.completedStage(Outcome.DONE);
        }
        Lease lease = file.current();
        if (lease != null && !lease.managed() && !file.hasOwnCandidate()) {
            file.decided(
                    "left alone: the lease is not managed, and all candidates are of other namespaces; label it"
                            + " coordination.cle.io/managed=true to have it led by one of them",
                    now.wall());
            return CompletableFuture.completedStage(Outcome.DONE);
        }
        if (lease != null && !lease.managed()) {
            return write(file, lease.toBuilder().managed(true).build(), null);
        }
        StrategyChoice strategy = strategy(file, now);
        Decision decision;
        try {
            decision = Election.decide(new ElectionInput(
                    file.key(),
                    file.lease(now),
                    file.alive(now),
                    file.ambiguousNames(),
                    strategy,
                    file.lastHolder(),
                    file.holderPod(),
                    config.policy(),
                    now));
        } catch (RuntimeException e) {
            file.failed(strategy, e).ifPresent(complaint -> {
                log.error("lease {}: a strategy has thrown", file.key(), e);
                files.complain(file, complaint);
            });
            file.decided("left alone: the strategy has failed: " + e, now.wall());
            return CompletableFuture.completedStage(Outcome.FAILED);
        }
        file.chosen(strategy).ifPresent(complaint -> files.complain(file, complaint));
        if (!decision.reason().equals(file.reason())) {
            log.debug("lease {}: {}", file.key(), decision.reason());
        }
        file.decided(decision.reason(), now.wall());
        return act(file, decision, now).thenApply(outcome -> soonest(outcome, file));
    }

    /** Candidates expire in silence, so that somebody has to look. */
    private Outcome soonest(Outcome outcome, LeaseRecord file) {
        Optional<Long> next = file.nextRemoval();
        if (next.isEmpty()) {
            return outcome;
        }
        Duration untilExpiry = Duration.ofNanos(Math.max(0, next.get() - clock.nanos()));
        boolean sooner = outcome.recheckIn().isEmpty()
                || untilExpiry.compareTo(outcome.recheckIn().get()) < 0;
        return sooner ? new Outcome(Optional.of(untilExpiry), outcome.failed()) : outcome;
    }

    private StrategyChoice strategy(LeaseRecord file, Moment now) {
        return rule.choose(
                file.current(),
                file.configurations().stream().findFirst().map(LeaseConfiguration::strategy),
                Optional.ofNullable(config.byProperty().get(file.key())),
                file.alive(now).stream().map(CandidateObservation::candidate).toList(),
                api.format() == ApiFormat.NATIVE
                        ? StrategyRule.Agreement.HIGHEST_BINARY_VERSION
                        : StrategyRule.Agreement.HIGHEST_PRECEDENCE);
    }

    private CompletionStage<Outcome> act(LeaseRecord file, Decision decision, Moment now) {
        if (decision instanceof Decision.Elect elect) {
            Lease replaced = file.current();
            if (replaced != null && replaced.holder() != null) {
                file.failed(replaced.holder(), now);
            }
            return write(file, elect.desired(), new Told("LeaderElected", elect.reason()));
        }
        if (decision instanceof Decision.EndTerm endTerm) {
            return mark(file, endTerm.desired(), new Told("EndOfTerm", endTerm.reason()), now);
        }
        if (decision instanceof Decision.ForgetPreferred forget) {
            return mark(file, forget.desired(), new Told("PreferredHolderGone", forget.reason()), now);
        }
        if (decision instanceof Decision.Ping ping) {
            return ping(file, ping, now);
        }
        if (decision instanceof Decision.LookAtPod look) {
            return lookAtPod(file, look);
        }
        boolean never = decision.recheckAt() == Decision.NEVER;
        return CompletableFuture.completedStage(
                never ? Outcome.DONE : new Outcome(Optional.of(until(decision.recheckAt())), false));
    }

    /** Two coordinators at once, who have heard different candidates, must not take each other's marks back as fast as they can. */
    private CompletionStage<Outcome> mark(LeaseRecord file, Lease desired, Told told, Moment now) {
        Optional<Long> wait = file.nextMark(now, config.policy().ackTimeout());
        if (wait.isEmpty()) {
            return write(file, desired, told);
        }
        log.warn("lease {}: the holder's mark changes again and again; do two coordinators contradict?", file.key());
        return CompletableFuture.completedStage(new Outcome(Optional.of(until(wait.get())), false));
    }

    private Duration until(long instant) {
        return Duration.ofNanos(Math.max(0, instant - clock.nanos()));
    }

    /** What to put into an Event when a write has succeeded. */
    private record Told(String word, String message) {}

    private CompletionStage<Outcome> write(LeaseRecord file, Lease desired, @Nullable Told told) {
        CompletionStage<ApiResult<Lease>> written = desired.resourceVersion() == null
                ? api.leases().create(desired)
                : api.leases().write(desired);
        return written.thenCompose(result -> {
            if (result instanceof ApiResult.Ok<Lease> ok) {
                file.seen(ok.value(), clock.now(), false);
                if (told != null) {
                    log.info("lease {}: {}", file.key(), told.message());
                    tell(ok.value(), false, told.word(), told.message());
                }
                return CompletableFuture.completedStage(Outcome.AGAIN);
            }
            boolean stale = result instanceof ApiResult.Conflict<Lease> || result instanceof ApiResult.Gone<Lease>;
            log.atLevel(stale ? Level.DEBUG : Level.WARN)
                    .log("lease {}: the write of a decision has failed: {}", file.key(), result.describe());
            return refresh(file).thenApply(refreshed -> refreshed && stale ? Outcome.AGAIN : Outcome.FAILED);
        });
    }

    /** The decision was made on a stale object: it is made anew on a fresh one (coordinator's rule 4). */
    private CompletionStage<Boolean> refresh(LeaseRecord file) {
        return api.leases().read(file.key()).thenApply(result -> {
            if (!(result instanceof ApiResult.Ok<Optional<Lease>> ok)) {
                return false;
            }
            ok.value().ifPresentOrElse(lease -> file.seen(lease, clock.now(), false), () -> file.missing(clock.now()));
            return true;
        });
    }

    private CompletionStage<Outcome> ping(LeaseRecord file, Decision.Ping ping, Moment now) {
        CompletableFuture<Boolean> failed = CompletableFuture.completedFuture(false);
        for (Candidate candidate : ping.candidates()) {
            file.pinged(candidate, now);
            listener.pinged();
            CompletableFuture<Boolean> asked = api.candidates()
                    .ping(candidate, candidate.nextPing(now.wall()))
                    .thenApply(result -> pinged(file, candidate, result))
                    .toCompletableFuture();
            failed = failed.thenCombine(asked, Boolean::logicalOr);
        }
        return failed.thenApply(any -> new Outcome(Optional.of(until(ping.recheckAt())), any));
    }

    /** True when the asking has failed. */
    private boolean pinged(LeaseRecord file, Candidate candidate, ApiResult<Candidate> result) {
        if (result instanceof ApiResult.Ok<Candidate>) {
            return false;
        }
        if (result instanceof ApiResult.Gone<Candidate>) {
            files.candidateRemoved(candidate.key());
            return false;
        }
        // Also where the outcome isn't known: one that was never asked must not count as silent until it renews by
        // itself.
        log.warn("candidate {} could not be asked to acknowledge: {}", candidate.key(), result.describe());
        file.notPinged(candidate);
        return true;
    }

    private CompletionStage<Outcome> lookAtPod(LeaseRecord file, Decision.LookAtPod look) {
        Lease lease = file.current();
        long renewal = file.lease(clock.now()).seenAt();
        return api.pod(look.pod()).thenApply(result -> {
            String death = "";
            if (result instanceof ApiResult.Ok<PodState> ok && lease != null) {
                death = Death.of(lease, ok.value());
            } else {
                log.warn(
                        "lease {}: the holder's pod {} could not be looked at: {}",
                        file.key(),
                        look.pod().key(),
                        result.describe());
            }
            file.lookedAt(new HolderPod(renewal, clock.nanos(), death));
            return Outcome.AGAIN;
        });
    }

    /** Expired candidates are removed, each only in the version that was seen to expire (coordinator's rule 8). Holds no election up. */
    private CompletionStage<Void> collect(LeaseRecord file, List<Candidate> expired) {
        return CompletableFuture.allOf(expired.stream()
                .map(candidate -> api.candidates()
                        .delete(candidate.key(), Optional.ofNullable(candidate.resourceVersion()))
                        .thenCompose(result -> collected(file, candidate, result))
                        .toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }

    private CompletionStage<Void> collected(LeaseRecord file, Candidate candidate, ApiResult<?> result) {
        if (result instanceof ApiResult.Ok<?> || result instanceof ApiResult.Gone<?>) {
            log.info("candidate {} has not renewed for {} and was removed", candidate.key(), candidate.validity());
            files.candidateRemoved(candidate.key());
            return CompletableFuture.completedStage(null);
        }
        file.keep(candidate.key(), clock.now().plus(COLLECT_AGAIN));
        if (result instanceof ApiResult.Conflict<?>) {
            return lookAt(file, candidate);
        }
        log.warn("expired candidate {} could not be removed: {}", candidate.key(), result.describe());
        return CompletableFuture.completedStage(null);
    }

    /** A candidate has changed without our having heard of it: it is alive. */
    private CompletionStage<Void> lookAt(LeaseRecord file, Candidate candidate) {
        return api.candidates().read(candidate.key()).thenAccept(result -> {
            if (result instanceof ApiResult.Ok<Optional<Candidate>> ok) {
                ok.value()
                        .ifPresentOrElse(
                                changed -> file.seen(changed, clock.now(), true),
                                () -> files.candidateRemoved(candidate.key()));
            }
        });
    }

    private void tell(Lease lease, boolean warning, String word, String message) {
        if (!coordinating.getAsBoolean()) {
            return;
        }
        listener.reported(word);
        api.event(lease, warning, word, message).thenAccept(result -> {
            if (!(result instanceof ApiResult.Ok<String>)) {
                log.debug("lease {}: no Event could be recorded: {}", lease.key(), result.describe());
            }
        });
    }

    // ---- for people ----------------------------------------------------------------------------------------------

    /** All leases that are known of, in order of namespace and name. */
    public List<ElectionView> views() {
        Moment now = clock.now();
        return files.all().stream().map(file -> view(file, now)).toList();
    }

    /** The keys of all leases that are known of, in order. */
    public List<ObjectKey> leases() {
        return List.copyOf(files.keys());
    }

    /** One lease; empty when it isn't known of. */
    public Optional<ElectionView> view(ObjectKey key) {
        return Optional.ofNullable(files.find(key)).map(file -> view(file, clock.now()));
    }

    private ElectionView view(LeaseRecord file, Moment now) {
        StrategyChoice choice = strategy(file, now);
        List<ElectionView.Standing> standings = ranked(file.alive(now), choice).stream()
                .map(candidate -> new ElectionView.Standing(
                        candidate.candidate(),
                        candidate.answer(now, config.policy().ackTimeout()),
                        candidate.renewedAt() == CandidateObservation.NEVER_SEEN
                                ? null
                                : wallTimes.of(candidate.renewedAt(), now)))
                .toList();
        Lease lease = file.current();
        boolean held = lease != null && lease.held();
        return new ElectionView(
                file.key(),
                lease,
                choice,
                standings,
                file.reason(),
                file.decidedAt(),
                file.problems(),
                held ? wallTimes.of(file.lease(now).seenAt(), now) : null,
                held ? wallTimes.of(file.lease(now).leaseExpiry(), now) : null,
                file.history().decisions(),
                file.history().terms());
    }

    /** Best first; by name where there is no strategy, or one that fails. */
    private static List<CandidateObservation> ranked(List<CandidateObservation> candidates, StrategyChoice choice) {
        Comparator<CandidateObservation> byName =
                Comparator.comparing(CandidateObservation::candidate, Comparator.comparing(Candidate::key));
        if (choice.strategy() == null) {
            return candidates.stream().sorted(byName).toList();
        }
        try {
            return candidates.stream()
                    .sorted(Comparator.comparing(CandidateObservation::candidate, Ranking.by(choice.strategy())))
                    .toList();
        } catch (RuntimeException e) {
            log.debug("the candidates can't be ranked, as their strategy fails", e);
            return candidates.stream().sorted(byName).toList();
        }
    }
}

package io.cle.election.internal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.model.internal.TermAnnotation;
import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.ElectionStrategy;
import io.cle.strategy.internal.Ranking;
import org.jspecify.annotations.Nullable;

/**
 * Decides what to do about one lease. Pure: {@link #decide} is a function of the components.
 * Rules: {@code safety.md#grant-or-end-of-term}, {@code safety.md#when-to-elect}, {@code safety.md#only-listening-holders}.
 *
 * @param key the lease
 * @param observation the observation of the lease
 * @param candidates the candidates that may be elected (safety.md#own-namespace) and haven't expired, in any order, with distinct identities
 * @param choice the strategy
 * @param lastHolder the current or last observed holder
 * @param holderPod the observed state of the holder's pod
 * @param holdOffs which candidates were elected and didn't begin their terms
 * @param now the moment of the decision
 */
public record Election(
        ObjectKey key,
        LeaseObservation observation,
        List<CandidateObservation> candidates,
        StrategyChoice choice,
        LastHolder lastHolder,
        HolderPod holderPod,
        HoldOffs holdOffs,
        ElectionPolicy policy,
        Moment now) {

    /** The share of a lease's duration after which a renewal is regarded as missed; our renew interval is a fifth. */
    private static final int MISSED_NUMERATOR = 7;

    private static final int MISSED_DENOMINATOR = 30;

    /** The maximum number of a lease's pinged candidates at a time, the best ones first (protocol.md#requests-and-limits). */
    static final int MOST_PINGED = 64;

    /**
     * The best candidate is pinged alone for a fifth of the acknowledgement timeout. It nearly always answers at once; otherwise the others are
     * pinged in the rest of the timeout.
     */
    private static final int ALONE_DENOMINATOR = 5;

    /** The value of {@code elected-by}: KEP-4355's name of the controller. */
    static final String ELECTED_BY = "coordinated-election-controller";

    private ElectionStrategy strategy() {
        return Objects.requireNonNull(choice.strategy(), "a strategy");
    }

    /** Returns the matching candidates, the best one first and those that are held off last. */
    private List<CandidateObservation> ranked(Predicate<CandidateObservation> asked) {
        return candidates.stream()
                .filter(asked)
                .sorted(Comparator.comparing(CandidateObservation::candidate, Ranking.by(strategy())))
                .sorted(Comparator.comparing(this::heldOff))
                .toList();
    }

    /** Returns the decision about a lease, with its reason. */
    public Decision decide() {
        if (choice.strategy() == null) {
            return new Decision.Nothing("left alone: " + choice.problem());
        }
        return strategy().coordinates() ? recordThatItCoordinates(coordinate()) : leaveAlone();
    }

    // ---- NoCoordination (protocol.md#which-strategy-applies)

    /**
     * Candidates race at once if the lease has the strategy {@code NoCoordination}, or if it doesn't exist and they request that strategy themselves.
     * Otherwise they would wait for a coordinator that doesn't elect.
     */
    private Decision leaveAlone() {
        String leftAlone = "left alone: strategy " + strategyText();
        Lease lease = observation.lease();
        boolean known = lease == null
                ? candidates.stream().noneMatch(candidate -> ofOwnNamespace(candidate) && !asksForTheSame(candidate))
                : choice.name().equals(lease.strategy());
        if (known) {
            return new Decision.Nothing(leftAlone);
        }
        if (lease == null ? observation.free(now) : mayRecord(lease)) {
            return new Decision.RecordStrategy(
                    withStrategy(lease), leftAlone + "; it is written to the lease, so that candidates race");
        }
        return new Decision.WaitUntil(observation.freeAt(), leftAlone);
    }

    private boolean asksForTheSame(CandidateObservation candidate) {
        return choice.name().equals(candidate.candidate().strategy());
    }

    /** Records that a coordinator elects again, unless another write will record it. Until then, candidates would race with each election. */
    private Decision recordThatItCoordinates(Decision decision) {
        Lease lease = observation.lease();
        boolean idle = decision instanceof Decision.WaitUntil || decision instanceof Decision.Nothing;
        return idle
                        && lease != null
                        && BuiltInStrategy.NO_COORDINATION.wireName().equals(lease.strategy())
                        && mayRecord(lease)
                ? new Decision.RecordStrategy(
                        withStrategy(lease),
                        decision.reason() + "; the strategy is " + strategyText() + " and no longer "
                                + lease.strategy())
                : decision;
    }

    /** Returns whether the strategy may be written. A holder that follows no coordinator might overwrite it with each renewal. */
    private boolean mayRecord(Lease lease) {
        return !lease.held() || lease.electedBy() != null || observation.free(now);
    }

    // ---- all other strategies --------------------------------------------------------------------------------------

    private Decision coordinate() {
        Lease lease = observation.lease();
        if (lease == null) {
            return observation.free(now)
                    ? create()
                    : new Decision.WaitUntil(
                            observation.freeAt(),
                            "the lease was deleted while it was held; its last term may still run");
        }
        if (observation.free(now)) {
            return elect(
                    lease.held() ? "the lease of " + lease.holder() + " has expired" : "the lease has no holder",
                    candidate -> !candidate.letExpire(observation, policy.ackTimeout(), now));
        }
        if (!lease.held()) {
            return new Decision.WaitUntil(
                    observation.freeAt(), "another writer has removed the holder, whose last term may still run");
        }
        Predicate<CandidateObservation> another =
                candidate -> !lease.heldBy(candidate.candidate().identity());
        if (lease.granted()) {
            // A candidate doesn't begin its term while an earlier one may still run (safety.md#succession).
            long begunBy = Math.max(observation.seenAt(), observation.busyUntil())
                    + policy.ackTimeout().toNanos();
            return now.reached(begunBy)
                    ? elect(lease.holder() + " was elected and hasn't begun its term", another)
                    : new Decision.WaitUntil(begunBy, lease.holder() + " was elected and is to begin its term");
        }
        // The end of the holder's pod doesn't end the term of another process that may still lead by an earlier record.
        if (holderPod.deadSince(observation.seenAt()) && now.reached(observation.earlierClaim())) {
            return elect("the kubelet has reported that the container of " + lease.holder() + " has ended", another);
        }
        return held(lease);
    }

    /** A lease is created only for a candidate of its own namespace (safety.md#own-namespace). */
    private Decision create() {
        return candidates.isEmpty() || candidates.stream().anyMatch(this::ofOwnNamespace)
                ? elect("there is no lease yet", this::ofOwnNamespace)
                : new Decision.Nothing(
                        "there is no lease yet, and all candidates are of other namespaces; create the lease "
                                + key
                                + " with the label coordination.cle.io/managed=true so that one of them can lead");
    }

    // ---- a lease that is held ------------------------------------------------------------------------------------

    private Decision held(Lease lease) {
        Optional<CandidateObservation> holder = find(lease.holder());
        boolean listens = lease.electedBy() != null && holder.isPresent();
        List<CandidateObservation> better = listens ? betterThan(holder.get().candidate()) : List.of();
        Optional<Decision> yielding = listens ? yielding(lease, holder.get().candidate(), better) : Optional.empty();
        return yielding.or(() -> lastHolder.withdrawn() ? prepare(lease) : Optional.empty())
                .orElseGet(() -> watch(lease, holder, listens, better));
    }

    private List<CandidateObservation> betterThan(Candidate toBeat) {
        Comparator<Candidate> criteria = strategy().criteria();
        return ranked(candidate -> criteria.compare(candidate.candidate(), toBeat) < 0);
    }

    /** Returns the decision that better candidates than the holder require; empty if they require none. */
    private Optional<Decision> yielding(Lease lease, Candidate holder, List<CandidateObservation> betterThanHolder) {
        Optional<CandidateObservation> preferred = lease.endOfTerm() ? find(lease.preferredHolder()) : Optional.empty();
        boolean preferredIsThere = preferred.isPresent() && answer(preferred.get()) != Answer.SILENT;
        List<CandidateObservation> better =
                preferredIsThere ? betterThan(preferred.get().candidate()) : betterThanHolder;
        Poll poll = poll(better.stream()
                .filter(candidate -> mayFollow() && !heldOff(candidate))
                .toList());
        if (poll.winner().isPresent()) {
            Candidate winner = poll.winner().get().candidate();
            return Optional.of(new Decision.EndTerm(
                    endOfTerm(lease, winner),
                    describe(winner) + " is better than " + describe(holder) + " by " + strategyText()
                            + "; the holder is asked to yield"));
        }
        if (!poll.unasked().isEmpty() || poll.pending()) {
            return Optional.of(ask(poll, "better candidates than " + describe(holder) + " are there"));
        }
        if (preferredIsThere) {
            return Optional.empty();
        }
        if (lease.endOfTerm()) {
            return Optional.of(new Decision.ForgetPreferred(
                    lease.toBuilder().noEndOfTerm().build(),
                    "the preferred holder " + lease.preferredHolder() + " disappeared before it took over; "
                            + describe(holder) + " continues to lead"));
        }
        return Optional.empty();
    }

    /**
     * A holder that has withdrawn is about to release the lease. Pings the best candidate once in the meantime, so that the winner is known by then
     * (protocol.md#the-holder-goes-away).
     */
    private Optional<Decision> prepare(Lease lease) {
        return ranked(candidate -> answer(candidate) != Answer.SILENT).stream()
                .findFirst()
                .filter(best -> answer(best) == Answer.UNASKED && !best.heardOrAskedSince(lastHolder.withdrawnAt()))
                .map(best -> new Decision.Ping(
                        List.of(best.candidate()),
                        now.plus(policy.ackTimeout()),
                        lease.holder() + " has withdrawn its candidacy and may release the lease; "
                                + describe(best.candidate()) + " is pinged meanwhile"));
    }

    /** Whether it was elected lately and didn't begin its term (protocol.md#the-holder-goes-away). */
    private boolean heldOff(CandidateObservation candidate) {
        Lease lease = observation.lease();
        boolean hasNotBegun =
                lease != null && lease.heldBy(candidate.candidate().identity()) && lease.granted();
        return hasNotBegun || holdOffs.held(candidate.candidate().identity(), now);
    }

    /**
     * Whether the holder may be asked to yield. A successor that has to wait for an earlier term would only end the current
     * one early (safety.md#succession).
     */
    private boolean mayFollow() {
        return now.reached(observation.earlierClaim());
    }

    /** Decides about a holder that is to stay as long as it renews (protocol.md#the-holder-goes-away, safety.md#terminated-holder). */
    private Decision watch(
            Lease lease, Optional<CandidateObservation> holder, boolean listens, List<CandidateObservation> better) {
        long missedAt = observation.seenAt() + lease.leaseDuration().toNanos() / MISSED_DENOMINATOR * MISSED_NUMERATOR;
        Optional<PodRef> pod = holder.filter(candidate -> tellsHoldersPod(lease, candidate))
                .map(candidate -> candidate.candidate().pod());
        if (!now.reached(missedAt)) {
            String leads = leads(lease, holder, listens, better);
            return pod.isPresent() && holderPod.firstLookDue(now)
                    ? new Decision.LookAtPod(pod.get(), false, missedAt, leads)
                    : new Decision.WaitUntil(missedAt, leads);
        }
        String silent = lease.holder() + " has missed a renewal";
        long lookAt = holderPod.nextLook(observation.seenAt(), now);
        if (pod.isPresent() && now.reached(lookAt)) {
            return new Decision.LookAtPod(pod.get(), true, Decision.NEVER, silent + "; is its pod alive?");
        }
        long askAt = observation.freeAt() - policy.ackTimeout().toNanos();
        if (now.reached(askAt)) {
            long since = Math.max(askAt, missedAt);
            // A candidate whose answer is pending isn't pinged again: another lease of its group would wait for it for
            // as long once more.
            List<Candidate> unheard = ranked(candidate -> answer(candidate) != Answer.SILENT
                            && answer(candidate) != Answer.PENDING
                            && !candidate.heardOrAskedSince(since))
                    .stream()
                    .limit(mayBePinged())
                    .map(CandidateObservation::candidate)
                    .toList();
            if (!unheard.isEmpty()) {
                return new Decision.Ping(
                        unheard, observation.freeAt(), silent + "; candidates are asked in case it expires");
            }
            return new Decision.WaitUntil(
                    pod.isPresent() ? Math.min(observation.freeAt(), lookAt) : observation.freeAt(),
                    silent + "; the lease is about to expire");
        }
        return new Decision.WaitUntil(pod.isPresent() ? Math.min(askAt, lookAt) : askAt, silent);
    }

    /**
     * Whether the candidate with the holder's identity names the pod and container that the holder itself has written into the record of its term
     * (safety.md#terminated-holder). A later process with the same identity overwrites the candidate; without this check, its end would replace a
     * living leader. Candidates of other namespaces are ignored (safety.md#own-namespace).
     */
    private boolean tellsHoldersPod(Lease lease, CandidateObservation candidate) {
        PodRef pod = candidate.candidate().pod();
        return pod != null && pod.onLease().equals(lease.holderPod()) && lease.confirmed() && ofOwnNamespace(candidate);
    }

    private boolean ofOwnNamespace(CandidateObservation candidate) {
        return NamespaceRule.own(candidate.candidate().key(), key);
    }

    private String leads(
            Lease lease, Optional<CandidateObservation> holder, boolean listens, List<CandidateObservation> better) {
        if (lease.endOfTerm() && listens) {
            return lease.holder() + " was asked to yield to " + lease.preferredHolder();
        }
        if (listens) {
            return describe(holder.orElseThrow().candidate()) + " leads, and "
                    + (better.stream().anyMatch(this::heldOff)
                            ? "better candidates are held off"
                            : "no candidate is better by " + strategyText());
        }
        if (lastHolder.withdrawn()) {
            return lease.holder() + " has withdrawn its candidacy and is about to release the lease";
        }
        return lease.holder()
                + " leads without having been elected by a coordinator, and is left alone until it expires";
    }

    // ---- an election ---------------------------------------------------------------------------------------------

    private Decision elect(String why, Predicate<CandidateObservation> eligible) {
        List<CandidateObservation> contenders = ranked(eligible);
        if (contenders.isEmpty()) {
            return untilFree(why + ", and there is no other candidate");
        }
        Poll poll = poll(contenders);
        if (poll.winner().isPresent()) {
            Candidate winner = poll.winner().get().candidate();
            return new Decision.Elect(
                    elected(winner),
                    describe(winner) + " is the best of " + contenders.size()
                            + (contenders.size() == 1 ? " candidate" : " candidates") + " by " + strategyText()
                            + passedOver(contenders.indexOf(poll.winner().get())) + "; " + why);
        }
        if (poll.unasked().isEmpty() && !poll.pending()) {
            return untilFree(why + ", but none of " + contenders.size() + " candidates has answered within "
                    + policy.ackTimeout().toMillis() + " ms; the first one that renews is elected");
        }
        return ask(poll, why);
    }

    /**
     * Decides again once the lease is free: then its present holder is pinged, too, which shows whether it is still there. If the lease is free
     * already, decides again when a pending candidate should have answered, because a ping that was sent for another lease may have failed by then.
     */
    private Decision untilFree(String reason) {
        if (!observation.free(now)) {
            return new Decision.WaitUntil(observation.freeAt(), reason);
        }
        return candidates.stream()
                .filter(candidate -> answer(candidate) == Answer.PENDING)
                .map(candidate -> candidate.ackDeadline(policy.ackTimeout()))
                .min(Comparator.naturalOrder())
                .<Decision>map(deadline -> new Decision.WaitUntil(deadline, reason))
                .orElseGet(() -> new Decision.Nothing(reason));
    }

    /**
     * Describes how many better candidates were skipped, which happens only if they are silent. Otherwise, a reader would look for the reason
     * in their versions.
     */
    private static String passedOver(int better) {
        return better == 0 ? "" : ", except for " + better + " that did not acknowledge";
    }

    /**
     * The progress of pinging candidates.
     *
     * @param winner the best candidate, if it has acknowledged and all better ones are silent
     * @param unasked the candidates to ping now: the best one alone at first, then the others (safety.md#acknowledgement)
     * @param pending whether a pinged candidate has time left
     * @param deadline when the first of those has to have answered, or the others are pinged
     */
    private record Poll(
            Optional<CandidateObservation> winner, List<Candidate> unasked, boolean pending, long deadline) {}

    private Poll poll(List<CandidateObservation> contenders) {
        CandidateObservation best = null;
        List<Candidate> unasked = new ArrayList<>();
        int mayBePinged = mayBePinged();
        boolean pending = false;
        long deadline = Decision.NEVER;
        for (CandidateObservation contender : contenders) {
            Answer answer = answer(contender);
            if (best == null && answer != Answer.SILENT) {
                best = contender;
            }
            if (answer == Answer.UNASKED && unasked.size() < mayBePinged) {
                unasked.add(contender.candidate());
            } else if (answer == Answer.PENDING) {
                pending = true;
                deadline = Math.min(deadline, contender.ackDeadline(policy.ackTimeout()));
            }
        }
        if (best != null && !mayHaveReleased(best) && !now.reached(aloneUntil(best))) {
            Candidate first = best.candidate();
            boolean othersWait = unasked.removeIf(candidate -> candidate != first);
            deadline = othersWait ? Math.min(deadline, aloneUntil(best)) : deadline;
        }
        Optional<CandidateObservation> winner =
                Optional.ofNullable(best).filter(it -> answer(it) == Answer.ACKNOWLEDGED);
        return new Poll(winner, unasked, pending, deadline);
    }

    /** Returns until when only the best candidate is pinged. */
    private long aloneUntil(CandidateObservation best) {
        long asked = answer(best) == Answer.PENDING ? best.pingedAt() : now.nanos();
        return asked + policy.ackTimeout().toNanos() / ALONE_DENOMINATOR;
    }

    /** Returns how many more candidates may be pinged now. The requests of one lease must not delay those of other leases. */
    private int mayBePinged() {
        long pending = candidates.stream()
                .filter(candidate -> answer(candidate) == Answer.PENDING)
                .count();
        return (int) Math.max(0, MOST_PINGED - pending);
    }

    private Decision ask(Poll poll, String why) {
        if (poll.unasked().isEmpty()) {
            return new Decision.WaitUntil(poll.deadline(), why + "; waiting for candidates to acknowledge");
        }
        long deadline = Math.min(poll.deadline(), now.plus(policy.ackTimeout()));
        return new Decision.Ping(poll.unasked(), deadline, why + "; candidates are asked to acknowledge");
    }

    private Answer answer(CandidateObservation candidate) {
        Answer answer = candidate.answer(now, policy.ackTimeout());
        return answer == Answer.ACKNOWLEDGED
                        && mayHaveReleased(candidate)
                        && !candidate.heardSince(observation.seenAt())
                ? Answer.UNASKED
                : answer;
    }

    /**
     * Whether the candidate may be the holder that has released the lease. Only its acknowledgements since then are accepted: it may still be among
     * the candidates, because another watch delivers its withdrawal.
     */
    private boolean mayHaveReleased(CandidateObservation candidate) {
        Lease lease = observation.lease();
        return lease != null
                && !lease.held()
                && lease.acquireTime() != null
                && lastHolder.mayBe(candidate.candidate().identity());
    }

    // ---- writes (safety.md#grant-or-end-of-term) ------------------------------------------------------------------

    /**
     * Returns the lease with its new holder, freshly renewed and with the term annotation of a grant. The holder leads once it has replaced that
     * annotation by its own.
     */
    private Lease elected(Candidate winner) {
        Lease current = observation.lease();
        Lease base = current == null ? Lease.builder(key).build() : current;
        Instant time = now.wall();
        Instant renewed = time.equals(base.renewTime()) ? time.plusNanos(1000) : time;
        boolean first = base.acquireTime() == null && base.renewTime() == null;
        return recordStrategy(base.toBuilder()
                .holder(winner.identity())
                .leaseDuration(policy.leaseDuration())
                .acquireTime(renewed)
                .renewTime(renewed)
                .transitions(first ? base.transitions() : base.nextTransitions())
                .electedBy(ELECTED_BY)
                .holderKey(null)
                .term(TermAnnotation.granted(winner.identity(), renewed, base.endedWhenReplaced()))
                .holderPod(winner.pod() == null ? null : winner.pod().onLease())
                .noEndOfTerm()
                .retiredBy(null)
                .managed(true));
    }

    /**
     * Returns the lease with the request to yield. The successor is recorded as elected by this coordinator, even if the holder itself has raced for
     * the lease.
     */
    private Lease endOfTerm(Lease lease, Candidate preferred) {
        return recordStrategy(
                lease.toBuilder().endOfTerm(preferred.identity(), null).electedBy(ELECTED_BY));
    }

    /** Returns the lease with the effective strategy; without a holder if it doesn't exist yet. */
    private Lease withStrategy(@Nullable Lease lease) {
        return recordStrategy(
                lease == null ? Lease.builder(key).leaseDuration(Lease.RELEASED).managed(true) : lease.toBuilder());
    }

    /** Records the effective strategy on the Lease, unless an administrator has set one. */
    private Lease recordStrategy(Lease.Builder lease) {
        return choice.source() == StrategyChoice.Source.LEASE
                ? lease.build()
                : lease.strategy(choice.name()).recordedStrategy(choice.name()).build();
    }

    // ---- descriptions --------------------------------------------------------------------------------------------

    private Optional<CandidateObservation> find(@Nullable String identity) {
        return candidates.stream()
                .filter(candidate -> candidate.candidate().identity().equals(identity))
                .findFirst();
    }

    private String strategyText() {
        return choice.name() + " (" + choice.source().text() + ")";
    }

    private static String describe(Candidate candidate) {
        List<String> criteria = new ArrayList<>();
        if (candidate.compatibilityVersion() != null) {
            criteria.add("compatibility version " + candidate.compatibilityVersion());
        }
        if (candidate.priority() != null) {
            criteria.add("priority " + candidate.priority());
        }
        return candidate.identity() + (criteria.isEmpty() ? "" : " (" + String.join(", ", criteria) + ")");
    }
}

package io.cle.runtime.internal.coordinator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

import io.cle.api.LeaseConfiguration;
import io.cle.election.internal.CandidateObservation;
import io.cle.election.internal.Decision;
import io.cle.election.internal.HoldOffs;
import io.cle.election.internal.HolderPod;
import io.cle.election.internal.LastHolder;
import io.cle.election.internal.NamespaceRule;
import io.cle.model.Candidate;
import io.cle.model.Lease;
import io.cle.model.LeaseObservation;
import io.cle.model.Moment;
import io.cle.model.ObjectKey;
import io.cle.model.ResourceVersions;
import io.cle.runtime.internal.loop.RepeatedFailures;
import io.cle.strategy.StrategyChoice;
import org.jspecify.annotations.Nullable;

/** All that a coordinator has seen of one lease. Confined to the event loop. */
final class LeaseRecord {

    /** Offsets up to this are the network's and not worth a word. */
    private static final Duration CLOCKS_AGREE = Duration.ofSeconds(30);

    /** How many times within a while the holder may be asked for something else. */
    private static final int PREFERENCES = 3;

    private final ObjectKey key;
    private final LeaseObservation.Observer observer;
    private final Deque<Long> preferences = new ArrayDeque<>(PREFERENCES);
    private final Map<ObjectKey, CandidateObservation> candidates = new HashMap<>();
    private final Map<ObjectKey, Long> kept = new HashMap<>();
    private final Map<ObjectKey, LeaseConfiguration> configurations;
    private final Map<IgnoredObject, String> malformed = new LinkedHashMap<>();
    private final Map<ObjectKey, Duration> clocks = new TreeMap<>();
    private final LeaseHistory history = new LeaseHistory();
    private final FailedWrites failedWrites = new FailedWrites();
    private final RepeatedFailures pingFailures = new RepeatedFailures();
    private @Nullable LeaseObservation lease;
    private @Nullable Instant restoredAt;
    private LastHolder lastHolder = LastHolder.UNKNOWN;
    private HolderPod holderPod = HolderPod.NOT_LOOKED_AT;
    private HoldOffs holdOffs = HoldOffs.NONE;

    /** {@code null} if a candidate has come or gone since it was asked for. */
    private @Nullable Set<String> ambiguousNames;

    private @Nullable String strategyProblem;

    private @Nullable String reportedClaim;

    /** Whether the number of transitions has come to its end. */
    private boolean transitionsExhausted;

    private @Nullable String reason;
    private @Nullable Instant decidedAt;

    /**
     * Nothing is known yet.
     *
     * @param longestTerm for how long any term may run, by the coordinator's own configuration
     */
    LeaseRecord(ObjectKey key, Duration longestTerm) {
        this.key = key;
        this.observer = new LeaseObservation.Observer(longestTerm, false);
        this.configurations = new TreeMap<>(
                Comparator.comparing((ObjectKey object) -> !object.namespace().equals(key.namespace()))
                        .thenComparing(Comparator.naturalOrder()));
    }

    ObjectKey key() {
        return key;
    }

    /**
     * The lease is there. A record that is older than what is known already says only that its term may still run.
     *
     * @param contiguous whether no write was missed since the last record: false for a list or a read
     */
    void seen(Lease next, Moment now, boolean contiguous) {
        LeaseObservation known = lease;
        if (known != null
                && known.lease() != null
                && ResourceVersions.older(next.resourceVersion(), known.lease().resourceVersion())) {
            lease = known.late(next, now, observer);
            return;
        }
        lastHolder = lastHolder.seen(next);
        holdOffs = holdOffs.seen(known == null ? null : known.lease(), next, now);
        observed(
                known == null
                        ? LeaseObservation.first(next, now, observer)
                        : known.seen(next, now, contiguous, observer),
                now);
    }

    /** The watch has reported that the lease was deleted. */
    void deleted(Moment now) {
        observed(lease(now).seen(null, now, true, observer), now);
    }

    /** A list or a read doesn't have the lease. */
    void missing(Moment now) {
        observed(lease(now).seen(null, now, false, observer), now);
    }

    private void observed(LeaseObservation next, Moment now) {
        history.observed(lease, next, now);
        lease = next;
        holderPod = holderPod.seen(next);
        recovered(IgnoredObject.lease(key));
    }

    /**
     * The API server's history has begun anew from an earlier state (safety.md#new-history): the lease is seen for the first time next, and
     * no candidate acquires it before the longest term of the former history has run out.
     */
    void newHistory(Moment now) {
        lease = lease(now).missed(now, observer);
        lastHolder = LastHolder.UNKNOWN;
        holderPod = HolderPod.NOT_LOOKED_AT;
        restoredAt = now.wall();
    }

    /** When a record that isn't renewed, and claims the lease for long, is reported; {@link Decision#NEVER} if there is none, or it was. */
    long nextClaimReport() {
        LeaseObservation known = lease;
        return known == null || known.claimant().equals(reportedClaim)
                ? Decision.NEVER
                : known.standsClaimedAt(observer.leaseDuration());
    }

    /** Whether such a record is to be reported now. */
    boolean claimIsNews(Moment now) {
        boolean due = isDue(nextClaimReport(), now);
        reportedClaim = due ? lease(now).claimant() : reportedClaim;
        return due;
    }

    /** Whether such a record keeps the lease from being acquired. */
    boolean staysClaimed(Moment now) {
        LeaseObservation known = lease(now);
        return isDue(known.standsClaimedAt(observer.leaseDuration()), now) && !now.reached(known.busyUntil());
    }

    private static boolean isDue(long at, Moment now) {
        return at != Decision.NEVER && now.reached(at);
    }

    /** Tells once if the number of transitions has come to its end: elections go on, but what counts them is misled. */
    Optional<Warning> noteTransitions() {
        Lease known = current();
        boolean exhausted = known != null && known.transitionsAreExhausted();
        boolean news = exhausted && !transitionsExhausted;
        transitionsExhausted = exhausted;
        return news ? Optional.of(new Warning("TransitionsExhausted", exhaustedTransitions())) : Optional.empty();
    }

    private String exhaustedTransitions() {
        return "lease " + key + ": leaseTransitions is " + Integer.MAX_VALUE
                + ", the largest number that the API server accepts; it stays there. Set it to 0 to have it count again";
    }

    LastHolder lastHolder() {
        return lastHolder;
    }

    LeaseObservation lease(Moment now) {
        return lease == null ? LeaseObservation.first(null, now, observer) : lease;
    }

    @Nullable
    Lease current() {
        return lease == null ? null : lease.lease();
    }

    /** A candidate is there; returns the problems that are new. */
    Optional<Warning> seen(Candidate candidate, Moment now, boolean live) {
        CandidateObservation known = candidates.get(candidate.key());
        if (known != null
                && ResourceVersions.older(
                        candidate.resourceVersion(), known.candidate().resourceVersion())) {
            return Optional.empty();
        }
        boolean renewed = known == null
                || (!Objects.equals(known.candidate().renewTime(), candidate.renewTime()) && !candidate.ackPending());
        if (known == null) {
            ambiguousNames = null;
        }
        CandidateObservation observed =
                known == null ? CandidateObservation.first(candidate, now, live) : known.seen(candidate, now);
        candidates.put(candidate.key(), observed);
        // Asked of the last holder only: of twenty thousand candidates of one lease it would take the event loop's
        // time.
        if (candidate.identity().equals(lastHolder.identity())
                && counting().stream().anyMatch(it -> it.candidate().key().equals(candidate.key()))) {
            lastHolder = lastHolder.stands(candidate.identity());
        }
        return renewed && live ? noteClock(observed, now) : Optional.empty();
    }

    /**
     * A renewal that was just seen shows the candidate's clock. Nothing depends on it, but people want to know. An old time of one that
     * wasn't seen yet says nothing: it may be an earlier copy.
     */
    private Optional<Warning> noteClock(CandidateObservation observed, Moment now) {
        Candidate candidate = observed.candidate();
        Instant renewed = candidate.renewTime();
        Duration offset = renewed == null ? Duration.ZERO : Duration.between(now.wall(), renewed);
        if (offset.abs().compareTo(CLOCKS_AGREE) <= 0 || (observed.doubtful() && offset.isNegative())) {
            clocks.remove(candidate.key());
            return Optional.empty();
        }
        boolean known = clocks.put(candidate.key(), offset) != null;
        return known ? Optional.empty() : Optional.of(new Warning("ClockOff", offClock(candidate.key(), offset)));
    }

    private static String offClock(ObjectKey candidate, Duration offset) {
        return candidate + ": its clock is " + offset.abs().toSeconds() + " s "
                + (offset.isNegative() ? "behind" : "ahead of")
                + " this coordinator's; no election depends on it, but the times that it writes are wrong";
    }

    void pinged(Candidate candidate, Moment now) {
        candidates.computeIfPresent(candidate.key(), (unused, known) -> known.pinged(now));
    }

    void notPinged(Candidate candidate) {
        candidates.computeIfPresent(candidate.key(), (unused, known) -> known.notPinged());
    }

    /** A holder was replaced that hadn't released the lease: if it comes back, it may fail again. */
    void failed(String holder, Moment now) {
        candidates.replaceAll(
                (unused, known) -> known.candidate().identity().equals(holder) ? known.presentAnew(now) : known);
    }

    void removeCandidate(ObjectKey candidate, Moment now) {
        CandidateObservation removed = candidates.remove(candidate);
        ambiguousNames = null;
        boolean ofLastHolder = removed != null && removed.candidate().identity().equals(lastHolder.identity());
        if (ofLastHolder && !borne(candidate.name())) {
            lastHolder = lastHolder.gone(candidate.name(), now);
        }
        clocks.remove(candidate);
        kept.remove(candidate);
    }

    /** Whether a candidate bears the name. */
    private boolean borne(String identity) {
        return candidates.values().stream()
                .anyMatch(known -> known.candidate().identity().equals(identity));
    }

    Collection<CandidateObservation> candidates() {
        return candidates.values();
    }

    boolean hasOwnCandidate() {
        return candidates.keySet().stream()
                .anyMatch(candidate -> candidate.namespace().equals(key.namespace()));
    }

    Set<String> ambiguousNames() {
        Set<String> names = ambiguousNames;
        if (names == null) {
            names = NamespaceRule.ambiguousNames(candidates.keySet());
            ambiguousNames = names;
        }
        return names;
    }

    private List<CandidateObservation> counting() {
        return NamespaceRule.counting(key, candidates.values(), ambiguousNames());
    }

    /** The candidates that count and haven't expired. */
    List<CandidateObservation> alive(Moment now) {
        List<CandidateObservation> alive = new ArrayList<>(counting());
        alive.removeIf(candidate -> now.reached(candidate.expiresAt()));
        return alive;
    }

    /** The expired candidates that are to be removed now. */
    List<Candidate> expired(Moment now) {
        List<Candidate> expired = new ArrayList<>(0);
        for (CandidateObservation candidate : candidates.values()) {
            if (now.reached(removableAt(candidate))) {
                expired.add(candidate.candidate());
            }
        }
        return expired;
    }

    /** When the next candidate is to be removed, unless it renews; {@link Decision#NEVER} if there is none. */
    long nextRemoval() {
        long next = Decision.NEVER;
        for (CandidateObservation candidate : candidates.values()) {
            next = Math.min(next, removableAt(candidate));
        }
        return next;
    }

    private long removableAt(CandidateObservation candidate) {
        return Math.max(
                candidate.expiresAt(), kept.getOrDefault(candidate.candidate().key(), Long.MIN_VALUE));
    }

    /** An expired candidate couldn't be removed; it isn't tried again for a while, and is no candidate all the same. */
    void keep(ObjectKey candidate, long until) {
        kept.put(candidate, until);
    }

    /** A configuration names the lease; returns the problems that are new. */
    Optional<Warning> seen(LeaseConfiguration configuration) {
        configurations.put(configuration.key(), configuration);
        return configurations.size() > 1
                ? Optional.of(new Warning("SeveralConfigurations", severalConfigurations()))
                : Optional.empty();
    }

    private String severalConfigurations() {
        return "several LeaseConfigurations name the lease " + key + ": " + configurations.keySet()
                + "; the first counts";
    }

    /** The strategy by which the lease is elected; returns the problems that are new. */
    Optional<Warning> chosen(StrategyChoice choice) {
        String problem = choice.toBeMended() ? choice.problem() : null;
        boolean news = problem != null && !problem.equals(strategyProblem);
        strategyProblem = problem;
        return news
                ? Optional.of(new Warning("NoUsableStrategy", "lease " + key + " is left alone: " + problem))
                : Optional.empty();
    }

    /** The strategy has thrown something; returns a warning if that is new. */
    Optional<Warning> failed(StrategyChoice choice, RuntimeException failure) {
        String problem = "the strategy " + choice.name() + " has failed, and no candidate is elected by it: " + failure;
        boolean news = !problem.equals(strategyProblem);
        strategyProblem = problem;
        return news
                ? Optional.of(new Warning("StrategyFailed", "lease " + key + ": " + problem + "; mend or replace it"))
                : Optional.empty();
    }

    /** What was decided could not be written; returns a warning if that is new. */
    Optional<Warning> notWritten(String report, String problem, boolean refused, Moment now, RandomGenerator random) {
        return failedWrites.failed(problem, refused, now, random)
                ? Optional.of(new Warning(report, "lease " + key + ": " + notWritten(problem)))
                : Optional.empty();
    }

    private static String notWritten(String problem) {
        return "what was decided can't be written, and is tried again: " + problem;
    }

    /** What was decided was written. */
    void written() {
        failedWrites.succeeded();
    }

    /** When the next decision may be written; empty when that is now. */
    Optional<Long> nextWrite(Moment now) {
        return failedWrites.retryAt(now);
    }

    /** Why candidates could not be pinged since the last time that all could: each reason is logged once. */
    RepeatedFailures pingFailures() {
        return pingFailures;
    }

    void removeConfiguration(ObjectKey configuration) {
        configurations.remove(configuration);
    }

    /** All that name the lease. The first one counts: those of the lease's own namespace come first, then by namespace and name. */
    Collection<LeaseConfiguration> configurations() {
        return configurations.values();
    }

    /** An object can't be understood; true if that is new. */
    boolean malformed(IgnoredObject object, String problem) {
        return !problem.equals(malformed.put(object, problem));
    }

    /** The objects that don't count, with the reason. */
    Map<IgnoredObject, String> ignored() {
        return Map.copyOf(malformed);
    }

    /** An object can be understood, or is gone. */
    void recovered(IgnoredObject object) {
        malformed.remove(object);
    }

    /** Whether an object doesn't count already. */
    boolean ignores(IgnoredObject object) {
        return malformed.containsKey(object);
    }

    /** Whether the lease itself can't be understood. */
    boolean unreadable() {
        return ignores(IgnoredObject.lease(key));
    }

    List<String> problems(Moment now) {
        List<String> problems = new ArrayList<>();
        malformed.forEach((object, problem) -> problems.add(object + ": " + problem));
        clocks.forEach((candidate, offset) -> problems.add(offClock(candidate, offset)));
        if (configurations.size() > 1) {
            problems.add(severalConfigurations());
        }
        if (!configurations.isEmpty() && candidates.isEmpty() && current() == null) {
            problems.add(configurations.keySet() + ": there is no lease " + key
                    + ", and it has no candidate; what they ask for counts as soon as there is one");
        }
        if (transitionsExhausted) {
            problems.add(exhaustedTransitions());
        }
        for (String name : new TreeSet<>(ambiguousNames())) {
            problems.add("candidates of several namespaces are named " + name
                    + "; only the one of the lease's own namespace counts, if there is one");
        }
        if (strategyProblem != null) {
            problems.add(strategyProblem);
        }
        failedWrites.problem(now).map(LeaseRecord::notWritten).ifPresent(problems::add);
        problems.addAll(holdOffs.describe(now));
        if (restoredAt != null && lease != null && !now.reached(lease.earlierClaim())) {
            problems.add("the API server's history has begun anew at " + restoredAt
                    + " from an earlier state, as after a"
                    + " restore of etcd from a backup; the lease is given to no candidate for "
                    + Duration.ofNanos(lease.earlierClaim() - now.nanos()).toMillis()
                    + " ms, because a term of the former history may still run");
        }
        return problems;
    }

    /**
     * Counts a change of what the holder is asked for; so many of them are let through within a while.
     *
     * @return when the next one may be made; empty when that is now, and then it counts
     */
    Optional<Long> nextPreference(Moment now, Duration within) {
        if (preferences.size() == PREFERENCES) {
            long free = preferences.getFirst() + within.toNanos();
            if (!now.reached(free)) {
                return Optional.of(free);
            }
            preferences.removeFirst();
        }
        preferences.addLast(now.nanos());
        return Optional.empty();
    }

    HoldOffs holdOffs() {
        return holdOffs;
    }

    HolderPod holderPod() {
        return holderPod;
    }

    /** The pod was looked at; a look that was begun during another term says nothing. */
    void lookedAt(HolderPod look) {
        if (holderPod.sameTerm(look)) {
            holderPod = look;
        }
    }

    @Nullable
    String reason() {
        return reason;
    }

    @Nullable
    Instant decidedAt() {
        return decidedAt;
    }

    LeaseHistory history() {
        return history;
    }

    void decided(String why, Instant when) {
        history.decided(why, when);
        reason = why;
        decidedAt = when;
    }

    boolean empty() {
        return candidates.isEmpty() && configurations.isEmpty() && malformed.isEmpty() && current() == null;
    }
}

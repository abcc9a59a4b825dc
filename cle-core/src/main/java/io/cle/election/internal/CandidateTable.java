package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.cle.election.internal.CoordinatorJournal.Warning;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Moment;
import io.cle.model.internal.ResourceVersions;
import org.jspecify.annotations.Nullable;

/** The candidates of one lease, as a coordinator has seen them. Confined to the event loop. Rule: {@code safety.md#expired-candidates}. */
final class CandidateTable {

    /** Offsets up to this are the network's and not worth a word. */
    private static final Duration CLOCKS_AGREE = Duration.ofSeconds(30);

    private final ObjectKey lease;
    private final Map<ObjectKey, CandidateObservation> candidates = new HashMap<>();

    /** When the removal of expired candidates that couldn't be removed is tried again. */
    private final Map<ObjectKey, Long> kept = new HashMap<>();

    /** How far clocks are off, of those whose are. */
    private final Map<ObjectKey, Duration> clocks = new TreeMap<>();

    /** {@code null} if a candidate has come or gone since it was asked for. */
    private @Nullable Set<String> ambiguousNames;

    /** Creates an empty table. */
    CandidateTable(ObjectKey lease) {
        this.lease = lease;
    }

    /**
     * Notes a candidate. Older versions of a known candidate are ignored.
     *
     * @return what is new and isn't as it should be
     */
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
        return renewed && live ? noteClock(observed, now) : Optional.empty();
    }

    /**
     * Notes how far a candidate's clock is off, as a renewal that was just seen shows. Nothing depends on it, but people want to know. An old time of
     * a candidate that is new proves nothing: it may be an earlier copy.
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

    /** Removes a candidate, and returns it as it was last seen; {@code null} if it is unknown. */
    @Nullable
    Candidate removed(ObjectKey candidate) {
        CandidateObservation removed = candidates.remove(candidate);
        ambiguousNames = null;
        clocks.remove(candidate);
        kept.remove(candidate);
        return removed == null ? null : removed.candidate();
    }

    void pinged(Candidate candidate, Moment now) {
        candidates.computeIfPresent(candidate.key(), (unused, known) -> known.pinged(now));
    }

    void notPinged(Candidate candidate) {
        candidates.computeIfPresent(candidate.key(), (unused, known) -> known.notPinged());
    }

    /** Notes that a holder was replaced without having released the lease. If it comes back, it may fail again. */
    void failed(String holder, Moment now) {
        candidates.replaceAll(
                (unused, known) -> known.candidate().identity().equals(holder) ? known.presentAnew(now) : known);
    }

    /** Notes that an expired candidate couldn't be deleted. Its deletion isn't retried for a while, and it isn't elected meanwhile. */
    void keep(ObjectKey candidate, long until) {
        kept.put(candidate, until);
    }

    // ---- queries -------------------------------------------------------------------------------------------------

    boolean isEmpty() {
        return candidates.isEmpty();
    }

    Collection<CandidateObservation> all() {
        return candidates.values();
    }

    Optional<CandidateObservation> find(ObjectKey candidate) {
        return Optional.ofNullable(candidates.get(candidate));
    }

    /** Whether a candidate bears the name. */
    boolean bears(String identity) {
        return candidates.values().stream()
                .anyMatch(known -> known.candidate().identity().equals(identity));
    }

    boolean hasOneOfTheLeasesNamespace() {
        return candidates.keySet().stream()
                .anyMatch(candidate -> candidate.namespace().equals(lease.namespace()));
    }

    Set<String> ambiguousNames() {
        Set<String> names = ambiguousNames;
        if (names == null) {
            names = NamespaceRule.ambiguousNames(candidates.keySet());
            ambiguousNames = names;
        }
        return names;
    }

    /** Returns the candidates that may be elected (safety.md#own-namespace). */
    List<CandidateObservation> counting() {
        return NamespaceRule.counting(lease, candidates.values(), ambiguousNames());
    }

    /** Returns the candidates that may be elected and haven't expired. */
    List<CandidateObservation> alive(Moment now) {
        List<CandidateObservation> alive = new ArrayList<>(counting());
        alive.removeIf(candidate -> now.reached(candidate.expiresAt()));
        return alive;
    }

    /** Returns the expired candidates that are to be deleted now. */
    List<Candidate> expired(Moment now) {
        List<Candidate> expired = new ArrayList<>(0);
        for (CandidateObservation candidate : candidates.values()) {
            if (now.reached(removableAt(candidate))) {
                expired.add(candidate.candidate());
            }
        }
        return expired;
    }

    /** Returns when the next candidate is to be deleted unless it renews; {@link Decision#NEVER} if there is none. */
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

    /** Returns the problems of the candidates, for people. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        clocks.forEach((candidate, offset) -> problems.add(offClock(candidate, offset)));
        Set<LeaseGroup> groups = new TreeSet<>();
        candidates
                .values()
                .forEach(known -> Optional.ofNullable(known.candidate().group()).ifPresent(groups::add));
        if (groups.size() > 1) {
            problems.add("candidates put the lease into several groups: "
                    + groups.stream().map(LeaseGroup::label).collect(Collectors.joining(", "))
                    + "; only the candidates of one of them are elected evenly");
        }
        for (String name : new TreeSet<>(ambiguousNames())) {
            problems.add("candidates of several namespaces are named " + name
                    + "; only the one of the lease's own namespace counts, if there is one");
        }
        return problems;
    }
}

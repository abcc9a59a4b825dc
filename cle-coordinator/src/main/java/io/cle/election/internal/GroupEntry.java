package io.cle.election.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ShardAssignment.Part;
import io.cle.loop.internal.Clock;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.ElectionStrategy;
import org.jspecify.annotations.Nullable;

/**
 * One group: the candidate to which each of its leases is assigned ({@link ShardAssignment}). Confined to the event loop. Rule: {@code
 * protocol.md#even-shards}.
 */
final class GroupEntry {

    /**
     * How long no lease moves after a candidate has joined, so that a rolling start causes one rebalancing, or has withdrawn from a lease, because a
     * stopping replica withdraws from its leases one by one.
     */
    static final Duration DAMPING = Duration.ofSeconds(2);

    /** An assignment that takes longer is followed by a pause, so that a large group leaves the event loop to other leases. */
    private static final Duration LONG = Duration.ofMillis(2);

    /** The length of that pause, as a multiple of the assignment's duration. */
    private static final int PAUSE = 19;

    private final LeaseGroup group;

    /** The candidates for the group's shards; unused if its leases have names of their own. */
    private final CandidateTable candidateTable;

    /** The leases of the group that have names of their own; empty if the leases are shards. */
    private final SortedSet<ObjectKey> named = new TreeSet<>();

    private Map<ObjectKey, String> assigned = Map.of();

    private Set<String> candidates = Set.of();

    /** The candidates that haven't answered, or have let a lease expire, and haven't renewed since. They keep only the leases that they renew. */
    private Set<String> silent = Set.of();

    /** When the first candidate that is held off from a lease may be assigned to it again; {@link Decision#NEVER} if none is. */
    private long heldOffUntil = Decision.NEVER;

    private boolean changed = true;
    private boolean settled = true;
    private long lastChange;

    /** Whether the last assignment was a long one, and until when no other one follows, in monotonic nanoseconds. */
    private boolean paused;

    private long pausedUntil;

    /**
     * The candidates of a lease. Computed once for all shards that have exactly the group's candidates.
     *
     * @param alive the candidates that may be elected
     * @param ofGroup those that are candidates of the group, by identity
     */
    private record Standings(List<CandidateObservation> alive, Map<String, CandidateObservation> ofGroup) {}

    GroupEntry(LeaseGroup group) {
        this.group = group;
        this.candidateTable = new CandidateTable(group.pattern());
    }

    LeaseGroup group() {
        return group;
    }

    CandidateTable candidateTable() {
        return candidateTable;
    }

    /** Returns the leases of the group: all shards, or the leases that candidates have put into it. */
    List<ObjectKey> leases() {
        return group.isSharded() ? group.leases() : List.copyOf(named);
    }

    /** Adds a lease that has a name of its own. */
    void add(ObjectKey lease) {
        named.add(lease);
        changed = true;
    }

    /** Removes a lease that has a name of its own. */
    void remove(ObjectKey lease) {
        named.remove(lease);
        changed = true;
    }

    /** Notes that a candidate or a lease of the group has changed. */
    void changed() {
        changed = true;
    }

    /**
     * Assigns the leases anew, if anything has changed.
     *
     * @param due the lease that is being reconciled
     * @param known returns the entry of a lease; {@code null} if the lease is unknown
     * @param isBalanced whether a lease's strategy, with the candidates that may be elected, is the one that spreads leases
     * @return the leases that are assigned to another candidate than before
     */
    Set<ObjectKey> assign(
            LeaseRecord due,
            Function<ObjectKey, @Nullable LeaseRecord> known,
            BiPredicate<LeaseRecord, List<CandidateObservation>> isBalanced,
            Duration ackTimeout,
            Clock clock) {
        Moment now = clock.now();
        paused &= !now.reached(pausedUntil);
        boolean overdue = nextMoves() != Decision.NEVER && now.reached(nextMoves());
        boolean expired =
                due.lease(now).free(now) && silent.contains(assignedTo(due).orElse(""));
        changed = changed || overdue || expired || hasNewlySilent(due, ackTimeout, now);
        if (!changed || paused) {
            return Set.of();
        }
        changed = false;
        Set<ObjectKey> reassigned = assignNow(known, isBalanced, ackTimeout, now);
        long took = clock.nanos() - now.nanos();
        paused = took > LONG.toNanos();
        pausedUntil = clock.nanos() + PAUSE * took;
        return reassigned;
    }

    @SuppressWarnings("ReferenceEquality") // whether two shards share one object
    private Set<ObjectKey> assignNow(
            Function<ObjectKey, @Nullable LeaseRecord> known,
            BiPredicate<LeaseRecord, List<CandidateObservation>> isBalanced,
            Duration ackTimeout,
            Moment now) {
        List<ObjectKey> leases = leases();
        List<@Nullable LeaseRecord> records = new ArrayList<>();
        List<@Nullable Standings> standings = new ArrayList<>();
        Map<String, CandidateObservation> members = new TreeMap<>();
        Set<String> nowSilent = new HashSet<>();
        Standings common = null;
        for (ObjectKey lease : leases) {
            LeaseRecord record = known.apply(lease);
            Standings ofLease = null;
            if (record != null) {
                boolean isCommon = record.candidates().areExactlyThoseOfGroup();
                if (isCommon && common != null) {
                    ofLease = common;
                } else {
                    ofLease = standings(record, now);
                    members.putAll(ofLease.ofGroup());
                    common = isCommon ? ofLease : common;
                }
                Lease current = record.current();
                CandidateObservation holder = current == null
                        ? null
                        : ofLease.ofGroup().get(Objects.requireNonNullElse(current.holder(), ""));
                if (holder != null && hasLetExpire(record, holder, now)) {
                    nowSilent.add(holder.candidate().identity());
                }
            }
            records.add(record);
            standings.add(ofLease);
        }
        members.forEach((identity, candidate) -> {
            if (candidate.answer(now, ackTimeout) == Answer.SILENT) {
                nowSilent.add(identity);
            }
        });
        silent = nowSilent;
        Set<String> all = Set.copyOf(members.keySet());
        Set<String> present = new HashSet<>(all);
        present.removeAll(silent);
        noteJoins(present, now);
        heldOffUntil = Decision.NEVER;
        List<Part> parts = new ArrayList<>();
        Set<String> others = Set.of();
        for (int i = 0; i < leases.size(); i++) {
            Standings ofLease = standings.get(i);
            if (ofLease != null && (i == 0 || ofLease != standings.get(i - 1))) {
                others = new HashSet<>(all);
                others.removeAll(ofLease.ofGroup().keySet());
            }
            parts.add(part(i, records.get(i), ofLease, others, isBalanced, now));
        }
        Map<ObjectKey, String> before = assigned;
        assigned = new HashMap<>();
        ShardAssignment.of(group.label(), all, parts, settled)
                .forEach((i, candidate) -> assigned.put(leases.get(i), candidate));
        Set<ObjectKey> reassigned = new TreeSet<>(before.keySet());
        reassigned.addAll(assigned.keySet());
        reassigned.removeIf(lease -> Objects.equals(before.get(lease), assigned.get(lease)));
        return reassigned;
    }

    private Standings standings(LeaseRecord record, Moment now) {
        List<CandidateObservation> alive = record.candidates().alive(now);
        Map<String, CandidateObservation> ofGroup = new HashMap<>();
        for (CandidateObservation candidate : alive) {
            if (group.equals(candidate.candidate().group())) {
                ofGroup.put(candidate.candidate().identity(), candidate);
            }
        }
        return new Standings(alive, ofGroup);
    }

    /** Whether a candidate has let a lease expire that it holds, and hasn't renewed since. */
    private static boolean hasLetExpire(LeaseRecord record, CandidateObservation candidate, Moment now) {
        LeaseObservation observation = record.lease(now);
        Lease lease = observation.lease();
        return lease != null
                && lease.heldBy(candidate.candidate().identity())
                && observation.free(now)
                && !candidate.heardSince(observation.freeAt());
    }

    private void noteJoins(Set<String> present, Moment now) {
        settled |= now.reached(settledAt());
        if (!candidates.containsAll(present)) {
            unsettle(now);
        }
        candidates = present;
    }

    /** Postpones moves, because a candidate has joined, or has withdrawn from a lease and is a candidate for others. */
    void unsettle(Moment now) {
        lastChange = now.nanos();
        settled = false;
    }

    private long settledAt() {
        return lastChange + DAMPING.toNanos();
    }

    /** Returns when leases may move that can't now, or to more candidates; {@link Decision#NEVER} if that isn't known. */
    long nextMoves() {
        if (paused && changed) {
            return pausedUntil;
        }
        return settled ? heldOffUntil : Math.min(settledAt(), heldOffUntil);
    }

    /** Whether a candidate of a lease has become silent since the leases were last assigned. */
    private boolean hasNewlySilent(LeaseRecord record, Duration ackTimeout, Moment now) {
        return record.candidates().all().stream()
                .filter(candidate -> group.equals(candidate.candidate().group()) && !now.reached(candidate.expiresAt()))
                .filter(candidate -> !silent.contains(candidate.candidate().identity()))
                .anyMatch(candidate ->
                        candidate.answer(now, ackTimeout) == Answer.SILENT || hasLetExpire(record, candidate, now));
    }

    private Part part(
            int number,
            @Nullable LeaseRecord record,
            @Nullable Standings standings,
            Set<String> others,
            BiPredicate<LeaseRecord, List<CandidateObservation>> isBalanced,
            Moment now) {
        if (record == null || standings == null) {
            return new Part(number, null, false, false, Set.of());
        }
        LeaseObservation observation = record.lease(now);
        Lease lease = observation.lease();
        String holder = lease == null || observation.free(now) ? null : lease.holder();
        String preferred = lease != null && holder != null && lease.endOfTerm() ? lease.preferredHolder() : null;
        // Treats a write in progress as successful. Otherwise, a candidate would be given all leases that a
        // stopping replica releases one after the other.
        String successor = record.successor() == null ? preferred : record.successor();
        boolean given = successor != null && !successor.equals(holder) && candidates.contains(successor);
        boolean moving = given && holder != null;
        return new Part(
                number,
                given ? successor : holder,
                moving,
                !isBalanced.test(record, standings.alive()),
                withdrawn(record, others, lease != null && !lease.granted() ? holder : null, now));
    }

    /**
     * Returns the candidates of the group that can't lead a lease now.
     *
     * @param others the group's candidates that aren't candidates for the lease
     * @param begun the holder, if it has begun its term, in which case its silence doesn't matter; {@code null} otherwise
     */
    private Set<String> withdrawn(LeaseRecord record, Set<String> others, @Nullable String begun, Moment now) {
        Set<String> failed = record.holdOffs().ends().keySet();
        boolean isSilent = begun != null && silent.contains(begun);
        if (failed.isEmpty() && others.isEmpty() && !isSilent) {
            return silent;
        }
        Set<String> withdrawn = new HashSet<>(silent);
        if (isSilent) {
            withdrawn.remove(begun);
        }
        withdrawn.addAll(others);
        for (String candidate : failed) {
            record.holdOffs().until(candidate, now).ifPresent(until -> {
                withdrawn.add(candidate);
                heldOffUntil = Math.min(heldOffUntil, until);
            });
        }
        return withdrawn;
    }

    /** Whether a candidate was silent when the leases were last assigned. */
    boolean isSilent(String candidate) {
        return silent.contains(candidate);
    }

    /** Returns the candidate that a lease is assigned to; empty if no candidate can lead it, or if the lease has another strategy. */
    Optional<String> assignedTo(LeaseRecord record) {
        return Optional.ofNullable(assigned.get(record.key()));
    }

    /**
     * Returns the strategy of one lease of the group. It ranks the candidate that the lease is assigned to first; then the holder, so that the
     * holder isn't asked to yield to any other candidate.
     */
    ElectionStrategy strategyFor(LeaseRecord record) {
        String first = assignedTo(record).orElse("");
        Lease lease = record.current();
        String holder = lease == null || lease.holder() == null ? "" : lease.holder();
        return new Balanced(Comparator.comparingInt(candidate ->
                candidate.identity().equals(first) ? 0 : candidate.identity().equals(holder) ? 1 : 2));
    }

    private record Balanced(Comparator<Candidate> criteria) implements ElectionStrategy {

        @Override
        public String wireName() {
            return BuiltInStrategy.BALANCED.wireName();
        }

        @Override
        public int precedence() {
            return BuiltInStrategy.BALANCED.precedence();
        }
    }
}

package io.cle.election.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.shards.ShardAssignment;
import io.cle.election.internal.shards.ShardAssignment.Part;
import io.cle.loop.internal.Clock;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.ElectionStrategy;

/** Assigns each lease of one group to a candidate ({@link ShardAssignment}). Confined to the event loop. Rule: {@code protocol.md#even-shards}. */
final class GroupEntry {

    /**
     * How long no lease moves after a candidate has joined or has withdrawn from a lease. A rolling start then causes one rebalancing; a stopping
     * replica withdraws from its leases one by one.
     */
    static final Duration DAMPING = Duration.ofSeconds(2);

    /** The pause after an assignment, as a multiple of its duration, so that a large group doesn't occupy the event loop. */
    private static final int PAUSE = 19;

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final LeaseGroup group;

    /** The candidates that name the group, including those that can lead none of its leases now. */
    private final CandidateTable candidates;

    /** The known leases of the group. */
    private final SortedMap<ObjectKey, LeaseRecord> leases = new TreeMap<>();

    private Map<ObjectKey, String> assigned = Map.of();

    /** The candidates that weren't silent when the leases were last assigned. */
    private Set<String> present = Set.of();

    /** When the first candidate that is held off from a lease may be assigned to that lease again; {@link Decision#NEVER} if none is. */
    private long heldOffUntil = Decision.NEVER;

    private boolean changed = true;
    private boolean settled = true;
    private long lastChange;

    /** When the leases may be assigned again, in monotonic nanoseconds. */
    private long pausedUntil = Long.MIN_VALUE / 2;

    GroupEntry(LeaseGroup group, Map<ObjectKey, CandidateObservation> observed) {
        this.group = group;
        this.candidates = new CandidateTable(group.pattern(), observed);
    }

    LeaseGroup group() {
        return group;
    }

    CandidateTable candidates() {
        return candidates;
    }

    /** Returns the known leases of the group. */
    Collection<LeaseRecord> leases() {
        return leases.values();
    }

    /** Adds a lease. */
    void add(LeaseRecord lease) {
        leases.put(lease.key(), lease);
        changed = true;
    }

    /** Removes a lease. */
    void remove(LeaseRecord lease) {
        leases.remove(lease.key());
        changed = true;
    }

    /** Notes that a candidate or a lease of the group has changed. */
    void changed() {
        changed = true;
    }

    /**
     * Assigns the leases again, if anything has changed.
     *
     * @param due the lease that is being reconciled
     * @param isBalanced whether the strategy of a lease, given the candidates that may be elected, is {@code Balanced}
     * @return the leases that are assigned to another candidate than before
     */
    Set<ObjectKey> assign(
            LeaseRecord due,
            BiPredicate<LeaseRecord, List<CandidateObservation>> isBalanced,
            Duration ackTimeout,
            Clock clock) {
        Moment now = clock.now();
        boolean overdue = nextMoves() != Decision.NEVER && now.reached(nextMoves());
        changed = changed || overdue || isLost(due, ackTimeout, now);
        if (!changed || !now.reached(pausedUntil)) {
            return Set.of();
        }
        changed = false;
        Set<ObjectKey> reassigned = assignNow(isBalanced, ackTimeout, now);
        long took = clock.nanos() - now.nanos();
        pausedUntil = clock.nanos() + Math.min(PAUSE * took, LONGEST_PAUSE.toNanos());
        return reassigned;
    }

    /** Whether the candidate that a lease is assigned to can no longer lead it, because it is gone or has become silent. */
    private boolean isLost(LeaseRecord record, Duration ackTimeout, Moment now) {
        String candidate = assigned.get(record.key());
        return candidate != null
                && !able(record, record.candidates().alive(now), ackTimeout, now)
                        .contains(candidate);
    }

    private Set<ObjectKey> assignNow(
            BiPredicate<LeaseRecord, List<CandidateObservation>> isBalanced, Duration ackTimeout, Moment now) {
        noteJoins(ackTimeout, now);
        heldOffUntil = Decision.NEVER;
        List<Part> parts = new ArrayList<>();
        for (LeaseRecord record : leases.values()) {
            List<CandidateObservation> alive = record.candidates().alive(now);
            parts.add(part(record, able(record, alive, ackTimeout, now), isBalanced.test(record, alive), now));
        }
        Map<ObjectKey, String> before = assigned;
        assigned = ShardAssignment.of(group.label(), parts, settled);
        Set<ObjectKey> reassigned = new TreeSet<>(before.keySet());
        reassigned.addAll(assigned.keySet());
        reassigned.removeIf(lease -> Objects.equals(before.get(lease), assigned.get(lease)));
        return reassigned;
    }

    /** Returns the candidates of the group that can lead a lease now: those that answer or lead it, and aren't held off from it. */
    private Set<String> able(LeaseRecord record, List<CandidateObservation> alive, Duration ackTimeout, Moment now) {
        LeaseObservation observation = record.lease(now);
        Lease lease = observation.lease();
        String leader = lease == null || lease.granted() || observation.free(now) ? null : lease.holder();
        Set<String> able = new HashSet<>();
        for (CandidateObservation candidate : alive) {
            String identity = candidate.candidate().identity();
            OptionalLong heldOff = record.holdOffs().until(identity, now);
            boolean answers = candidate.answer(now, ackTimeout) != Answer.SILENT
                    && !candidate.letExpire(observation, ackTimeout, now);
            if (heldOff.isPresent()) {
                heldOffUntil = Math.min(heldOffUntil, heldOff.getAsLong());
            } else if (group.equals(candidate.candidate().group()) && (answers || identity.equals(leader))) {
                able.add(identity);
            }
        }
        return able;
    }

    private void noteJoins(Duration ackTimeout, Moment now) {
        settled |= now.reached(settledAt());
        Set<String> answering = candidates.answering(ackTimeout, now);
        if (!present.containsAll(answering)) {
            unsettle(now);
        }
        present = answering;
    }

    /** Postpones moves, because a candidate has joined, or has withdrawn from a lease and is a candidate for others. */
    void unsettle(Moment now) {
        lastChange = now.nanos();
        settled = false;
    }

    private long settledAt() {
        return lastChange + DAMPING.toNanos();
    }

    /** Returns when more leases may move, or leases may move to more candidates; {@link Decision#NEVER} if that isn't known. */
    long nextMoves() {
        if (changed) {
            return pausedUntil;
        }
        return settled ? heldOffUntil : Math.min(settledAt(), heldOffUntil);
    }

    private Part part(LeaseRecord record, Set<String> able, boolean balanced, Moment now) {
        LeaseObservation observation = record.lease(now);
        Lease lease = observation.lease();
        String holder = lease == null || observation.free(now) ? null : lease.holder();
        String preferred = lease != null && holder != null && lease.endOfTerm() ? lease.preferredHolder() : null;
        // Treats a write in progress as successful. Otherwise, all leases that a stopping replica releases one after
        // the other would go to the same candidate.
        String successor = record.successor() == null ? preferred : record.successor();
        boolean given = successor != null && !successor.equals(holder) && present.contains(successor);
        return new Part(record.key(), given ? successor : holder, given && holder != null, !balanced, able);
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
    }
}

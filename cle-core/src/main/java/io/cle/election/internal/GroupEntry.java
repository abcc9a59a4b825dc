package io.cle.election.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ShardAssignment.Part;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.ElectionStrategy;
import org.jspecify.annotations.Nullable;

/**
 * All that a coordinator has seen of one group: which candidate is to lead which of its leases, by {@link ShardAssignment}. Confined to the event
 * loop. Rule: {@code safety.md#even-shards}.
 */
final class GroupEntry {

    /** A rolling start of many replicas is one rebalancing: no lease is moved for so long after a candidate has come. */
    static final Duration DAMPING = Duration.ofSeconds(2);

    /** Candidates that come one after the other put moves off for no longer than this. */
    static final Duration LONGEST_DAMPING = Duration.ofSeconds(10);

    /** The share of the leases that may move at a time. */
    private static final int MOVES_DENOMINATOR = 4;

    private final LeaseGroup group;
    private Map<Integer, String> assigned = Map.of();
    private Set<String> candidates = Set.of();

    /** The candidates that don't answer, or have let a lease expire, and haven't been heard of since. */
    private Set<String> silent = Set.of();

    /** Whether the number of shards is known to be in force. */
    private boolean inForce;

    /** When to ask again whether it is. */
    private long nextCheck = Decision.NEVER;

    private String problem = "";

    private boolean changed = true;
    private boolean settled = true;
    private long firstJoin;
    private long lastJoin;

    GroupEntry(LeaseGroup group) {
        this.group = group;
    }

    LeaseGroup group() {
        return group;
    }

    /** Whether the number of shards is known to be in force. */
    boolean inForce() {
        return inForce;
    }

    /** Notes why the number of shards isn't in force; empty if it is. */
    void checked(String why, long again) {
        inForce = why.isEmpty();
        problem = why;
        nextCheck = again;
    }

    /** Notes that the number of shards may no longer be in force. */
    void doubtNumber() {
        inForce = false;
        nextCheck = Decision.NEVER;
    }

    /** Returns when to find out again whether the number is in force; {@link Decision#NEVER} for now. */
    long nextCheck() {
        return nextCheck;
    }

    /** Returns why the number of shards isn't in force; empty if it is, or if that isn't known. */
    String problem() {
        return problem;
    }

    /** A candidate or a lease of the group has changed. */
    void changed() {
        changed = true;
    }

    /**
     * Assigns the leases anew, if anything has changed.
     *
     * @param due the lease that is being reconciled
     * @param records what is known of each lease, by the number of its shard; {@code null} if nothing is
     * @param isBalanced whether the leases' strategy is the one that spreads them
     * @return the shards that are assigned to another candidate than before
     */
    Set<Integer> assign(
            LeaseEntry due,
            List<@Nullable LeaseEntry> records,
            Predicate<LeaseEntry> isBalanced,
            Duration ackTimeout,
            Moment now) {
        boolean overdue = !settled && now.reached(settledAt());
        if (!changed && !overdue && silent.containsAll(silentIn(due, ackTimeout, now))) {
            return Set.of();
        }
        changed = false;
        Set<String> present = new TreeSet<>();
        Set<String> nowSilent = new HashSet<>();
        for (LeaseEntry record : records) {
            if (record != null) {
                record.candidates().alive(now).stream()
                        .filter(this::stands)
                        .forEach(candidate -> present.add(candidate.candidate().identity()));
                nowSilent.addAll(silentIn(record, ackTimeout, now));
            }
        }
        silent = nowSilent;
        present.removeAll(silent);
        noteJoins(present, now);
        List<Part> parts = new ArrayList<>();
        for (int shard = 0; shard < records.size(); shard++) {
            parts.add(part(shard, records.get(shard), isBalanced, now));
        }
        int mostMoving = settled ? Math.max(1, group.shards() / MOVES_DENOMINATOR) : 0;
        Map<Integer, String> before = assigned;
        assigned = ShardAssignment.of(candidates, parts, mostMoving);
        Set<Integer> reassigned = new TreeSet<>(before.keySet());
        reassigned.addAll(assigned.keySet());
        reassigned.removeIf(shard -> Objects.equals(before.get(shard), assigned.get(shard)));
        return reassigned;
    }

    private boolean stands(CandidateObservation candidate) {
        return group.equals(candidate.candidate().group()) && !candidate.doubtful();
    }

    private void noteJoins(Set<String> present, Moment now) {
        if (!candidates.containsAll(present)) {
            firstJoin = settled ? now.nanos() : firstJoin;
            lastJoin = now.nanos();
            settled = false;
        }
        candidates = present;
        settled |= now.reached(settledAt());
    }

    private long settledAt() {
        return Math.min(lastJoin + DAMPING.toNanos(), firstJoin + LONGEST_DAMPING.toNanos());
    }

    /** Returns when leases may move that may not yet; {@link Decision#NEVER} if they may. */
    long nextMoves() {
        return settled ? Decision.NEVER : settledAt();
    }

    private static Set<String> silentIn(LeaseEntry record, Duration ackTimeout, Moment now) {
        Set<String> silent = new HashSet<>();
        LeaseObservation observation = record.lease(now);
        Lease lease = observation.lease();
        for (CandidateObservation candidate : record.candidates().all()) {
            String identity = candidate.candidate().identity();
            boolean expired = lease != null
                    && lease.heldBy(identity)
                    && observation.free(now)
                    && !candidate.heardSince(observation.freeAt());
            if (expired || candidate.answer(now, ackTimeout) == Answer.SILENT) {
                silent.add(identity);
            }
        }
        return silent;
    }

    private Part part(int shard, @Nullable LeaseEntry record, Predicate<LeaseEntry> isBalanced, Moment now) {
        if (record == null) {
            return new Part(shard, null, false, false, Set.of());
        }
        LeaseObservation observation = record.lease(now);
        Lease lease = observation.lease();
        String holder = lease == null || observation.free(now) ? null : lease.holder();
        String preferred = lease != null && holder != null && lease.endOfTerm() ? lease.preferredHolder() : null;
        boolean moving = preferred != null && !preferred.equals(holder) && candidates.contains(preferred);
        Set<String> withdrawn = new HashSet<>(candidates);
        for (CandidateObservation candidate : record.candidates().all()) {
            withdrawn.remove(candidate.candidate().identity());
        }
        return new Part(shard, moving ? preferred : holder, moving, !isBalanced.test(record), withdrawn);
    }

    /** The candidate that is to lead a lease; empty if none can, or if it isn't for this group to say. */
    Optional<String> assignedTo(LeaseEntry record) {
        return group.indexOf(record.key()).stream()
                .mapToObj(assigned::get)
                .filter(Objects::nonNull)
                .findFirst();
    }

    /**
     * The strategy of one lease of the group: the candidate that it is assigned to is the better one; then the holder, so that no other candidate
     * is asked for in its place; then who leads fewest.
     */
    ElectionStrategy strategyFor(LeaseEntry record) {
        String first = assignedTo(record).orElse("");
        Lease lease = record.current();
        String holder = lease == null || lease.holder() == null ? "" : lease.holder();
        Map<String, Integer> load = new TreeMap<>();
        assigned.values().forEach(candidate -> load.merge(candidate, 1, Integer::sum));
        Comparator<Candidate> criteria = Comparator.comparingInt(candidate -> {
            String identity = candidate.identity();
            return identity.equals(first) ? -2 : identity.equals(holder) ? -1 : load.getOrDefault(identity, 0);
        });
        return new Balanced(criteria);
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

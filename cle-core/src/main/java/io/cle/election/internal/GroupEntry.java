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
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ShardAssignment.Part;
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
 * What a coordinator knows of one group: which candidate each of its leases is assigned to
 * ({@link ShardAssignment}). Confined to the event loop. Rule: {@code safety.md#even-shards}.
 */
final class GroupEntry {

    /**
     * How long no lease moves after a candidate has joined, so that the rolling start of many replicas is one rebalancing; and after one has withdrawn
     * from a lease, because a replica that stops withdraws from its leases one after the other, and would be given others in their place meanwhile.
     */
    static final Duration DAMPING = Duration.ofSeconds(2);

    /** The longest time for which changes that come one after the other delay moves. */
    static final Duration LONGEST_DAMPING = Duration.ofSeconds(10);

    private final LeaseGroup group;

    /** The candidates for the group's shards; unused if its leases have names of their own. */
    private final CandidateTable candidateTable = new CandidateTable();

    /** The leases of the group that have names of their own; empty if the leases are shards. */
    private final SortedSet<ObjectKey> named = new TreeSet<>();

    private Map<ObjectKey, String> assigned = Map.of();

    /** How many leases are assigned to each candidate. */
    private Map<String, Integer> load = Map.of();

    private Set<String> candidates = Set.of();

    /** The candidates that don't answer, or have let a lease expire, and haven't been heard of since. They keep only the leases that they renew. */
    private Set<String> silent = Set.of();

    /** When the first candidate that is held off from a lease may be assigned to it again; {@link Decision#NEVER} if none is. */
    private long heldOffUntil = Decision.NEVER;

    private boolean changed = true;
    private boolean settled = true;
    private long firstChange;
    private long lastChange;

    /** Who has withdrawn from which lease, although it is a candidate for others. */
    private Set<Withdrawal> withdrawals = Set.of();

    private record Withdrawal(int number, String candidate) {}

    GroupEntry(LeaseGroup group) {
        this.group = group;
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
     * @param isBalanced whether the leases' strategy is the one that spreads them
     * @return the leases that are assigned to another candidate than before
     */
    Set<ObjectKey> assign(
            LeaseEntry due,
            Function<ObjectKey, @Nullable LeaseEntry> known,
            Predicate<LeaseEntry> isBalanced,
            GroupMoves moves,
            Duration ackTimeout,
            Moment now) {
        boolean overdue = nextMoves() != Decision.NEVER && now.reached(nextMoves());
        boolean expired =
                due.lease(now).free(now) && silent.contains(assignedTo(due).orElse(""));
        if (!changed && !overdue && !expired && silent.containsAll(silentIn(due, ackTimeout, now))) {
            return Set.of();
        }
        changed = false;
        List<ObjectKey> leases = leases();
        List<@Nullable LeaseEntry> records = new ArrayList<>();
        leases.forEach(lease -> records.add(known.apply(lease)));
        Set<String> present = new TreeSet<>();
        Set<String> nowSilent = new HashSet<>();
        for (LeaseEntry record : records) {
            if (record != null) {
                record.candidates().alive(now).stream()
                        .filter(this::takesPart)
                        .forEach(candidate -> present.add(candidate.candidate().identity()));
                nowSilent.addAll(silentIn(record, ackTimeout, now));
            }
        }
        silent = nowSilent;
        Set<String> all = Set.copyOf(present);
        present.removeAll(silent);
        noteJoins(present, now);
        heldOffUntil = Decision.NEVER;
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < records.size(); i++) {
            parts.add(part(i, records.get(i), all, isBalanced, now));
        }
        noteWithdrawals(parts, now);
        Map<ObjectKey, String> before = assigned;
        assigned = new HashMap<>();
        ShardAssignment.of(group.label(), all, parts, settled ? moves.mostOf(leases.size()) : 0)
                .forEach((i, candidate) -> assigned.put(leases.get(i), candidate));
        load = new HashMap<>();
        assigned.values().forEach(candidate -> load.merge(candidate, 1, Integer::sum));
        Set<ObjectKey> reassigned = new TreeSet<>(before.keySet());
        reassigned.addAll(assigned.keySet());
        reassigned.removeIf(lease -> Objects.equals(before.get(lease), assigned.get(lease)));
        return reassigned;
    }

    private boolean takesPart(CandidateObservation candidate) {
        return group.equals(candidate.candidate().group()) && !candidate.doubtful();
    }

    private void noteJoins(Set<String> present, Moment now) {
        settled |= now.reached(settledAt());
        if (!candidates.containsAll(present)) {
            unsettle(now);
        }
        candidates = present;
    }

    private void noteWithdrawals(List<Part> parts, Moment now) {
        Set<Withdrawal> before = withdrawals;
        withdrawals = new HashSet<>();
        for (Part part : parts) {
            part.withdrawn().stream()
                    .filter(candidates::contains)
                    .forEach(candidate -> withdrawals.add(new Withdrawal(part.shard(), candidate)));
        }
        if (!before.containsAll(withdrawals)) {
            unsettle(now);
        }
    }

    private void unsettle(Moment now) {
        firstChange = settled ? now.nanos() : firstChange;
        lastChange = now.nanos();
        settled = false;
    }

    private long settledAt() {
        return Math.min(lastChange + DAMPING.toNanos(), firstChange + LONGEST_DAMPING.toNanos());
    }

    /** Returns when more leases may move than now, or to more candidates; {@link Decision#NEVER} if that isn't known. */
    long nextMoves() {
        return settled ? heldOffUntil : Math.min(settledAt(), heldOffUntil);
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

    private Part part(
            int number, @Nullable LeaseEntry record, Set<String> all, Predicate<LeaseEntry> isBalanced, Moment now) {
        if (record == null) {
            return new Part(number, null, false, false, Set.of());
        }
        LeaseObservation observation = record.lease(now);
        Lease lease = observation.lease();
        String holder = lease == null || observation.free(now) ? null : lease.holder();
        String preferred = lease != null && holder != null && lease.endOfTerm() ? lease.preferredHolder() : null;
        // A write in progress counts as if it had succeeded. Otherwise, a candidate would be given all leases that a
        // stopping replica releases one after the other.
        String successor = record.successor() == null ? preferred : record.successor();
        boolean given = successor != null && !successor.equals(holder) && candidates.contains(successor);
        Set<String> withdrawn = new HashSet<>(all);
        for (CandidateObservation candidate : record.candidates().all()) {
            withdrawn.remove(candidate.candidate().identity());
        }
        boolean begun = lease != null && !lease.granted();
        silent.stream().filter(candidate -> !begun || !candidate.equals(holder)).forEach(withdrawn::add);
        for (String candidate : record.holdOffs().failures().keySet()) {
            record.holdOffs().until(candidate, now).ifPresent(until -> {
                withdrawn.add(candidate);
                heldOffUntil = Math.min(heldOffUntil, until);
            });
        }
        boolean moving = given && holder != null;
        return new Part(number, given ? successor : holder, moving, !isBalanced.test(record), withdrawn);
    }

    /** Returns the candidate that a lease is assigned to; empty if no candidate can lead it, or if the lease has another strategy. */
    Optional<String> assignedTo(LeaseEntry record) {
        return Optional.ofNullable(assigned.get(record.key()));
    }

    /**
     * Returns the strategy of one lease of the group. It ranks the candidate that the lease is assigned to first; then the holder, so that the
     * holder isn't asked to yield to any other candidate; then the candidates that lead the fewest leases.
     */
    ElectionStrategy strategyFor(LeaseEntry record) {
        String first = assignedTo(record).orElse("");
        Lease lease = record.current();
        String holder = lease == null || lease.holder() == null ? "" : lease.holder();
        Map<String, Integer> leases = load;
        Comparator<Candidate> criteria = Comparator.comparingInt(candidate -> {
            String identity = candidate.identity();
            return identity.equals(first) ? -2 : identity.equals(holder) ? -1 : leases.getOrDefault(identity, 0);
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

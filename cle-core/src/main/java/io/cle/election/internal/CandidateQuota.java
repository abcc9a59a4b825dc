package io.cle.election.internal;

import java.time.Instant;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.function.Predicate;

import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * Decides which candidates of a namespace count if it has more of them than a coordinator keeps (safety.md#too-many-candidates): those
 * of holders, and the oldest ones. Pure.
 *
 * @param perNamespace how many candidates of one namespace count, at most; at least one
 */
public record CandidateQuota(int perNamespace) {

    /** As many as take a fifth of the heap that the manifests give a coordinator. */
    public static final CandidateQuota DEFAULT = new CandidateQuota(20_000);

    /** Refuses a number that would leave the candidates of every namespace out. */
    public CandidateQuota {
        if (perNamespace < 1) {
            throw new IllegalArgumentException("at least one candidate of a namespace has to count: " + perNamespace);
        }
    }

    /**
     * A candidate as far as it matters here; the oldest comes first.
     *
     * @param key its namespace and name
     * @param created when the API server created it; {@code null} if that isn't known, which is as if it were created last
     */
    public record Member(ObjectKey key, @Nullable Instant created) implements Comparable<Member> {

        private static final Comparator<Member> OLDEST_FIRST = Comparator.comparing(
                        Member::created, Comparator.nullsLast(Comparator.<Instant>naturalOrder()))
                .thenComparing(Member::key);

        @Override
        public int compareTo(Member other) {
            return OLDEST_FIRST.compare(this, other);
        }
    }

    /**
     * Chooses the candidate of a namespace that is dropped to make room for another: the newest one that holds no lease.
     *
     * @param counting those that count, without the newcomer
     * @param holds whether a candidate holds the lease that it names
     * @return the candidate to drop, perhaps the newcomer itself; empty if there is room, or if all of them are holders
     */
    public Optional<Member> surplus(NavigableSet<Member> counting, Member newcomer, Predicate<ObjectKey> holds) {
        if (counting.size() < perNamespace) {
            return Optional.empty();
        }
        boolean holder = holds.test(newcomer.key());
        // In a flood nearly all newcomers are the newest: nothing is searched for them.
        if (!holder && newcomer.compareTo(counting.last()) > 0) {
            return Optional.of(newcomer);
        }
        Optional<Member> newest = counting.descendingSet().stream()
                .filter(member -> !holds.test(member.key()))
                .findFirst();
        if (holder) {
            return newest;
        }
        return newest.filter(member -> newcomer.compareTo(member) < 0).or(() -> Optional.of(newcomer));
    }
}

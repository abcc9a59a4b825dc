package io.cle.test.simulation.internal.checker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.cle.test.simulation.internal.cluster.Contender;
import org.jspecify.annotations.Nullable;

/**
 * Restores of etcd from backups; each begins a new history. Two leaders cannot be prevented if the former history's leader still leads, because
 * the API server was away for less than a lease duration, and the other process can't know that. Either it never observed that term, and the
 * restored record doesn't show it; or it observed no version of the lease written after the backup, so the renewals that it missed are lost.
 */
final class Restores {

    private final long leaseDuration;

    /** The versions of all histories but the first. */
    private final Map<Long, Integer> histories = new HashMap<>();

    private final Map<Long, String> shownTerms;
    private final List<Restore> restores = new ArrayList<>();
    private final Set<List<Long>> excusedPairs = new HashSet<>();
    private int anomalies;

    /**
     * A restore.
     *
     * @param leases what the restored records show
     * @param awayFor how long the API server was away before, in nanoseconds
     * @param unaware the processes that had observed nothing of their lease that was written after the backup
     */
    private record Restore(Map<String, LeaseView> leases, long awayFor, Set<Contender> unaware) {}

    /**
     * No restores.
     *
     * @param leaseDuration the lease duration of all processes, in nanoseconds: if the API server was away for longer, no term of the former
     *     history is left
     * @param shownTerms the term that each version of a lease shows
     */
    Restores(long leaseDuration, Map<Long, String> shownTerms) {
        this.leaseDuration = leaseDuration;
        this.shownTerms = shownTerms;
    }

    /** How often two processes led because of a restore. */
    int anomalies() {
        return anomalies;
    }

    /** How many there were. */
    int count() {
        return restores.size();
    }

    /** Records a version of the current history. */
    void written(long version) {
        if (!restores.isEmpty()) {
            histories.put(version, restores.size());
        }
    }

    /** Records that a new history has begun. */
    void restored(Map<String, LeaseView> leases, long awayFor, Set<Contender> unaware) {
        restores.add(new Restore(leases, awayFor, unaware));
    }

    /** The number of the history in which a version was written; the first one is 0. */
    int historyOf(long version) {
        return histories.getOrDefault(version, 0);
    }

    /** Whether one version was written before another, in an earlier history or in the same one. */
    boolean before(long version, long later) {
        int one = historyOf(version);
        int other = historyOf(later);
        return one == other ? version < later : one < other;
    }

    /** Whether the later history's leader couldn't know the former history's term: its process had received no record of it when it began to lead. */
    boolean twoLeaders(
            Contender one, Contender other, ObservedVersions deliveredToOne, ObservedVersions deliveredToOther) {
        Contender older = before(one.token(), other.token()) ? one : other;
        Contender newer = older == one ? other : one;
        String term = shownTerms.get(older.token());
        boolean delivered = (newer == one ? deliveredToOne : deliveredToOther).hasTerm(term);
        boolean excused = excusedPairs.contains(List.of(older.token(), newer.token()))
                || restores.subList(historyOf(older.token()), historyOf(newer.token())).stream()
                        .filter(restore -> restore.awayFor < leaseDuration)
                        .anyMatch(restore -> restore.unaware.contains(newer)
                                || (!delivered
                                        && !shows(
                                                restore.leases.get(older.lease().toString()), term)));
        anomalies += excused && excusedPairs.add(List.of(older.token(), newer.token())) ? 1 : 0;
        return excused;
    }

    private static boolean shows(@Nullable LeaseView restored, @Nullable String term) {
        return restored != null && term != null && term.equals(restored.term());
    }
}

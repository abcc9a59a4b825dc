package io.cle.test.simulation.internal.checker;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.cle.test.simulation.internal.cluster.Contender;
import io.cle.test.simulation.scenario.Excuse;
import org.jspecify.annotations.Nullable;

/** Edits of administrators after which two leaders cannot be prevented, because no record shows a process the other's term. */
final class KnownAnomalies {

    /** An edit of a lease, and the resulting version. */
    private record Edit(String lease, long version) {}

    /** Deletions, and edits that remove a term's annotation or shorten the term in it. */
    private final List<Edit> unmarked = new ArrayList<>();

    /** Edits of the holder, including deletions. */
    private final List<Edit> edits = new ArrayList<>();

    /** Edits of the lease duration. */
    private final List<Edit> durationEdits = new ArrayList<>();

    /** The tokens of two terms that were excused, the older one first. */
    private final Set<List<Long>> excusedPairs = new HashSet<>();

    private final Map<Excuse, Integer> excuses = new EnumMap<>(Excuse.class);
    private final Map<Long, String> shownTerms;

    /**
     * No edits yet.
     *
     * @param shownTerms the term that each version of a lease shows
     */
    KnownAnomalies(Map<Long, String> shownTerms) {
        this.shownTerms = shownTerms;
    }

    /** How often two processes led because of such an edit. */
    int count() {
        return excuses.entrySet().stream()
                .filter(excused -> excused.getKey().ofTwoLeaders())
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    /** How often each was an excuse. */
    Map<Excuse, Integer> excuses() {
        return excuses;
    }

    /** Records that an administrator has deleted or edited a lease. */
    void edited(String lease, boolean deleted, @Nullable LeaseView before, LeaseView after) {
        Edit edit = new Edit(lease, after.version());
        boolean unmarks = before != null
                && before.term() != null
                && (!before.term().equals(after.term()) || after.termSeconds() < before.termSeconds());
        if (deleted || unmarks) {
            unmarked.add(edit);
        }
        if (deleted || (before != null && !Objects.equals(before.holder(), after.holder()))) {
            edits.add(edit);
        }
        if (before != null && !before.seconds().equals(after.seconds())) {
            durationEdits.add(edit);
        }
    }

    /** Two of client-go's electors lead. */
    void twoOfClientGo() {
        excused(Excuse.TWO_OF_CLIENT_GO);
    }

    /** Records an excuse for this run. */
    void notDemanded(Excuse excuse) {
        excused(excuse);
    }

    /**
     * Whether the older term could not be known to the newer leader. An administrator has deleted the lease of a running term, or removed its term
     * annotation, and no record of that term was ever delivered to the newer leader's process, or to that of a leader in between. Or an
     * administrator has edited a lease that is shared with client-go's electors, which acquire a lease without a holder at once, follow no edit
     * while they lead, and write the duration of their term nowhere but in the record.
     *
     * @param observedByOne what had been delivered when its term began; later deliveries come too late
     * @param observedByOther likewise
     */
    boolean twoLeaders(
            Contender one, Contender other, ObservedVersions observedByOne, ObservedVersions observedByOther) {
        Contender older = one.token() < other.token() ? one : other;
        Contender newer = older == one ? other : one;
        if (!excusedPairs.contains(List.of(older.token(), newer.token()))) {
            if (!excused(older, newer, newer == one ? observedByOne : observedByOther)) {
                return false;
            }
            excusedPairs.add(List.of(older.token(), newer.token()));
        }
        return true;
    }

    private boolean excused(Contender older, Contender newer, ObservedVersions observed) {
        if (!older.ours() || !newer.ours()) {
            boolean edited = between(edits, older, newer.token()) || between(durationEdits, older, newer.token());
            return edited && excused(Excuse.EDIT_SHARED_WITH_CLIENT_GO);
        }
        if (!between(unmarked, older, newer.token())) {
            return false;
        }
        boolean unknown = !observed.hasTerm(shownTerms.get(older.token()));
        return (unknown || followsOneThatDidNotKnow(older, newer)) && excused(Excuse.TERM_NEVER_DELIVERED);
    }

    /** Whether a leader in between, which couldn't know the older term either, has recorded the end of that term. */
    private boolean followsOneThatDidNotKnow(Contender older, Contender newer) {
        return excusedPairs.stream().anyMatch(pair -> pair.get(0) == older.token() && pair.get(1) < newer.token());
    }

    /**
     * Whether a term may begin with an older record than the last term's: the answer to the write that begins it arrives after the newer term has
     * begun, and that write had not been delivered to the newer leader's process by then.
     */
    boolean olderTerm(Contender older, long newer, ObservedVersions observedByNewer) {
        return !observedByNewer.has(older.token())
                && between(unmarked, older, newer)
                && excused(Excuse.OLDER_TERM_NEVER_DELIVERED);
    }

    /** Whether the older term's lease was so edited before the newer term began. */
    private static boolean between(List<Edit> edits, Contender older, long newer) {
        String lease = older.lease().toString();
        return edits.stream()
                .anyMatch(
                        edit -> edit.lease().equals(lease) && older.token() < edit.version() && edit.version() < newer);
    }

    private boolean excused(Excuse excuse) {
        excuses.merge(excuse, 1, Integer::sum);
        return true;
    }
}

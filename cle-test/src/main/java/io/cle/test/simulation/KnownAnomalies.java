package io.cle.test.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/** Edits of administrators after which two leaders cannot be prevented, because no record tells a process of the other's term. */
final class KnownAnomalies {

    /** Versions of deletions, and of edits that remove a term annotation. */
    private final List<Long> unmarkedVersions = new ArrayList<>();

    /** Versions of edits of the holder, deletions among them. */
    private final List<Long> edits = new ArrayList<>();

    /** Versions of edits of the lease duration. */
    private final List<Long> durationEdits = new ArrayList<>();

    /** Versions of grants by coordinators. */
    private final List<Long> grants = new ArrayList<>();

    private int count;

    /** How often two processes led because of such an edit. */
    int count() {
        return count;
    }

    /** Records that an administrator has deleted or edited a lease. */
    void edited(boolean deleted, @Nullable LeaseView before, LeaseView after) {
        if (deleted || (before != null && before.term() != null && after.term() == null)) {
            unmarkedVersions.add(Long.valueOf(after.version()));
        }
        if (deleted || (before != null && !Objects.equals(before.holder(), after.holder()))) {
            edits.add(Long.valueOf(after.version()));
        }
        if (before != null && !before.seconds().equals(after.seconds())) {
            durationEdits.add(Long.valueOf(after.version()));
        }
    }

    /** Records that a coordinator has written a lease. */
    void coordinated(@Nullable LeaseView before, LeaseView after) {
        if (after.holder() != null && (before == null || !after.holder().equals(before.holder()))) {
            grants.add(Long.valueOf(after.version()));
        }
    }

    /**
     * Whether the older term could not be known to the newer leader. An administrator has deleted the lease of a running term, or removed
     * its term annotation, and the newer leader has never observed that term; or it has not observed the edit of the holder, and a
     * coordinator that has not observed the term grants it the lease. Or an administrator has edited a lease that is shared with client-go's
     * electors, which acquire a lease without a holder at once, follow no edit while they lead, and write the duration of their term
     * nowhere but in the record.
     */
    boolean twoLeaders(
            Contender one, Contender other, ObservedVersions observedByOne, ObservedVersions observedByOther) {
        Contender older = one.token() < other.token() ? one : other;
        Contender newer = older == one ? other : one;
        if (!one.ours() || !other.ours()) {
            return counted(between(edits, older.token(), newer.token())
                    || between(durationEdits, older.token(), newer.token()));
        }
        boolean unseen = !newer.seenTerms.contains(older.token())
                || grantedUnobserved(older.token(), newer.token(), newer == one ? observedByOne : observedByOther);
        return counted(unseen && between(unmarkedVersions, older.token(), newer.token()));
    }

    private boolean grantedUnobserved(long older, long newer, ObservedVersions observed) {
        return edits.stream()
                .anyMatch(edited ->
                        older < edited && !observed.has(Long.toString(edited)) && between(grants, edited, newer));
    }

    /**
     * Whether a term may begin by an older record than that of the last one: the answer to the write that begins it is delayed until the
     * newer term has begun, and the newer leader has never observed what that write has stored.
     */
    boolean olderTerm(long older, long newer, ObservedVersions observedByNewer) {
        return counted(!observedByNewer.has(Long.toString(older)) && between(unmarkedVersions, older, newer));
    }

    private static boolean between(List<Long> versions, long older, long newer) {
        return versions.stream().anyMatch(version -> older < version && version < newer);
    }

    private boolean counted(boolean yes) {
        count += yes ? 1 : 0;
        return yes;
    }
}

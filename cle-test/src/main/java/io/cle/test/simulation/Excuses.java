package io.cle.test.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/** What administrators have done to leases, and what can't be promised for that. */
final class Excuses {

    /** Deletions of leases, and edits that take the mark of a term off. */
    private final List<Long> unmarkings = new ArrayList<>();

    /** Edits of the holder, deletions among them. */
    private final List<Long> edits = new ArrayList<>();

    /** What coordinators have granted. */
    private final List<Long> grants = new ArrayList<>();

    private int count;

    /** How often there was an excuse. */
    int count() {
        return count;
    }

    /** An administrator has deleted or changed a lease. */
    void edited(boolean deleted, @Nullable LeaseView before, LeaseView after) {
        if (deleted || (before != null && before.mark() != null && after.mark() == null)) {
            unmarkings.add(Long.valueOf(after.version()));
        }
        if (deleted || (before != null && !Objects.equals(before.holder(), after.holder()))) {
            edits.add(Long.valueOf(after.version()));
        }
    }

    /** A coordinator has changed a lease. */
    void coordinated(@Nullable LeaseView before, LeaseView after) {
        if (after.holder() != null && (before == null || !after.holder().equals(before.holder()))) {
            grants.add(Long.valueOf(after.version()));
        }
    }

    /**
     * Whether two may lead. An administrator has deleted the lease of a running term, or has taken the term's mark off it, and nothing
     * tells of it any more to one who has never seen that term; nor to one who has missed what was done to the holder then, and is
     * granted the lease by a coordinator that hasn't seen the term. Or an administrator has edited a lease that is shared with electors of
     * client-go, which take a lease that names nobody at once, and heed no edit while they lead.
     */
    boolean twoLeaders(Contender one, Contender other, Heard heardByOne, Heard heardByOther) {
        Contender older = one.token() < other.token() ? one : other;
        Contender newer = older == one ? other : one;
        if (!one.ours() || !other.ours()) {
            return counted(between(edits, older.token(), newer.token()));
        }
        boolean unseen = !newer.seenTerms.contains(older.token())
                || grantedUnheard(older.token(), newer.token(), newer == one ? heardByOne : heardByOther);
        return counted(unseen && between(unmarkings, older.token(), newer.token()));
    }

    private boolean grantedUnheard(long older, long newer, Heard heard) {
        return edits.stream()
                .anyMatch(edited ->
                        older < edited && !heard.has(Long.toString(edited)) && between(grants, edited, newer));
    }

    /**
     * Whether a term may begin by an older record than the last one: where the answer to the write that begins it is on its way for so
     * long that the newer one begins first, whose leader has never read what that write has left.
     */
    boolean olderTerm(long older, long newer, Heard heardByNewer) {
        return counted(!heardByNewer.has(Long.toString(older)) && between(unmarkings, older, newer));
    }

    private static boolean between(List<Long> versions, long older, long newer) {
        return versions.stream().anyMatch(version -> older < version && version < newer);
    }

    private boolean counted(boolean yes) {
        count += yes ? 1 : 0;
        return yes;
    }
}

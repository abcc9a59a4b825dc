package io.cle.test.exploration;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.cle.test.exploration.Move.Edit;
import io.cle.test.exploration.Move.Kind;

/**
 * A family of faults, by which explorations of many faults are divided. A history with two faults has faults of at most two families:
 * explorations of all pairs of families, including each with itself, together cover all such histories; those of all triples, all with three.
 */
enum Family {
    LOSSES(Kind.LOSE),
    DELAYS(Kind.DELAY),
    SILENCES(Kind.SILENCE),
    BROKEN_WATCHES(Kind.BREAK_WATCH),
    PAUSES(Kind.PAUSE),
    CRASHES(Kind.CRASH),
    /** Work that is slow to stop, and resignations, which make it stop. */
    ENDS_OF_TERMS(Kind.SLOW_WORK, Kind.RESIGN),
    HOLDERS(Edit.CLEAR_HOLDER, Edit.NAME_A, Edit.NAME_B, Edit.NAME_C, Edit.NAME_GHOST),
    RECORDS(Edit.REMOVE_TERM_ANNOTATION, Edit.REMOVE_ALL_ANNOTATIONS, Edit.DELETE),
    DURATIONS(Edit.SHORTEN_DURATION, Edit.LENGTHEN_DURATION, Edit.SET_LONGEST_DURATION, Edit.CORRECT_DURATION),
    /** An administrator's requests to a coordinator or a holder. */
    REQUESTS(Edit.ASK_TO_YIELD_TO_A, Edit.ASK_TO_YIELD_TO_B, Edit.ASK_TO_YIELD_TO_GHOST, Edit.SET_NO_COORDINATION),
    FIELDS(Edit.REMOVE_ACQUIRE_TIME, Edit.REMOVE_RENEW_TIME, Edit.REMOVE_SPEC, Edit.END_CLAIMS_OF_OLD),
    TERM_ANNOTATIONS(Edit.SHORTEN_TERM, Edit.LINE_IN_TERM),
    BARE_OBJECTS(Edit.REPLACE_BY_BARE, Edit.RECREATE_BARE),
    EARLIER_TERMS(Edit.PUT_BACK_TERM, Edit.RECREATE_TERM),
    EARLIER_RELEASES(Edit.PUT_BACK_RELEASE, Edit.PUT_BACK_GRANT, Edit.RECREATE_RELEASE, Edit.RECREATE_GRANT);

    private final Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    private final Set<Edit> edits = EnumSet.noneOf(Edit.class);

    Family(Kind... kinds) {
        this.kinds.addAll(List.of(kinds));
    }

    Family(Edit... edits) {
        this.edits.addAll(List.of(edits));
    }

    Set<Kind> kinds() {
        return kinds;
    }

    Set<Edit> edits() {
        return edits;
    }

    /** All combinations of this many families, with repetition. */
    static List<List<Family>> choices(int count, List<Family> all) {
        List<List<Family>> choices = List.of(List.of());
        for (int i = 0; i < count; i++) {
            List<List<Family>> longer = new ArrayList<>();
            for (List<Family> choice : choices) {
                int first = choice.isEmpty() ? 0 : all.indexOf(choice.get(choice.size() - 1));
                for (Family next : all.subList(first, all.size())) {
                    longer.add(World.with(choice, next));
                }
            }
            choices = longer;
        }
        return choices;
    }
}

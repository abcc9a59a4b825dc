package io.cle.test.exploration;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * The result of a setting's explorations, which are divided by {@link Family} because each fits into memory and the whole doesn't.
 *
 * @param parts how many explorations there were
 * @param states of all of them; states with few faults are in several
 * @param largest the most states of one of them
 * @param complete whether each was complete
 * @param longestWait the most ticks without faults until there was a leader
 * @param violation what was violated, with its shortest history; {@code null} if nothing was
 */
record Division(
        String setting,
        int parts,
        long states,
        int largest,
        long transitions,
        boolean complete,
        int longestWait,
        @Nullable String violation) {

    /**
     * Explores all parts of a setting, or until one violates a guarantee.
     *
     * @param mostStates after how many states each part ends, complete or not
     */
    static Division explore(Setting setting, int mostStates) {
        int parts = 0;
        long states = 0;
        int largest = 0;
        long transitions = 0;
        boolean complete = true;
        int longestWait = 0;
        String violation = null;
        for (Setting part : setting.byFamilies()) {
            Explorer.Result result = Explorer.explore(part, mostStates);
            parts++;
            states += result.states();
            largest = Math.max(largest, result.states());
            transitions += result.transitions();
            complete &= result.complete();
            longestWait = Math.max(longestWait, result.longestWait());
            if (result.violation() != null) {
                violation = result.toString();
                break;
            }
        }
        return new Division(setting.toString(), parts, states, largest, transitions, complete, longestWait, violation);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s, in %d parts: %,d states, %,d at most in one, %,d transitions, %s; the goal within %d ticks from each%s",
                setting,
                parts,
                states,
                largest,
                transitions,
                complete ? "complete" : "NOT complete",
                longestWait,
                violation == null ? "" : "; VIOLATED: " + violation);
    }
}

package io.cle.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;

/**
 * Checks the history of a database, however it is fenced: no write of an earlier term becomes visible after a later
 * term has read or written.
 */
final class WriteOrder {

    /** An event of the history, which is in order. */
    sealed interface Event {
        long term();
    }

    /** A transaction of a term has read. */
    record Read(long term) implements Event {}

    /** A row of a term has become visible to other transactions. */
    record Visible(long term) implements Event {}

    private WriteOrder() {}

    static List<String> violations(List<Event> history) {
        List<String> violations = new ArrayList<>();
        long latest = Long.MIN_VALUE;
        for (Event event : history) {
            if (event instanceof Visible && event.term() < latest) {
                violations.add("a write of term " + event.term() + " after term " + latest + " in " + history);
            }
            latest = Math.max(latest, event.term());
        }
        return violations;
    }
}

package io.cle.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;

/**
 * Checks what happened to a database, without knowing how it was fenced: no write of a former term becomes visible after a later term has
 * read or written.
 */
final class WriteOrder {

    /** Something that happened, in this order. */
    sealed interface Event {
        long term();
    }

    /** Work of a term has read in a transaction. */
    record Read(long term) implements Event {}

    /** A row of a term has become visible to others. */
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

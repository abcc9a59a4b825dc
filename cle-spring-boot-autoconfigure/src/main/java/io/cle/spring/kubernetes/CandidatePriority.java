package io.cle.spring.kubernetes;

import org.jspecify.annotations.Nullable;

/**
 * Supplies the priority that this process announces to a coordinator, for the strategy {@code HighestPriority} (KEP-2835), instead of
 * {@code cle.candidate.priority}. A bean of this type is called for each lease when the lock is created and every
 * {@code cle.candidate.priority-interval} after that, on a thread that may block. A new priority is announced when the bean has returned it
 * twice in a row, so that a short peak doesn't move the leadership.
 */
@FunctionalInterface
public interface CandidatePriority {

    /**
     * Returns the priority.
     *
     * @param lease the name of the lease in this application
     * @return the higher the better; {@code null} for none, which ranks last
     */
    @Nullable
    Integer of(String lease);
}

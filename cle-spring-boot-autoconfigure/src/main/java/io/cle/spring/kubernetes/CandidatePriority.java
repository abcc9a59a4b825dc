package io.cle.spring.kubernetes;

import org.jspecify.annotations.Nullable;

/**
 * Supplies the priority that this process announces to a coordinator, for the strategy {@code HighestPriority} (KEP-2835), instead of
 * {@code cle.candidate.priority}. A bean of this type is asked for each lease when its lock is made, and every
 * {@code cle.candidate.priority-interval} from then on, on a thread that may block. A priority that has changed is announced when the bean has said
 * it twice in a row, so that a short peak doesn't move the leadership.
 */
@FunctionalInterface
public interface CandidatePriority {

    /**
     * The priority.
     *
     * @param lease what the lease is called in this application
     * @return the higher the better; {@code null} for none, which ranks last
     */
    @Nullable
    Integer of(String lease);
}

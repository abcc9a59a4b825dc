package io.cle;

/**
 * Decides whether a candidate may take over from a holder although the lock hasn't expired (KEP-2835). Must be quick, pure and
 * thread-safe, and must be a strict order: never both ways round, and without cycles.
 */
@FunctionalInterface
public interface KeyComparison {

    /**
     * Whether our key takes precedence over the holder's.
     *
     * @param ourKey this candidate's key; may be empty
     * @param holderKey the holder's key; empty when it has recorded none
     */
    boolean takesPrecedence(String ourKey, String holderKey);
}

package io.cle.spring.kubernetes;

/**
 * Supplies this process's key for prioritized election on direct locks (KEP-2835) if {@code cle.candidate.key} isn't set. A bean of this
 * type is called once per lease, when the lock is created.
 */
@FunctionalInterface
public interface CandidateKey {

    /**
     * Returns the key.
     *
     * @param lease the name of the lease in this application
     * @return at most 256 characters; empty to take precedence over no holder
     */
    String of(String lease);
}

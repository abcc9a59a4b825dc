package io.cle.spring.kubernetes;

/**
 * Supplies this process's key for prioritized election on direct locks (KEP-2835), where {@code cle.candidate.key} doesn't say it. A
 * bean of this type is asked once for each lease, when its lock is made.
 */
@FunctionalInterface
public interface CandidateKey {

    /**
     * The key.
     *
     * @param lease what the lease is called in this application
     * @return at most 256 characters; empty to take precedence over no holder
     */
    String of(String lease);
}

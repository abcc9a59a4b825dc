package io.cle;

/** Work that runs while a process leads; see {@link LeaderElection#runWhileLeader}. */
@FunctionalInterface
public interface LeaderAction {

    /**
     * Does the work. Should return soon after its thread is interrupted, because the lease is released only then.
     *
     * @param term the running term, with the fencing token for everything that is written outside
     * @throws Exception is logged; the work runs again in the next term
     */
    void run(Term term) throws Exception;
}

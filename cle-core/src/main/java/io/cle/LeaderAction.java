package io.cle;

/** Work that runs while a process leads; see {@link LeaderElection#runWhileLeader}. */
@FunctionalInterface
public interface LeaderAction {

    /**
     * Performs the work. Should return soon after its thread is interrupted, because the lease is not released before.
     *
     * @param term the current term, whose fencing token belongs on every write to another system
     * @throws Exception if the work fails; the exception is logged, and the work runs again in the next term
     */
    void run(Term term) throws Exception;
}

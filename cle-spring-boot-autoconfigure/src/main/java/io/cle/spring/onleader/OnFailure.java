package io.cle.spring.onleader;

/** What the leader does when {@link OnLeader} work ends with an exception while its term lasts. */
public enum OnFailure {

    /**
     * Runs it again in the same term, after a delay that doubles from {@code cle.on-leader.retry-delay} to
     * {@code cle.on-leader.max-retry-delay}. A guarded method is run again by its own trigger, as if it had no guard.
     */
    RETRY,

    /**
     * Resigns, so that another replica tries. This process stays out of elections for one lease duration; it leads again only if no
     * other candidate has been elected meanwhile.
     */
    RESIGN,

    /** Keeps leading without the work until the next term. Until then health and endpoint show the work as failed. */
    KEEP
}

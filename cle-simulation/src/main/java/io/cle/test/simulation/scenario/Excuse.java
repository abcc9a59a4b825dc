package io.cle.test.simulation.scenario;

/**
 * Why the checker accepts what it would otherwise report. It decides by what the network delivered and the API server stored, never by what the
 * code under test claims to have observed. A run in which more seeds are excused than {@link #mostOf} allows proves too little and fails.
 */
public enum Excuse {
    /**
     * Two led: an administrator deleted the lease of a running term, or removed its term annotation, and no record of that term was
     * ever delivered to the process of the newer leader.
     */
    TERM_NEVER_DELIVERED(0.04),

    /** A term began with a record older than the last term's: the lease was deleted or edited as above before the answer came. */
    OLDER_TERM_NEVER_DELIVERED(0.01),

    /** Two led, one of them client-go's elector: an administrator edited the holder or the duration of a lease that is shared with it. */
    EDIT_SHARED_WITH_CLIENT_GO(0.05),

    /**
     * Two led: etcd was restored from a backup while the API server was away for less than a lease duration, and nothing of the former
     * leader's term was delivered to the newer leader's process or is in the restored record.
     */
    RESTORED_FROM_BACKUP(0.1),

    /** Both leaders were client-go's electors. */
    TWO_OF_CLIENT_GO(0.05),

    /** No leader is demanded at the end, because kube-apiserver elects by wall clocks and those are skewed. */
    KUBE_APISERVER_WITH_SKEWED_CLOCKS(0.5),

    /** A leader is demanded at the end, but not the best one: both formats are served, and processes keep the one that they began with. */
    MIXED_FORMATS(0.65);

    private final double most;

    Excuse(double most) {
        this.most = most;
    }

    /** Whether two processes of which one is ours led at one instant, or a token did not grow. */
    public boolean ofTwoLeaders() {
        return this == TERM_NEVER_DELIVERED || this == OLDER_TERM_NEVER_DELIVERED || this == EDIT_SHARED_WITH_CLIENT_GO;
    }

    /** The most seeds of a run that this may excuse: at least three, because few seeds prove little anyway. */
    public int mostOf(int seeds) {
        return Math.max(3, (int) Math.ceil(most * seeds));
    }
}

package io.cle.spring.actuate.internal;

/**
 * The meters of leader election. All have the tags {@code lease_namespace}: the namespace of the Lease, and {@code identity}: that of this
 * process as a candidate. All but the first have the tag {@code lease}: the name of the lease in this application. None has a tag that
 * Prometheus' service discovery sets, such as {@code namespace}.
 */
public enum CleMeter {
    /** client-go's gauge: 1 while this process leads, else 0. Tag {@code name}: the name of the lease. */
    MASTER_STATUS("leader.election.master.status", "Whether this process leads the lease (1) or not (0)"),
    /** Gauge: how many shards the lease has. Only for a lease that is led in parts, as is the next one; it has no {@link #MASTER_STATUS}. */
    SHARDS("cle.shards", "How many shards the lease has"),
    /** Gauge: how many shards of the lease this process leads. */
    SHARDS_HELD("cle.shards.held", "How many shards of the lease this process leads"),
    /** Counter: terms that have begun in this process. */
    TERMS("cle.terms", "Terms that have begun in this process"),
    /** Counter: terms that have ended in this process. Tag {@code reason}: why, as in {@link io.cle.RevokeReason}. */
    REVOCATIONS("cle.revocations", "Terms that have ended in this process"),
    /** Gauge: how often the holder has changed, as counted on the lease. */
    TRANSITIONS("cle.transitions", "Changes of the holder, as counted on the lease"),
    /** Gauge, seconds: how long this process may still lead without another renewal; 0 when it doesn't lead. */
    VALIDITY("cle.validity", "Time for which this process may still lead without another renewal"),
    /** Timer: renewals that have succeeded, from sending to answer. */
    RENEWALS("cle.renewals", "Renewals of the lease that have succeeded, from sending to answer"),
    /** Counter: renewals that have failed, or whose outcome is unknown. */
    RENEWAL_FAILURES("cle.renewal.failures", "Renewals of the lease that have failed, or whose outcome is unknown"),
    /** Timer: from the end of a term until its work has ended. */
    DRAINS("cle.drains", "From the end of a term until its work has ended"),
    /** Timer: from the end of a term until the lease was handed over or released. */
    HAND_OVERS("cle.handovers", "From the end of a term until the lease was handed over or released"),
    /** Counter: changes of the holder that this process has seen. */
    LEADER_CHANGES("cle.leader.changes", "Changes of the holder that this process has seen"),
    /** Gauge: 0 while this process is a candidate and can't use the API server, else 1. */
    CONTACT("cle.api.contact", "Whether the API server answers, as far as it is asked (1), or not (0)"),
    /** Gauge: 1 while this process leads a coordinated lease that it has raced for, because no coordinator has elected it, else 0. */
    UNCOORDINATED(
            "cle.uncoordinated",
            "Whether this process leads a lease that no coordinator has elected it for (1) or not (0)"),
    /** Counter: events of leadership that a listener has failed on. */
    LISTENER_FAILURES("cle.listener.failures", "Events of leadership that a listener has failed on"),
    /** Counter: failures of led work. Tag {@code work}: the bean and its method. */
    WORK_FAILURES("cle.work.failures", "Failures of led work while its term lasted"),
    /**
     * Counter: runs of led work that continued after their term, when another process may have led. Tag {@code work}: the bean and its
     * method.
     */
    WORK_OVERLAPS("cle.work.overlaps", "Runs of led work that went on when another process may have led");

    private final String id;
    private final String description;

    CleMeter(String id, String description) {
        this.id = id;
        this.description = description;
    }

    /** Returns the meter's name. */
    public String id() {
        return id;
    }

    /** Returns what the meter counts or measures. */
    public String description() {
        return description;
    }
}

package io.cle.kubernetes.internal.codec;

/** The names of labels and annotations. */
public final class WireNames {

    /** Label of leases: coordinators watch the lease. */
    public static final String MANAGED = "coordination.cle.io/managed";

    /** Label of leases that are shards: {@code <name>-<number of shards>}. A replica watches all of them with one selector. */
    public static final String GROUP = "coordination.cle.io/group";

    /** Kubernetes' recommended labels: the application that an object belongs to, and the tool that created it. */
    public static final String APPLICATION = "app.kubernetes.io/name";

    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    /** The value of {@link #MANAGED_BY} on Leases that this project has created. */
    public static final String PROJECT = "coordinated-leader-election";

    /** Annotation of leases: who elected the holder (KEP-4355). */
    static final String ELECTED_BY = "coordination.k8s.io/elected-by";

    /** Annotation of leases: the strategy (KEP-4355; a field in the native format). */
    static final String STRATEGY = "coordination.k8s.io/strategy";

    /** Annotation of leases: the holder is asked to yield (KEP-4355; derived in the native format). */
    static final String END_OF_TERM = "coordination.k8s.io/end-of-term";

    /** Annotation of leases: the candidate that the holder is asked to yield to (KEP-4355; a field in the native format). */
    static final String PREFERRED_HOLDER = "coordination.k8s.io/preferred-holder";

    /** Annotation of leases: the strategy that a coordinator has recorded. */
    static final String RECORDED_STRATEGY = "coordination.cle.io/recorded-strategy";

    /**
     * Annotation of leases: the uid of the holder's pod, and its container if the holder has named it: {@code <uid>/<holder>} or
     * {@code <uid>/<container>/<holder>}. Ignored if another writer has changed the holder but not the annotation.
     */
    static final String HOLDER_POD = "coordination.cle.io/holder-pod";

    /** Annotation of closed leases: the version of the Lease named like their key at which they were closed. */
    static final String RETIRED_BY = "coordination.cle.io/retired-by";

    /** Annotation of leases: the term annotation, as a JSON object. */
    static final String TERM = "coordination.cle.io/term";

    /** Annotation of leases: KEP-2835's key of the holder; a record in an Endpoints or ConfigMap object has a field for it. */
    static final String HOLDER_KEY = "coordination.cle.io/holder-key";

    /** Annotation of leases: KEP-2835's key of the preferred holder. */
    static final String PREFERRED_KEY = "coordination.cle.io/preferred-key";

    /** Annotation of candidates: the time of a ping that is not yet acknowledged (KEP-4355). */
    static final String PENDING_ACK = "coordination.k8s.io/pending-ack";

    /** Annotation of candidates: the container of the owning pod that the process runs in. */
    static final String CONTAINER = "coordination.cle.io/container";

    /** Annotation of native candidates, which have no field for it: the integer that HighestPriority compares. */
    static final String PRIORITY = "coordination.cle.io/priority";

    /** Label of candidates: the version of the program. */
    static final String BINARY_VERSION = "binary-version";

    /** Label of candidates: the version that the program is compatible with. */
    static final String COMPATIBILITY_VERSION = "compatibility-version";

    private WireNames() {}
}

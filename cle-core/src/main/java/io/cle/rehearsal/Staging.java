package io.cle.rehearsal;

import io.cle.api.ApiFormat;
import io.cle.api.CandidateStore;
import io.cle.api.LeaseStore;
import io.cle.kubernetes.KubernetesApis;
import io.cle.kubernetes.KubernetesTransport;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.EventLoop;

/**
 * What an application has around its locks: stores of its own, and listeners. It is rehearsed with them. Called on the thread of the
 * rehearsal; whatever it makes is used there only, and forgotten.
 */
public interface Staging {

    /**
     * What takes the place of a cluster.
     *
     * @param transport leads to objects in memory
     * @param loop runs on the thread of the rehearsal
     * @param apis the stores that locks have where nothing is around them
     */
    record Stage(KubernetesTransport transport, EventLoop loop, KubernetesApis apis) {}

    /** The leases that the locks lead by. */
    default LeaseStore leases(Stage stage) {
        return stage.apis().leases(ApiFormat.CRD);
    }

    /** The candidates that the locks announce. */
    default CandidateStore candidates(Stage stage) {
        return stage.apis().candidates(ApiFormat.CRD);
    }

    /** Adds the listeners that it has to a lock before that one stands. */
    default void customize(String name, CoordinatedLeaseLock lock) {}
}

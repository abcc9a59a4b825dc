package io.cle.election.internal;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.cle.model.Lease;
import io.cle.model.PodState;

/** Whether a silent holder is known to be dead, so that nobody has to wait for the lease to expire (safety.md#terminated-holder). */
public final class Death {

    private Death() {}

    /**
     * Why the holder is known to be dead; empty when it may be alive. The pod's times and the holder's are of the same node's
     * clock, so that they can be compared; the pod's are in whole seconds.
     *
     * @param lease the lease, with the time at which its holder acquired it
     */
    public static String of(Lease lease, PodState pod) {
        if (pod instanceof PodState.Missing) {
            return "the pod of " + lease.holder() + " is gone";
        }
        if (pod instanceof PodState.Finished finished) {
            return "the pod of " + lease.holder() + " has finished (" + finished.phase() + ")";
        }
        if (!(pod instanceof PodState.Present present)) {
            return "";
        }
        if (present.runningSince().isEmpty()) {
            return "no container runs in the pod of " + lease.holder();
        }
        Instant acquired = lease.acquireTime();
        boolean restarted = lease.confirmed()
                && acquired != null
                && present.runningSince()
                        .get()
                        .isAfter(acquired.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1));
        return restarted ? "the container of " + lease.holder() + " has started again since it acquired the lease" : "";
    }
}

package io.cle.coordinator.control;

import java.util.concurrent.CompletionStage;

import io.cle.lock.RevokeReason;
import io.cle.lock.Term;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.LeadershipListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets one replica coordinate: the one that leads by a plain Lease (coordinator's rule 8). */
public final class ReplicaElection implements LeadershipListener {

    private static final Logger log = LoggerFactory.getLogger(ReplicaElection.class);

    private final Coordination coordination;

    private ReplicaElection(Coordination coordination) {
        this.coordination = coordination;
    }

    /** Lets a lock decide when to coordinate. */
    public static void decide(CoordinatedLeaseLock lock, Coordination coordination) {
        lock.addListener(new ReplicaElection(coordination));
    }

    @Override
    public void onGranted(Term term) {
        log.info("this replica coordinates from now on");
        coordination.lead();
    }

    @Override
    public void onRevoked(Term term, RevokeReason reason) {
        log.info("this replica coordinates no more ({}), and goes on observing", reason);
        coordination.pause();
    }

    @Override
    @SuppressWarnings("NullAway") // a stage of nothing
    public CompletionStage<Void> drained(Term term) {
        return coordination.idle();
    }
}

package io.cle.test.simulation.internal.cluster;

import java.util.function.Consumer;

import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.election.internal.Coordinator;
import io.cle.election.internal.CoordinatorReplica;
import io.cle.election.internal.api.CoordinatorClient;
import io.cle.loop.internal.EventLoop;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.internal.server.SimulatedTransport;

/** A coordinator's process: the loop and the replica election that ship, and a way to make it coordinate when it must not. */
public final class CoordinatorProcess implements SimulatedCluster.Running {

    private final String name;
    private final CandidateProcess replica;
    private final Coordinator loop;
    private final CoordinatorReplica election;
    private final SimulatedTransport transport;
    private boolean usurps;

    CoordinatorProcess(
            String name, CandidateProcess replica, Coordinator loop, SimulatedTransport transport, EventLoop timers) {
        this.name = name;
        this.transport = transport;
        this.replica = replica;
        this.loop = loop;
        this.election = new CoordinatorReplica(loop, replica.lock(), timers);
        replica.lock().addListener(new LeadershipListener() {
            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                if (usurps) {
                    loop.coordinate();
                }
            }
        });
    }

    /** The name under which it is started again. */
    public String name() {
        return name;
    }

    @Override
    public SimulatedTransport transport() {
        return transport;
    }

    @Override
    public VirtualProcess process() {
        return replica.process();
    }

    CandidateProcess replica() {
        return replica;
    }

    /**
     * Joins the election of the replicas once it is synced.
     *
     * @param clients receives the consumer to which each new client is passed
     */
    void start(Consumer<Consumer<CoordinatorClient>> clients) {
        clients.accept(loop::use);
        election.start();
    }

    /** Coordinates from now on, although another replica may be elected to. */
    public void usurp() {
        usurps = true;
        process().run(loop::coordinate);
    }

    /** Coordinates from now on only when it is elected to. */
    public void obey() {
        usurps = false;
        process().run(() -> {
            if (!replica.leads()) {
                loop.pause();
            }
        });
    }
}

package io.cle.test.simulation;

import io.cle.lock.RevokeReason;
import io.cle.lock.Term;
import io.cle.runtime.CoordinatorLoop;
import io.cle.runtime.LeadershipListener;

/** A coordinator that coordinates while it holds the replicas' own lease, or while it believes that it does. */
final class CoordinatorProcess {

    private final String name;
    private final CandidateProcess replica;
    private final CoordinatorLoop loop;
    private final SimulatedTransport transport;
    private boolean usurps;

    CoordinatorProcess(String name, CandidateProcess replica, CoordinatorLoop loop, SimulatedTransport transport) {
        this.name = name;
        this.transport = transport;
        this.replica = replica;
        this.loop = loop;
        replica.lock().addListener(new LeadershipListener() {
            @Override
            public void onGranted(Term term) {
                loop.start();
            }

            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                if (!usurps) {
                    loop.pause();
                }
            }
        });
    }

    String name() {
        return name;
    }

    SimulatedTransport transport() {
        return transport;
    }

    VirtualProcess process() {
        return replica.process();
    }

    CandidateProcess replica() {
        return replica;
    }

    void start() {
        loop.observe();
        replica.lock().start();
    }

    /** Coordinates from now on, whoever is elected to. */
    void usurp() {
        usurps = true;
        process().run(loop::start);
    }

    /** Coordinates from now on only when it is elected to. */
    void obey() {
        usurps = false;
        if (!replica.leads()) {
            process().run(loop::pause);
        }
    }
}

package io.cle.test.simulation.internal.nemesis;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.cle.test.simulation.LastingFault;
import io.cle.test.simulation.internal.cluster.CandidateProcess;
import io.cle.test.simulation.internal.cluster.ClientGoElector;
import io.cle.test.simulation.internal.cluster.Cluster;
import io.cle.test.simulation.internal.cluster.Cluster.Member;
import io.cle.test.simulation.internal.cluster.Contender;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.internal.server.Network;
import io.cle.test.simulation.internal.server.WatchConnection;
import org.jspecify.annotations.Nullable;

/** Begins a {@link LastingFault} in a cluster that has a leader and no fault. */
public final class LastingFaults {

    private final Cluster cluster;
    private final Network network;
    private final Set<VirtualProcess> affected = new HashSet<>();

    /** No fault yet. */
    public LastingFaults(Cluster cluster, Network network) {
        this.cluster = cluster;
        this.network = network;
    }

    /** Whether a process is spared. */
    public boolean spares(VirtualProcess process) {
        return !affected.contains(process);
    }

    /** Begins it; false if there is no process that it could affect. */
    public boolean begin(LastingFault fault, Contender leader) {
        network.history().line("nemesis", "begins a fault that lasts: " + fault);
        Member leading = member(true, leader);
        Member standby = member(false, leader);
        return switch (fault) {
            case LEADER_DEAD -> kill(leading);
            case LEADER_PAUSED -> pause(leading);
            case LEADER_PARTITIONED -> partition(leading);
            case LEADER_DEAF -> deafen(leading);
            case STANDBY_DEAD -> kill(standby);
            case STANDBY_PAUSED -> pause(standby);
            case STANDBY_PARTITIONED -> partition(standby);
            case STANDBY_DEAF -> deafen(standby);
            case COORDINATORS_DEAD -> {
                List.copyOf(cluster.coordinators()).forEach(cluster::kill);
                yield resign(leader);
            }
            case COORDINATORS_PARTITIONED -> {
                cluster.coordinators()
                        .forEach(coordinator -> coordinator.transport().cutOff(true));
                yield resign(leader);
            }
        };
    }

    private @Nullable Member member(boolean leads, Contender leader) {
        return cluster.members().stream()
                .filter(member -> (member.contender() == leader) == leads)
                .findFirst()
                .orElse(null);
    }

    private boolean affect(@Nullable Member member) {
        return member != null && affected.add(member.process());
    }

    private boolean kill(@Nullable Member member) {
        if (member == null || !affect(member)) {
            return false;
        }
        cluster.kill(member);
        return true;
    }

    private boolean pause(@Nullable Member member) {
        // client-go's elector believes in its term for as long as it pauses; docs/simulation.md names that as its
        // limit.
        if (member == null || !member.contender().ours() || !affect(member)) {
            return false;
        }
        member.process().pause();
        return true;
    }

    private boolean partition(@Nullable Member member) {
        if (member == null || !affect(member)) {
            return false;
        }
        member.transport().cutOff(true);
        return true;
    }

    private boolean deafen(@Nullable Member member) {
        if (member == null || !affect(member)) {
            return false;
        }
        member.transport().deafen();
        network.connections().stream()
                .filter(connection -> connection.client() == member.transport())
                .forEach(WatchConnection::silence);
        return true;
    }

    private static boolean resign(Contender leader) {
        if (leader instanceof CandidateProcess candidate) {
            candidate.process().run(() -> candidate.lock().resign());
        } else if (leader instanceof ClientGoElector plain) {
            plain.resign();
        }
        return true;
    }
}

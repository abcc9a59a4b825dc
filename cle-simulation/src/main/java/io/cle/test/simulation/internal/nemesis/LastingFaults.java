package io.cle.test.simulation.internal.nemesis;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import io.cle.test.simulation.internal.cluster.Contender;
import io.cle.test.simulation.internal.cluster.SimulatedCluster;
import io.cle.test.simulation.internal.cluster.SimulatedCluster.Member;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.internal.server.Network;
import io.cle.test.simulation.internal.server.SimulatedWatch;
import io.cle.test.simulation.scenario.LastingFault;
import org.jspecify.annotations.Nullable;

/** Begins a {@link LastingFault} in a cluster that has a leader and no fault. */
public final class LastingFaults {

    private final SimulatedCluster cluster;
    private final Network network;
    private final Set<VirtualProcess> affected = new HashSet<>();

    /** No fault yet. */
    public LastingFaults(SimulatedCluster cluster, Network network) {
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
            case LEADER_DEAD -> affect(leading, cluster::kill);
            case LEADER_PAUSED -> pause(leading);
            case LEADER_PARTITIONED -> affect(leading, this::partition);
            case LEADER_DEAF -> affect(leading, this::deafen);
            case STANDBY_DEAD -> affect(standby, cluster::kill);
            case STANDBY_PAUSED -> pause(standby);
            case STANDBY_PARTITIONED -> affect(standby, this::partition);
            case STANDBY_DEAF -> affect(standby, this::deafen);
            case COORDINATORS_DEAD -> {
                List.copyOf(cluster.coordinators()).forEach(cluster::kill);
                leader.resign();
                yield true;
            }
            case COORDINATORS_PARTITIONED -> {
                cluster.coordinators()
                        .forEach(coordinator -> coordinator.transport().cutOff(true));
                leader.resign();
                yield true;
            }
        };
    }

    private @Nullable Member member(boolean leads, Contender leader) {
        return cluster.members().stream()
                .filter(member -> member.contenders().contains(leader) == leads)
                .findFirst()
                .orElse(null);
    }

    private boolean affect(@Nullable Member member, Consumer<Member> fault) {
        if (member == null) {
            return false;
        }
        affected.add(member.process());
        fault.accept(member);
        return true;
    }

    /** client-go's elector believes in its term for as long as it pauses; docs/evidence.md names that as its limit. */
    private boolean pause(@Nullable Member member) {
        return member != null
                && member.contender().ours()
                && affect(member, ours -> ours.process().pause());
    }

    private void partition(Member member) {
        member.transport().cutOff(true);
    }

    private void deafen(Member member) {
        member.transport().deafen();
        network.connections().stream()
                .filter(connection -> connection.client() == member.transport())
                .forEach(SimulatedWatch::silence);
    }
}

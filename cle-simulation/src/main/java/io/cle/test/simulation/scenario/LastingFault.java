package io.cle.test.simulation.scenario;

/** A fault that doesn't end. The processes that it spares must still have a leader. */
public enum LastingFault {
    /** The leader's process crashes and isn't started again. */
    LEADER_DEAD,
    /** The leader's process pauses for good, as after SIGSTOP. */
    LEADER_PAUSED,
    /** The leader's process is partitioned from the API server. */
    LEADER_PARTITIONED,
    /** The watches of the leader's process are silent, including new ones. It may keep leading. */
    LEADER_DEAF,
    /** A standby crashes and isn't started again. */
    STANDBY_DEAD,
    /** A standby pauses for good. Its candidacy is there and is never acknowledged. */
    STANDBY_PAUSED,
    /** A standby is partitioned from the API server. */
    STANDBY_PARTITIONED,
    /** The watches of a standby are silent. */
    STANDBY_DEAF,
    /** All coordinators are dead while the leader resigns in good order: candidates fall back to racing. */
    COORDINATORS_DEAD,
    /** All coordinators are partitioned from the API server while the leader resigns in good order. */
    COORDINATORS_PARTITIONED;

    /**
     * Whether a leader is required while it lasts in this scenario. kube-apiserver's own controller keeps electing a candidate that renews its
     * candidacy but whose watch is silent, because it needs no acknowledgement of a candidate that has just renewed. Candidates don't race for a
     * shard, so shards need their coordinators.
     */
    public boolean possible(Scenario scenario) {
        if (this == COORDINATORS_DEAD || this == COORDINATORS_PARTITIONED) {
            return scenario.coordinators() > 0 && !scenario.kind().grouped();
        }
        return scenario.kind() != ClusterKind.NATIVE || (this != LEADER_DEAF && this != STANDBY_DEAF);
    }

    /** Whether a process that it affects may be the required leader. */
    public boolean affectedMayLead() {
        return this == LEADER_DEAF || this == STANDBY_DEAF;
    }
}

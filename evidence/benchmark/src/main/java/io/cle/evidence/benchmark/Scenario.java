package io.cle.evidence.benchmark;

import io.cle.ApiFormat;

/** A measured scenario, which fills one or more lines of the table. */
interface Scenario {

    /** Runs the scenario once. */
    void trial(int number, Lab lab, Results results) throws InterruptedException;

    /** Returns how often to run it. */
    default int trials(Options options) {
        return options.trials();
    }

    /** All scenarios. */
    enum Kind {
        /** A candidate joins, a better one joins, the leader leaves, the leader is killed. */
        HANDOVER(new HandoverScenario(), Lab.Needs.COORDINATOR),
        /** The same hand-overs, with processes that start from an AOT cache. */
        AOTCACHE(new AotCacheScenario(), Lab.Needs.AOT_CACHES),
        /** A leader is killed, and the kubelet reports the end of its container. */
        POD(new PodScenario(), Lab.Needs.COORDINATOR),
        /** Ten replicas start together, and then are idle. */
        CROWD(new CrowdScenario(), Lab.Needs.COORDINATOR),
        /** Direct locks: released, and expired. */
        DIRECT(new DirectScenario(), Lab.Needs.API_SERVER),
        /** Two kube-apiservers restart, and are down. */
        CONTROLPLANE(new ControlPlaneScenario(), Lab.Needs.API_SERVER),
        /** kube-apiserver elects. */
        NATIVE(new NativeScenario(), Lab.Needs.NATIVE_API_SERVER),
        /** A thousand leases from nothing. */
        THOUSAND(new ThroughputScenario(Line.ELECTIONS_1K, ApiFormat.CRD, 1_000, 100), Lab.Needs.COORDINATOR),
        /** A thousand leases wait for a coordinator. */
        WAITING(new WaitingScenario(), Lab.Needs.API_SERVER),
        /** The coordinator is restarted with five thousand leases. */
        RESTART(new RestartScenario(), Lab.Needs.API_SERVER),
        /** A thousand leases from nothing, elected by kube-apiserver. */
        NATIVETHOUSAND(
                new ThroughputScenario(Line.NATIVE_1K, ApiFormat.NATIVE, 1_000, 100), Lab.Needs.NATIVE_API_SERVER),
        /** Five thousand leases of one namespace. */
        NAMESPACE(new ThroughputScenario(Line.ELECTIONS_5K_ONE, ApiFormat.CRD, 5_000, 5_000), Lab.Needs.COORDINATOR),
        /** The coordinator's page with five thousand leases. */
        PAGE(new PageScenario(), Lab.Needs.API_SERVER),
        /** Thousands of large and flapping candidates of one namespace, and a hand-over in another. */
        FLOOD(new FloodScenario(), Lab.Needs.API_SERVER),
        /** Processes that share a lease with shards join and leave. */
        SHARDS(new ShardScenario(), Lab.Needs.COORDINATOR),
        /** The same, with work that takes 30 s to end. */
        DRAINEDSHARDS(new DrainedShardScenario(), Lab.Needs.API_SERVER),
        /** Idle processes that share shards, and others that have as many leases. */
        SHARDREST(new ShardRestScenario(), Lab.Needs.COORDINATOR),
        /** Transactions with and without the fence of {@code cle-fencing-jdbc}. */
        FENCING(new FencingScenario(), Lab.Needs.POSTGRESQL),
        /** Ten thousand leases. */
        TENTHOUSAND(new ThroughputScenario(Line.ELECTIONS_10K, ApiFormat.CRD, 10_000, 100), Lab.Needs.COORDINATOR);

        private final Scenario scenario;
        private final Lab.Needs needs;

        Kind(Scenario scenario, Lab.Needs needs) {
            this.scenario = scenario;
            this.needs = needs;
        }

        Scenario scenario() {
            return scenario;
        }

        Lab.Needs needs() {
            return needs;
        }

        /** Whether a quick run skips it. */
        boolean takesLong() {
            return this == CONTROLPLANE
                    || this == RESTART
                    || this == NAMESPACE
                    || this == PAGE
                    || this == FLOOD
                    || this == SHARDS
                    || this == DRAINEDSHARDS
                    || this == SHARDREST
                    || this == TENTHOUSAND;
        }
    }
}

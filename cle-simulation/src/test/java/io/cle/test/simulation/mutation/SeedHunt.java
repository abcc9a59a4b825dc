package io.cle.test.simulation.mutation;

import java.util.stream.LongStream;

import io.cle.test.simulation.SimulationResult;
import io.cle.test.simulation.SimulationSeed;
import io.cle.test.simulation.scenario.ClusterKind;
import org.jspecify.annotations.Nullable;

/** Runs seeds until one finds something. Called across class loaders, hence only with types of the JDK. */
public final class SeedHunt {

    private SeedHunt() {}

    /**
     * Runs seeds.
     *
     * @param candidates how many candidates there are; 0 where the seed chooses
     * @return what the first successful seed found; null if none was
     */
    public static @Nullable String hunt(String kind, long first, int seeds, int candidates) {
        for (long seed = first; seed < first + seeds; seed++) {
            SimulationSeed next = new SimulationSeed(ClusterKind.valueOf(kind), seed, candidates);
            SimulationResult result = next.run();
            if (!result.ok()) {
                return next + ": " + result.violation();
            }
        }
        return null;
    }

    /** Runs each seed, with as many candidates as it chooses, and returns those that find something. */
    public static long[] findings(String kind, long[] seeds) {
        ClusterKind cluster = ClusterKind.valueOf(kind);
        return LongStream.of(seeds)
                .filter(seed -> !new SimulationSeed(cluster, seed, 0).run().ok())
                .toArray();
    }
}

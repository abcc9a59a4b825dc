package io.cle.test.simulation.mutation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

import io.cle.test.simulation.SimulationSeed;
import io.cle.test.simulation.scenario.ClusterKind;

/**
 * Measures how many of a number of random seeds find each mutation: a rule whose mutation hardly any seed finds is hardly tested by the
 * build's seeds either.
 */
final class MutationRates {

    /** The random source that all measurements draw their seeds from, so that a measurement can be repeated. */
    private static final long SOURCE = 4355;

    private MutationRates() {}

    /**
     * How many seeds find a mutation in one kind of cluster.
     *
     * @param first the first of those seeds; 0 if there is none
     */
    record Rate(Mutation mutation, ClusterKind kind, int seeds, int found, long first) {

        /** Found seeds, scaled to a thousand. */
        double perThousand() {
            return found * 1000.0 / seeds;
        }

        /** As a row of a table. */
        String row() {
            return String.format(
                    Locale.ROOT,
                    "| %s | `%s` | %s |%s",
                    mutation.what(),
                    kind,
                    found == 0 ? "0 of " + seeds : String.format(Locale.ROOT, "%.0f", perThousand()),
                    found == 0 ? "" : " <!-- " + new SimulationSeed(kind, first, 0) + " -->");
        }
    }

    /** Runs the same random seeds in each of the kinds of clusters, and keeps the kind in which most of them find the mutation. */
    static Rate measure(Mutation mutation, List<ClusterKind> kinds, int seeds) {
        Mutant mutant = new Mutant(mutation);
        List<Rate> rates = new ArrayList<>();
        for (ClusterKind kind : kinds) {
            long[] found = mutant.findings(kind.name(), randomSeeds(seeds));
            rates.add(new Rate(mutation, kind, seeds, found.length, found.length == 0 ? 0 : found[0]));
        }
        Rate best = rates.get(0);
        for (Rate rate : rates) {
            best = rate.found() > best.found() ? rate : best;
        }
        return best;
    }

    /** The kinds of clusters that a mutation names, or those that were asked for. */
    static List<ClusterKind> kinds(Mutation mutation, String asked) {
        if (asked.isEmpty()) {
            return mutation.foundBy().stream()
                    .map(SimulationSeed::kind)
                    .distinct()
                    .toList();
        }
        return asked.equals("ALL")
                ? List.of(ClusterKind.values())
                : List.of(asked.split(",")).stream().map(ClusterKind::valueOf).toList();
    }

    private static long[] randomSeeds(int seeds) {
        return new SplittableRandom(SOURCE).longs(seeds, 1, 1_000_000_000_000L).toArray();
    }
}

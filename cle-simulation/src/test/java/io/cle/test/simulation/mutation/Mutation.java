package io.cle.test.simulation.mutation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.cle.test.simulation.SimulationSeed;
import org.jspecify.annotations.Nullable;

/**
 * One way to break the code.
 *
 * @param what what is broken, for a person
 * @param edits where
 * @param foundBy seeds that are known to find it; if they no longer do, others of the same kinds of clusters are tried
 * @param foundByTests methods of tests that find it, {@code <class>#<method>}: what no seed can show, such as how many shards move at a time
 * @param exploredIn the directed exploration that finds it, whatever the seeds do; {@code null} if random seeds find it often enough, or
 *     no exploration can
 */
record Mutation(
        String what,
        List<Edit> edits,
        List<SimulationSeed> foundBy,
        List<String> foundByTests,
        @Nullable String exploredIn) {

    /**
     * A place in the source of a type of cle-core or cle-coordinator, named so that it survives a move of the type to another package.
     *
     * @param type the simple name of the top-level type
     * @param original text that occurs once
     * @param mutated its replacement
     */
    record Edit(String type, String original, String mutated) {}

    static Builder of(String what) {
        return new Builder(what);
    }

    @Override
    public String toString() {
        return what;
    }

    static final class Builder {
        private final String what;
        private final List<Edit> edits = new ArrayList<>();
        private final List<String> tests = new ArrayList<>();
        private @Nullable String exploredIn;

        private Builder(String what) {
            this.what = what;
        }

        Builder in(String type, String original, String mutated) {
            edits.add(new Edit(type, original, mutated));
            return this;
        }

        /** Too few random seeds find it: the build explores it, rather than run a seed that was chosen by hand. */
        Builder exploredIn(String exploration) {
            exploredIn = exploration;
            return this;
        }

        /**
         * No seed finds it, because the simulation doesn't check what it breaks. A test does, in
         * {@code io.cle.election.internal} or a given package.
         */
        Builder inTest(String type, String method) {
            tests.add((type.indexOf('.') < 0 ? "io.cle.election.internal." : "") + type + "#" + method);
            return this;
        }

        /** Builds the mutation, with the first seed that has found it for each of one or more kinds of clusters. */
        Mutation foundBy(String... seeds) {
            return new Mutation(
                    what,
                    List.copyOf(edits),
                    Stream.of(seeds).map(SimulationSeed::parse).toList(),
                    List.copyOf(tests),
                    exploredIn);
        }
    }
}

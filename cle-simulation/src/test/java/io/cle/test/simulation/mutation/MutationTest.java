package io.cle.test.simulation.mutation;

import java.util.List;

import io.cle.test.simulation.SimulationSeed;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The code is broken on purpose, and the simulation has to find it. Where it can't, the simulation is too tame, or the rule idle. */
class MutationTest {

    private static final int AT_ONCE = 100;
    private static final int MOST = 2000;

    /** {@link MutationExplorationTest} finds the others. */
    static List<Mutation> mutations() {
        return Mutations.all().stream()
                .filter(mutation -> mutation.exploredIn() == null)
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutations")
    void isFound(Mutation mutation) {
        Mutant mutant = new Mutant(mutation);

        assertThat(hunt(mutation, mutant)).as("what a seed has found").isNotNull();
    }

    /** Any change of the code or of the simulation may have other seeds find what these have. */
    private static @Nullable String hunt(Mutation mutation, Mutant mutant) {
        for (String test : mutation.foundByTests()) {
            String found = mutant.test(test);
            if (found != null) {
                System.out.println(mutation.what() + ": " + found);
                return found;
            }
        }
        for (SimulationSeed seed : mutation.foundBy()) {
            String found = mutant.hunt(seed.kind().name(), seed.seed(), 1, seed.candidates());
            if (found != null) {
                System.out.println(mutation.what() + ": " + found);
                return found;
            }
        }
        for (int first = 1; first < MOST; first += AT_ONCE) {
            for (SimulationSeed seed : mutation.foundBy()) {
                String found = mutant.hunt(seed.kind().name(), first, AT_ONCE, seed.candidates());
                if (found != null) {
                    System.out.println(mutation.what() + ": " + found + " (no longer " + mutation.foundBy()
                            + "; note the new seed down, so that it is found sooner)");
                    return found;
                }
            }
        }
        return null;
    }
}

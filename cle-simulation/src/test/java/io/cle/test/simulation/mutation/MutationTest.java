package io.cle.test.simulation.mutation;

import java.util.List;

import io.cle.test.simulation.Effort;
import io.cle.test.simulation.SimulationSeed;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Breaks the code on purpose; the simulation has to find it. If it can't, the simulation is too tame, or the rule is unnecessary. */
class MutationTest {

    private static final int AT_ONCE = 100;
    private static final int MOST = 2000;

    /** The mutations of a build, by words in their names: one per rule of safety.md that seeds or tests can show. CI runs all. */
    private static final List<String> IN_EACH_BUILD = List.of(
            "writes are neither compared nor swapped",
            "a term is valid for as long as the lease",
            "a process goes on leading after its machine was suspended",
            "a write of unknown outcome counts as a success",
            "the lease is handed over before the work has ended",
            "a twin's term passes for one's own",
            "a leader whose record is edited again and again leads on",
            "a record that ends nothing takes away what was claimed before",
            "a held lease is elected for",
            "a pod of phase Failed passes for dead",
            "the administrator's line ends a claim also on the record of a holder",
            "a candidate counts for the lease of another namespace",
            "the token is of an older version",
            "a candidate whose clock is ahead",
            "a family that holds a lease doesn't keep the others out",
            "a coordinator elects when one of its namespaces has been listed");

    /** {@link MutationExplorationTest} finds the others. */
    static List<Mutation> mutations() {
        List<Mutation> found = Mutations.all().stream()
                .filter(mutation -> mutation.exploredIn() == null)
                .toList();
        return Effort.CI
                ? found
                : found.stream()
                        .filter(mutation -> IN_EACH_BUILD.stream().anyMatch(mutation.what()::contains))
                        .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutations")
    void isFound(Mutation mutation) {
        Mutant mutant = new Mutant(mutation);

        assertThat(hunt(mutation, mutant)).as("what a seed has found").isNotNull();
    }

    /** After any change of the code or the simulation, other seeds may find the mutation. */
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

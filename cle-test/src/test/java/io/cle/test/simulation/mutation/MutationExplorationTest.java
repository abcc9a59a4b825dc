package io.cle.test.simulation.mutation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Puts the mutations of the pure machines to the exploration, which prints the shortest history that each breaks a guarantee in:
 * {@code ./mvnw -q -pl cle-test -am test -Dcle.mutations.explored=250000}, with the most states of each setting.
 * {@code -Dcle.mutations.only=<words>} selects the mutations whose description contains these words.
 */
class MutationExplorationTest {

    private static final int MOST_STATES = Integer.getInteger("cle.mutations.explored", 250_000);

    /** What is real in an exploration; the candidacy, pods and namespaces are not in it. */
    private static final Set<String> EXPLORED = Set.of(
            "lock/internal/LockMachine",
            "lock/internal/LockState",
            "model/LeaseObservation",
            "election/internal/Election");

    private static final String ONLY = System.getProperty("cle.mutations.only", "");

    /** A file that is moved must not take its mutations out of the exploration unnoticed. */
    @ParameterizedTest
    @MethodSource("filesThatAreExplored")
    void filesThatAreExploredHaveMutations(String file) {
        assertThat(Mutations.all())
                .anyMatch(mutation -> explored(mutation)
                        && mutation.edits().stream()
                                .anyMatch(edit -> edit.file().equals(file)));
    }

    static Set<String> filesThatAreExplored() {
        return EXPLORED;
    }

    /** safety.md#clones */
    @Test
    void findsThatTheIdOfAWriteCarriesNothingRandom() {
        String history = new Mutant(Mutations.withoutIdsOfWrites()).exploreCopies(MOST_STATES);
        System.out.println(history);

        assertThat(history).contains("COPY").contains("lead at one instant");
    }

    @Test
    @EnabledIfSystemProperty(
            named = "cle.mutations.explored",
            matches = "\\d+",
            disabledReason = "no exploration of mutations is asked for")
    void findsMutationsOfThePureMachines() {
        List<String> found = new ArrayList<>();
        for (Mutation mutation : Mutations.all()) {
            if (mutation.what().contains(ONLY) && explored(mutation)) {
                String history = new Mutant(mutation).explore(MOST_STATES);
                System.out.println(mutation.what() + ": " + (history == null ? "not found" : history));
                if (history != null) {
                    found.add(mutation.what());
                }
            }
        }

        assertThat(found).isNotEmpty();
    }

    /** Whether all that is mutated is explored, rather than modelled. */
    private static boolean explored(Mutation mutation) {
        return mutation.edits().stream().allMatch(edit -> EXPLORED.contains(edit.file()));
    }
}

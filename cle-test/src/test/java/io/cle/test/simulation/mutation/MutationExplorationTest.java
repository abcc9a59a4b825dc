package io.cle.test.simulation.mutation;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Puts the mutations of the pure machines to the exploration, which prints the shortest history that each breaks a guarantee in:
 * {@code ./mvnw -q -pl cle-test -am test -Dcle.mutations.explored=250000}, with the most states of each setting.
 * {@code -Dcle.mutations.only=<words>} selects the mutations whose description contains these words.
 */
@EnabledIfSystemProperty(
        named = "cle.mutations.explored",
        matches = "\\d+",
        disabledReason = "no exploration of mutations is asked for")
class MutationExplorationTest {

    private static final int MOST_STATES = Integer.getInteger("cle.mutations.explored", 250_000);
    private static final String ONLY = System.getProperty("cle.mutations.only", "");

    @Test
    void findsMutationsOfThePureMachines() {
        List<String> found = new ArrayList<>();
        for (Mutation mutation : Mutations.all()) {
            if (mutation.what().contains(ONLY) && pure(mutation)) {
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
    private static boolean pure(Mutation mutation) {
        return mutation.edits().stream()
                .allMatch(edit -> edit.file().matches("(lock/L|lock/P|model|election)\\w*/?\\w*"));
    }
}

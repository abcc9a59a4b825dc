package io.cle.test.simulation.mutation;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.cle.test.exploration.Hunt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs mutations in the directed explorations. {@code -Pthorough} explores those that too few random seeds find;
 * {@code ./mvnw -q -pl cle-simulation -am test -Dcle.mutations.explored=250000} runs each that concerns a pure machine in each exploration, with
 * the most states of each, and prints what was found, after how many states, and the shortest history. {@code -Dcle.mutations.only=<words>}
 * selects the mutations whose description contains these words.
 */
class MutationExplorationTest {

    private static final int MOST_STATES = Integer.getInteger("cle.mutations.explored", 1_000_000);

    /** What is real in an exploration; pods, namespaces, reflectors and the coordinator's loop are not. */
    private static final Set<String> EXPLORED = Set.of(
            "CandidacyMachine",
            "LockMachine",
            "LockState",
            "LeaseWrites",
            "Retries",
            "Lease",
            "LeaseObservation",
            "Election");

    private static final String ONLY = System.getProperty("cle.mutations.only", "");

    /** Renaming a type must not silently drop its mutations from the exploration. */
    @ParameterizedTest
    @MethodSource("typesThatAreExplored")
    void typesThatAreExploredHaveMutations(String type) {
        assertThat(Mutations.all())
                .anyMatch(mutation -> explored(mutation)
                        && mutation.edits().stream()
                                .anyMatch(edit -> edit.type().equals(type)));
    }

    static Set<String> typesThatAreExplored() {
        return EXPLORED;
    }

    /** safety.md#own-record */
    @Test
    void findsThatTheIdOfAWriteCarriesNothingRandom() {
        String history = explored(Mutations.withoutIdsOfWrites(), "COPIES");

        assertThat(history).contains("COPY").contains("lead at one instant");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("thatFewSeedsFind")
    @EnabledIfSystemProperty(
            named = "cle.thorough",
            matches = "true",
            disabledReason = "takes minutes; -Pthorough runs it")
    void isFoundByADirectedExploration(Mutation mutation) {
        assertThat(explored(mutation, Objects.requireNonNull(mutation.exploredIn())))
                .as("a history")
                .isNotNull();
    }

    static List<Mutation> thatFewSeedsFind() {
        return Mutations.all().stream()
                .filter(mutation -> mutation.exploredIn() != null)
                .toList();
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
                Mutant mutant = new Mutant(mutation);
                for (String exploration : Hunt.explorations()) {
                    if (explored(mutant, mutation.what(), exploration) != null) {
                        found.add(mutation.what());
                    }
                }
            }
        }

        assertThat(found).isNotEmpty();
    }

    private static @Nullable String explored(Mutation mutation, String exploration) {
        return explored(new Mutant(mutation), mutation.what(), exploration);
    }

    private static @Nullable String explored(Mutant mutant, String what, String exploration) {
        String history = mutant.explore(exploration, MOST_STATES);
        System.out.println(what + ", " + exploration + ": " + (history == null ? "not found" : history));
        return history;
    }

    /** Whether all that is mutated is explored, rather than modelled. */
    private static boolean explored(Mutation mutation) {
        return mutation.edits().stream().allMatch(edit -> EXPLORED.contains(edit.type()));
    }
}

package io.cle.test.simulation.mutation;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Prints how many of a number of random seeds find each mutation:
 * {@code ./mvnw -q -pl cle-simulation -am test -Dcle.mutations=1000}.
 *
 * <p>{@code -Dcle.mutations.only=<words>} selects the mutations whose description contains these words, and
 * {@code -Dcle.mutations.kinds=ALL} or {@code =LEASES,NATIVE} the kinds of clusters; by default a mutation is measured in the kinds
 * that its known seeds are of.
 */
@EnabledIfSystemProperty(named = "cle.mutations", matches = "\\d+", disabledReason = "no rates are asked for")
class MutationRatesTest {

    private static final int SEEDS = Integer.getInteger("cle.mutations", 1000);
    private static final String ONLY = System.getProperty("cle.mutations.only", "");
    private static final String KINDS = System.getProperty("cle.mutations.kinds", "");

    @Test
    void atLeastOneInAThousandRandomSeedsFindsEachMutationThatNoExplorationFinds() {
        List<MutationRates.Rate> rates = new ArrayList<>();
        for (Mutation mutation : Mutations.all()) {
            if (mutation.what().contains(ONLY)) {
                MutationRates.Rate rate = MutationRates.measure(mutation, MutationRates.kinds(mutation, KINDS), SEEDS);
                System.out.println(rate.row());
                rates.add(rate);
            }
        }

        assertThat(rates).isNotEmpty();
        if (SEEDS >= 1000) {
            assertThat(rates)
                    .filteredOn(rate -> rate.mutation().exploredIn() == null)
                    .allSatisfy(rate -> assertThat(rate.found()).isPositive());
        }
    }
}

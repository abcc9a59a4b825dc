package io.cle.migration;

import java.util.List;

import io.cle.ResourceLock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class MigrationPlanTest {

    private static MigrationPlan plan(String component, ControllerLeader... leaders) {
        return new MigrationPlan(
                new LeaderMigrationConfiguration(null, null, "shared", null, List.of(leaders)), component);
    }

    @Test
    void aControllerRunsUnderTheMigrationLockWhereItIsAssigned() {
        MigrationPlan orders = plan(
                "orders",
                new ControllerLeader("route", "orders"),
                new ControllerLeader("invoice", "billing"),
                new ControllerLeader("dunning", "*"));
        assertThat(orders.assignment("route")).isEqualTo(Assignment.MIGRATION_LOCK);
        assertThat(orders.assignment("invoice")).isEqualTo(Assignment.NOT_HERE);
        assertThat(orders.assignment("dunning")).isEqualTo(Assignment.MIGRATION_LOCK);
        assertThat(orders.controllersHere()).containsExactly("route", "dunning");
    }

    @Test
    void aControllerThatIsNotNamedRunsUnderTheMainLock() {
        assertThat(plan("orders", new ControllerLeader("route", "billing")).assignment("cleanup"))
                .isEqualTo(Assignment.MAIN_LOCK);
    }

    @Test
    void everyNamedControllerRunsInExactlyOneOfTwoComponentsThatShareAConfiguration() {
        ControllerLeader[] leaders = {
            new ControllerLeader("route", "orders"), new ControllerLeader("invoice", "billing")
        };
        for (ControllerLeader leader : leaders) {
            assertThat(List.of(plan("orders", leaders), plan("billing", leaders)).stream()
                            .filter(plan -> plan.assignment(leader.name()) == Assignment.MIGRATION_LOCK))
                    .hasSize(1);
        }
    }

    @Test
    void theResourceLockIsLeasesWhereNothingIsSaid() {
        assertThat(plan("orders", new ControllerLeader("route", "*")).resourceLock())
                .isEqualTo(ResourceLock.LEASES);
    }

    @Test
    void aComponentWithoutControllersIsNoCandidateAndIsWarned() {
        MigrationPlan stock = plan("stock", new ControllerLeader("route", "billing"));
        assertThat(stock.standsForMigrationLock()).isFalse();
        assertThat(stock.warnings()).hasSize(1);
        assertThat(stock.warnings().get(0)).contains("'stock'", "[billing]", "[route]");
    }

    @Test
    void controllersThatWouldRunNowhereAreWarnedOf() {
        MigrationPlan orders =
                plan("orders", new ControllerLeader("route", "*"), new ControllerLeader("invoice", "billing"));
        assertThat(orders.standsForMigrationLock()).isTrue();
        assertThat(orders.warnings()).hasSize(1);
        assertThat(orders.warnings().get(0)).contains("only [route] of [route, invoice]", "nowhere");
        assertThat(plan("orders", new ControllerLeader("route", "*")).warnings())
                .isEmpty();
    }

    @Test
    void onlyControllersThatAreToRunHereAreMissed() {
        MigrationPlan orders = plan(
                "orders",
                new ControllerLeader("route", "orders"),
                new ControllerLeader("invoice", "billing"),
                new ControllerLeader("dunning", "*"));
        assertThat(orders.missing(List.of("route"))).containsExactly("dunning");
        assertThat(orders.missing(List.of("route", "dunning", "cleanup"))).isEmpty();
    }

    @Test
    void aConfigurationWithProblemsIsNoPlan() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan("orders"))
                .withMessageContaining("controllerLeaders");
    }
}

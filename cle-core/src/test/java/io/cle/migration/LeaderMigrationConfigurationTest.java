package io.cle.migration;

import java.util.Arrays;
import java.util.List;

import io.cle.ResourceLock;
import io.cle.migration.LeaderMigrationConfiguration.Problem;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class LeaderMigrationConfigurationTest {

    private static final ControllerLeader ROUTE = new ControllerLeader("route", "*");

    private static LeaderMigrationConfiguration with(ControllerLeader... leaders) {
        return new LeaderMigrationConfiguration(null, null, "shared", null, List.of(leaders));
    }

    private static Problem onlyProblem(LeaderMigrationConfiguration configuration) {
        assertThat(configuration.problems()).hasSize(1);
        return configuration.problems().get(0);
    }

    @Nested
    class ApiVersionAndKind {

        @ParameterizedTest
        @NullSource
        @ValueSource(
                strings = {
                    "controllermanager.config.k8s.io/v1",
                    "controllermanager.config.k8s.io/v1beta1",
                    "controllermanager.config.k8s.io/v1alpha1"
                })
        void apiVersionAndKindAreThoseOfTheKepInEveryVersionOrAbsent(String apiVersion) {
            assertThat(new LeaderMigrationConfiguration(
                                    apiVersion, "LeaderMigrationConfiguration", "shared", "leases", List.of(ROUTE))
                            .problems())
                    .isEmpty();
        }

        @Test
        void apiVersionAndKindAreRefusedIfTheyAreOfAnotherKindOfObject() {
            LeaderMigrationConfiguration configuration =
                    new LeaderMigrationConfiguration("apps/v1", "Deployment", "shared", null, List.of(ROUTE));
            assertThat(configuration.problems()).extracting(Problem::place).containsExactly("apiVersion", "kind");
            assertThat(configuration.problems().get(1).value()).isEqualTo("Deployment");
        }
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "Shared", "shared_lock", "-shared"})
    void theMigrationLockNeedsANameThatAnApiServerTakes(String leaderName) {
        Problem problem = onlyProblem(new LeaderMigrationConfiguration(null, null, leaderName, null, List.of(ROUTE)));
        assertThat(problem.place()).isEqualTo("leaderName");
        assertThat(problem.value()).isEqualTo(leaderName);
    }

    @Nested
    class AResourceLock {

        @ParameterizedTest
        @NullSource
        @ValueSource(strings = {"leases", "endpoints", "configmaps", "coordinatedleases"})
        void aResourceLockIsOneOfKubernetesOrOurs(String resourceLock) {
            assertThat(new LeaderMigrationConfiguration(null, null, "shared", resourceLock, List.of(ROUTE)).problems())
                    .isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"lease", "Leases", "", "pods", "endpointsleases", "configmapsleases"})
        void aResourceLockIsReportedWithTheKnownOnesIfItIsUnknown(String resourceLock) {
            Problem problem =
                    onlyProblem(new LeaderMigrationConfiguration(null, null, "shared", resourceLock, List.of(ROUTE)));
            assertThat(problem.place()).isEqualTo("resourceLock");
            assertThat(problem.value()).isEqualTo(resourceLock);
            assertThat(problem.action()).contains("leases", "endpoints", "configmaps", "coordinatedleases");
        }

        @Test
        void aResourceLockIsFoundByItsText() {
            assertThat(Arrays.stream(ResourceLock.values())
                            .map(lock -> ResourceLock.find(lock.text()).orElseThrow()))
                    .containsExactly(ResourceLock.values());
        }
    }

    @Nested
    class ControllerLeaders {

        @Test
        void controllerLeadersAreRefusedIfThereAreNone() {
            assertThat(onlyProblem(with()).place()).isEqualTo("controllerLeaders");
        }

        @Test
        void controllerLeadersAreReportedWithBothPlacesIfAControllerIsListedTwice() {
            Problem problem = onlyProblem(with(
                    new ControllerLeader("route", "orders"),
                    new ControllerLeader("invoice", "orders"),
                    new ControllerLeader("route", "billing")));
            assertThat(problem.place()).isEqualTo("controllerLeaders[2].name");
            assertThat(problem.value()).isEqualTo("route");
            assertThat(problem.reason()).contains("twice", "controllerLeaders[0]");
            assertThat(problem.action()).contains("'*'");
        }

        @Test
        void controllerLeadersAreReportedByTheirPlacesIfANameOrAComponentIsBlank() {
            assertThat(with(ROUTE, new ControllerLeader("", "orders"), new ControllerLeader("invoice", " "))
                            .problems())
                    .extracting(Problem::place)
                    .containsExactly("controllerLeaders[1].name", "controllerLeaders[2].component");
        }
    }

    @Test
    void allProblemsAreReportedAtOnce() {
        assertThat(new LeaderMigrationConfiguration("v1", "Pod", null, "pods", List.of(new ControllerLeader("", "")))
                        .problems())
                .extracting(Problem::place)
                .containsExactly(
                        "apiVersion",
                        "kind",
                        "leaderName",
                        "resourceLock",
                        "controllerLeaders[0].name",
                        "controllerLeaders[0].component");
    }
}

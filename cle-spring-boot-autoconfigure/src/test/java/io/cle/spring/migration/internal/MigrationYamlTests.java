package io.cle.spring.migration.internal;

import java.util.ArrayList;
import java.util.List;

import io.cle.ConfigurationProblem;
import io.cle.migration.ControllerLeader;
import io.cle.migration.LeaderMigrationConfiguration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class MigrationYamlTests {

    /** As the KEP has it, bare asterisks and all. */
    private static final String OF_THE_KEP = """
            kind: LeaderMigrationConfiguration
            apiVersion: controllermanager.config.k8s.io/v1
            leaderName: cloud-provider-extraction-migration
            resourceLock: leases
            controllerLeaders:
              - name: route
                component: *
              - name: service
                component: *
              - name: cloud-node-lifecycle
                component: *
            """;

    private final List<ConfigurationProblem> problems = new ArrayList<>();

    private LeaderMigrationConfiguration read(String yaml) {
        return MigrationYaml.read("migration.yaml", yaml, problems);
    }

    private List<String> problems(String yaml) {
        problems.clear();
        read(yaml);
        return problems.stream().map(ConfigurationProblem::reason).toList();
    }

    @Nested
    class ValidFile {

        @Test
        void validFileIsThatOfTheKepAsItStands() {
            assertThat(read(OF_THE_KEP))
                    .isEqualTo(new LeaderMigrationConfiguration(
                            "controllermanager.config.k8s.io/v1",
                            "LeaderMigrationConfiguration",
                            "cloud-provider-extraction-migration",
                            "leases",
                            List.of(
                                    new ControllerLeader("route", "*"),
                                    new ControllerLeader("service", "*"),
                                    new ControllerLeader("cloud-node-lifecycle", "*"))));
            assertThat(problems).isEmpty();
        }

        @Test
        void validFileIsReadAlikeInFlowStyleAndInJson() {
            List<ControllerLeader> leaders =
                    List.of(new ControllerLeader("route", "*"), new ControllerLeader("b", "orders"));
            assertThat(read("""
                                    leaderName: shared
                                    controllerLeaders: [{name: route, component: *}, {name: b, component: orders}]
                                    """).controllerLeaders()).isEqualTo(leaders);
            assertThat(read("""
                                    {"leaderName": "shared", "controllerLeaders": [
                                      {"name": "route", "component": "*"}, {"name": "b", "component": "orders"}]}
                                    """).controllerLeaders()).isEqualTo(leaders);
        }
    }

    @Nested
    class InvalidField {

        @Test
        void invalidFieldIsReportedWithItsLineAndTheKnownFieldsIfItIsMisspelled() {
            assertThat(problems("""
                            leaderName: shared
                            resourcelock: leases
                            controllerLeaders:
                            - name: route
                              componnent: orders
                            """))
                    .containsExactly(
                            "line 2: resourcelock = 'leases': there is no such field",
                            "line 5: controllerLeaders[0].componnent = 'orders': there is no such field",
                            "line 4: controllerLeaders[0].component is not written: nothing says where controller 'route' is"
                                    + " to run");
            assertThat(problems.get(0).action()).contains("resourceLock");
            assertThat(problems.get(1).action()).contains("its name and its component");
        }

        /** It would mean another component: 1.1. */
        @Test
        void invalidFieldIsReportedIfItsValueIsNoText() {
            assertThat(problems("""
                            leaderName: shared
                            controllerLeaders:
                            - name: on
                              component: 1.10
                            """))
                    .containsExactly(
                            "line 3: controllerLeaders[0].name = 'true': YAML reads it as a number or a boolean, not as text",
                            "line 4: controllerLeaders[0].component = '1.1': YAML reads it as a number or a boolean, not as text");
        }

        @Test
        void invalidFieldIsReportedWithItsLineIfItIsThereTwice() {
            assertThat(problems("""
                            leaderName: shared
                            controllerLeaders:
                            - name: route
                              component: orders
                            leaderName: other
                            """)).singleElement().asString().contains("found duplicate key leaderName", "line 5");
        }

        @Test
        void invalidFieldIsReportedWithItsLineIfItsValueIsRefused() {
            assertThat(problems("""
                            leaderName: Shared
                            resourceLock: pods
                            controllerLeaders:
                            - name: route
                              component: *
                            - name: route
                              component: *
                            """))
                    .satisfiesExactly(
                            first -> assertThat(first).startsWith("line 1: leaderName = 'Shared': "),
                            second -> assertThat(second).startsWith("line 2: resourceLock = 'pods': "),
                            third -> assertThat(third).startsWith("line 6: controllerLeaders[1].name = 'route': "));
        }

        @Test
        void invalidFieldIsReportedIfItsValueIsOfTheWrongKind() {
            assertThat(problems("""
                            leaderName: [a]
                            controllerLeaders:
                              route: orders
                            """))
                    .startsWith(
                            "line 1: leaderName[0] = 'a': there is no such field",
                            "line 3: controllerLeaders.route = 'orders': there is no such field");
            assertThat(problems("{leaderName: a, controllerLeaders: [route]}"))
                    .first()
                    .isEqualTo("line 1: controllerLeaders[0] = 'route': there is no such field");
        }

        @Test
        void invalidFieldIsTreatedAsAbsentIfItHasNoValue() {
            assertThat(problems("""
                            leaderName:
                            controllerLeaders:
                            - name: route
                              component: *
                            """))
                    .containsExactly("line 1: leaderName is not written: the migration lock needs a name");
        }
    }

    @Nested
    class UnreadableFile {

        @ParameterizedTest
        @ValueSource(strings = {"", "# nothing\n", "---\n", "~"})
        void unreadableFileIsReportedIfItIsEmpty(String yaml) {
            assertThat(problems(yaml)).containsExactly("it must be one document with fields such as leaderName");
        }

        @Test
        void unreadableFileIsReportedWithItsLineIfItIsMalformedYaml() {
            assertThat(problems("leaderName: shared\ncontrollerLeaders:\n\t- name: route\n"))
                    .singleElement()
                    .asString()
                    .startsWith("it can't be read as YAML: ")
                    .contains("line 3");
            assertThat(problems("leaderName: shared\ncontrollerLeaders:\n- name: *\n"))
                    .singleElement()
                    .asString()
                    .startsWith("it can't be read as YAML: ")
                    .contains("line 3");
        }

        @Test
        void unreadableFileIsReportedIfItHasNoFieldsOrSeveralDocuments() {
            assertThat(problems("route\n")).first().isEqualTo("line 1: document = 'route': there is no such field");
            assertThat(problems("leaderName: a\n---\nleaderName: b\n"))
                    .containsExactly("it must be one document with fields such as leaderName");
        }
    }
}

package io.cle.spring.migration.internal;

import java.util.List;

import io.cle.InvalidConfigurationException;
import io.cle.migration.ControllerLeader;
import io.cle.migration.LeaderMigrationConfiguration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class MigrationYamlTests {

    /** The KEP's example, including its bare asterisks. */
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

    private static LeaderMigrationConfiguration read(String yaml) {
        return MigrationYaml.read("migration.yaml", yaml);
    }

    private static InvalidConfigurationException failure(String yaml) {
        return catchThrowableOfType(InvalidConfigurationException.class, () -> read(yaml));
    }

    private static String problem(String yaml) {
        return failure(yaml).reason();
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
            assertThat(failure("""
                            leaderName: shared
                            resourcelock: leases
                            controllerLeaders:
                            - name: route
                              componnent: orders
                            """))
                    .hasMessageContaining("line 2: resourcelock = 'leases': there is no such field")
                    .extracting(InvalidConfigurationException::action)
                    .asString()
                    .contains("resourceLock");
            assertThat(problem("""
                            leaderName: shared
                            controllerLeaders:
                            - name: route
                              componnent: orders
                            """))
                    .isEqualTo("line 4: controllerLeaders[0].componnent = 'orders': there is no such field");
            assertThat(problem("""
                            leaderName: shared
                            controllerLeaders:
                            - name: route
                            """))
                    .isEqualTo("line 3: controllerLeaders[0].component is not written: nothing says where"
                            + " controller 'route' is to run");
        }

        /** It would be read as another component: 1.1. */
        @Test
        void invalidFieldIsReportedIfItsValueIsNoText() {
            assertThat(problem("""
                            leaderName: shared
                            controllerLeaders:
                            - name: route
                              component: 1.10
                            """))
                    .isEqualTo("line 4: controllerLeaders[0].component = '1.1': YAML reads it as a number or a boolean,"
                            + " not as text");
        }

        @Test
        void invalidFieldIsReportedWithItsLineIfItIsThereTwice() {
            assertThat(problem("""
                            leaderName: shared
                            controllerLeaders:
                            - name: route
                              component: orders
                            leaderName: other
                            """)).contains("found duplicate key leaderName", "line 5");
        }

        @Test
        void invalidFieldIsReportedWithItsLineIfItsValueIsRefused() {
            assertThat(problem("""
                            leaderName: shared
                            controllerLeaders:
                            - name: route
                              component: *
                            - name: route
                              component: *
                            """)).startsWith("line 5: controllerLeaders[1].name = 'route': ");
        }

        @Test
        void invalidFieldIsReportedIfItsValueIsOfTheWrongKind() {
            assertThat(problem("""
                            leaderName: [a]
                            controllerLeaders:
                              route: orders
                            """)).isEqualTo("line 1: leaderName[0] = 'a': there is no such field");
            assertThat(problem("{leaderName: a, controllerLeaders: [route]}"))
                    .isEqualTo("line 1: controllerLeaders[0] = 'route': there is no such field");
        }

        @Test
        void invalidFieldIsTreatedAsAbsentIfItHasNoValue() {
            assertThat(problem("""
                            leaderName:
                            controllerLeaders:
                            - name: route
                              component: *
                            """)).isEqualTo("line 1: leaderName is not written: the migration lock needs a name");
        }
    }

    @Nested
    class UnreadableFile {

        @ParameterizedTest
        @ValueSource(strings = {"", "# nothing\n", "---\n", "~"})
        void unreadableFileIsReportedIfItIsEmpty(String yaml) {
            assertThat(problem(yaml)).isEqualTo("it must be one document with fields such as leaderName");
        }

        @Test
        void unreadableFileIsReportedWithItsLineIfItIsMalformedYaml() {
            assertThat(problem("leaderName: shared\ncontrollerLeaders:\n\t- name: route\n"))
                    .startsWith("it can't be read as YAML: ")
                    .contains("line 3");
            assertThat(problem("leaderName: shared\ncontrollerLeaders:\n- name: *\n"))
                    .startsWith("it can't be read as YAML: ")
                    .contains("line 3");
        }

        @Test
        void unreadableFileIsReportedIfItHasNoFieldsOrSeveralDocuments() {
            assertThat(problem("route\n")).isEqualTo("line 1: document = 'route': there is no such field");
            assertThat(problem("leaderName: a\n---\nleaderName: b\n"))
                    .isEqualTo("it must be one document with fields such as leaderName");
        }
    }
}

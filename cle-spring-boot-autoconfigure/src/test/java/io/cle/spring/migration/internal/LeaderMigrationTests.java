package io.cle.spring.migration.internal;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import io.cle.InvalidConfigurationException;
import io.cle.migration.Assignment;
import io.cle.migration.MigrationPlan;
import io.cle.spring.MigrationFile;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.io.ApplicationResourceLoader;
import org.springframework.core.io.ResourceLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class LeaderMigrationTests {

    @TempDir
    private Path folder;

    private static Optional<MigrationPlan> resolve(String... properties) {
        return resolve(ApplicationResourceLoader.get(), properties);
    }

    private static Optional<MigrationPlan> resolve(ResourceLoader resources, String... properties) {
        Map<String, String> source = new TreeMap<>();
        for (String property : properties) {
            int equals = property.indexOf('=');
            source.put(property.substring(0, equals), property.substring(equals + 1));
        }
        MigrationProperties bound = new Binder(new MapConfigurationPropertySource(source))
                .bindOrCreate("cle.migration", MigrationProperties.class);
        return LeaderMigration.of(bound, resources, "orders").plan();
    }

    private static InvalidConfigurationException problem(String... properties) {
        return catchThrowableOfType(InvalidConfigurationException.class, () -> resolve(properties));
    }

    private String file(String yaml) throws IOException {
        return Files.writeString(folder.resolve("migration.yaml"), yaml).toString();
    }

    @Test
    void nothingMigratesUnlessItIsConfigured() {
        assertThat(resolve()).isEmpty();
        assertThat(resolve("cle.migration.enabled=false", "cle.migration.component=orders"))
                .isEmpty();
    }

    @Nested
    class ConfigurationFile {

        @Test
        void configurationFileIsRead() throws IOException {
            String file = file("leaderName: shared\ncontrollerLeaders:\n- name: route\n  component: *\n");
            MigrationPlan plan = resolve("cle.migration.enabled=true", "cle.migration.config-file=" + file)
                    .orElseThrow();
            assertThat(plan.leaderName()).isEqualTo("shared");
            assertThat(plan.component()).isEqualTo("orders");
            assertThat(plan.assignment("route")).isEqualTo(Assignment.MIGRATION_LOCK);
        }

        @Test
        void configurationFileMayBeAResourceOfTheClassPath() throws IOException {
            file("leaderName: shared\ncontrollerLeaders:\n- name: route\n  component: *\n");
            try (URLClassLoader classPath =
                    new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
                MigrationPlan plan = resolve(
                                ApplicationResourceLoader.get(classPath),
                                "cle.migration.enabled=true",
                                "cle.migration.config-file=classpath:migration.yaml")
                        .orElseThrow();

                assertThat(plan.leaderName()).isEqualTo("shared");
            }
        }

        @Test
        void configurationFileIsNamedIfItIsMissingOnTheClassPath() {
            assertThat(problem("cle.migration.enabled=true", "cle.migration.config-file=classpath:missing.yaml")
                            .getMessage())
                    .contains("classpath:missing.yaml", "can't be read", "class path resource");
        }

        @Test
        void configurationFileIsNamedIfItIsMissing() {
            String file = folder.resolve("missing.yaml").toString();
            InvalidConfigurationException problem =
                    problem("cle.migration.enabled=true", "cle.migration.config-file=" + file);
            assertThat(problem.getMessage()).contains("cle.migration.config-file (" + file + ")", "can't be read");
        }

        @Test
        void configurationFileIsReportedWithTheLineOfEachProblem() throws IOException {
            String file = file("leaderName: shared\nresourceLock: pods\ncontrollerLeaders:\n- name: route\n");
            assertThat(problem("cle.migration.enabled=true", "cle.migration.config-file=" + file))
                    .hasMessageStartingWith(
                            "cle.migration.config-file (" + file + "): line 2: resourceLock = 'pods': ");
        }
    }

    @Nested
    class Component {

        @Test
        void componentMayNotBeAnyComponent() {
            String enabled = "cle.migration.enabled=true";
            String file = MigrationFile.of("shared", "route=*");
            assertThat(problem(enabled, file, "cle.migration.component=").property())
                    .isEqualTo("cle.migration.component");
            assertThat(problem(enabled, file, "cle.migration.component=*"))
                    .hasMessageStartingWith("cle.migration.component (*)");
        }
    }

    @Nested
    class Contradiction {

        @Test
        void theContradictionIsAConfigurationThatIsNotEnabled() {
            InvalidConfigurationException problem = problem("cle.migration.config-file=anything.yaml");
            assertThat(problem.getMessage()).startsWith("cle.migration.enabled (false)");
            assertThat(problem.action()).contains("cle.migration.enabled=true");
        }

        @Test
        void theContradictionIsAMigrationWithoutAConfiguration() {
            InvalidConfigurationException problem = problem("cle.migration.enabled=true");
            assertThat(problem.getMessage()).startsWith("cle.migration.config-file is not set");
            assertThat(problem.action()).contains("LeaderMigrationConfiguration");
        }
    }
}

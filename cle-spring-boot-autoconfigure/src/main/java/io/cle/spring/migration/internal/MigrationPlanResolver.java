package io.cle.spring.migration.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

import io.cle.InvalidConfigurationException;
import io.cle.migration.ControllerLeader;
import io.cle.migration.LeaderMigrationConfiguration;
import io.cle.migration.MigrationPlan;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

/** Resolves the migration plan of this component from {@code cle.migration.*}, and fails on the first error before anything starts. */
final class MigrationPlanResolver {

    private static final String ENABLED = "cle.migration.enabled";
    static final String CONFIG_FILE = "cle.migration.config-file";
    private static final String COMPONENT = "cle.migration.component";

    private MigrationPlanResolver() {}

    /**
     * Returns the plan of this component; empty if it takes part in no migration.
     *
     * @param resources finds the configuration file; must take a path without a prefix as one of the file system
     * @param applicationName the component's name, unless a property names it
     * @throws InvalidConfigurationException if the configuration can't be used
     */
    static Optional<MigrationPlan> resolve(
            MigrationProperties properties, ResourceLoader resources, @Nullable String applicationName) {
        String file = properties.configFile();
        if (!properties.enabled()) {
            refuseAFileThatIsNotEnabled(file);
            return Optional.empty();
        }
        if (file == null) {
            throw new InvalidConfigurationException(
                    CONFIG_FILE,
                    null,
                    "the migration is enabled, and nothing says which controllers migrate",
                    "Set " + CONFIG_FILE + " to a file with a LeaderMigrationConfiguration, or remove " + ENABLED
                            + ".");
        }
        LeaderMigrationConfiguration configuration = MigrationYaml.read(file, read(file, resources));
        return Optional.of(new MigrationPlan(configuration, component(properties.component(), applicationName)));
    }

    /** Refuses a migration that is configured but not enabled, as in KEP-2436: its controllers would run twice, or under the wrong lock. */
    private static void refuseAFileThatIsNotEnabled(@Nullable String file) {
        if (file != null) {
            throw new InvalidConfigurationException(
                    ENABLED,
                    "false",
                    "a leader migration is configured (" + CONFIG_FILE + " = '" + file + "'), and would not take place",
                    "Set " + ENABLED + "=true, or remove " + CONFIG_FILE + ".");
        }
    }

    private static String component(@Nullable String configured, @Nullable String applicationName) {
        String component = configured == null ? applicationName : configured;
        if (component == null || component.isBlank()) {
            throw new InvalidConfigurationException(
                    COMPONENT,
                    configured,
                    "nothing says which of the migration's components this application is",
                    "Set " + COMPONENT + " or spring.application.name to the name that the configuration has for it.");
        }
        if (component.equals(ControllerLeader.ANY_COMPONENT)) {
            throw new InvalidConfigurationException(
                    COMPONENT,
                    component,
                    "this application can't be any component; that is for the configuration's controllers to say",
                    "Set " + COMPONENT + " to the name that the configuration has for this application.");
        }
        return component;
    }

    private static String read(String file, ResourceLoader resources) {
        Resource resource = resources.getResource(file);
        try {
            return resource.getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new InvalidConfigurationException(
                    CONFIG_FILE,
                    file,
                    "the file can't be read: " + resource.getDescription() + ": " + e,
                    "Check that it is there and readable; in a pod, that its ConfigMap is mounted.");
        }
    }
}

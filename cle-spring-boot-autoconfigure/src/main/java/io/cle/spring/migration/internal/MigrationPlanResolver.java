package io.cle.spring.migration.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
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

    private static final String ROOT = "cle.migration.";
    private static final String ENABLED = ROOT + "enabled";
    static final String CONFIG_FILE = ROOT + "config-file";
    private static final String COMPONENT = ROOT + "component";
    private static final String LEADER_NAME = ROOT + "leader-name";

    private final MigrationProperties properties;
    private final ResourceLoader resources;
    private final @Nullable String applicationName;

    private MigrationPlanResolver(
            MigrationProperties properties, ResourceLoader resources, @Nullable String applicationName) {
        this.properties = properties;
        this.resources = resources;
        this.applicationName = applicationName;
    }

    /**
     * Returns the plan of this component; empty if it takes part in no migration.
     *
     * @param resources finds the configuration file; must take a path without a prefix as one of the file system
     * @param applicationName the component's name, unless a property names it
     * @throws InvalidConfigurationException if the configuration can't be used
     */
    static Optional<MigrationPlan> resolve(
            MigrationProperties properties, ResourceLoader resources, @Nullable String applicationName) {
        MigrationPlanResolver resolver = new MigrationPlanResolver(properties, resources, applicationName);
        if (!properties.enabled()) {
            resolver.refuseConfigurationThatIsNotEnabled();
            return Optional.empty();
        }
        return Optional.of(new MigrationPlan(resolver.configuration(), resolver.component()));
    }

    /** Refuses a migration that is configured but not enabled, as in KEP-2436: its controllers would run twice, or under the wrong lock. */
    private void refuseConfigurationThatIsNotEnabled() {
        if (properties.configFile() != null || properties.configuredInProperties()) {
            String configured = properties.configFile() != null
                    ? CONFIG_FILE + " = '" + properties.configFile() + "'"
                    : LEADER_NAME + " and its like";
            throw new InvalidConfigurationException(
                    ENABLED,
                    "false",
                    "a leader migration is configured (" + configured + "), and would not take place",
                    "Set " + ENABLED + "=true, or remove the migration's configuration.");
        }
    }

    private String component() {
        String component = properties.component() == null ? applicationName : properties.component();
        if (component == null || component.isBlank()) {
            throw new InvalidConfigurationException(
                    COMPONENT,
                    properties.component(),
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

    private LeaderMigrationConfiguration configuration() {
        String file = properties.configFile();
        if (file == null) {
            return ofProperties();
        }
        if (properties.configuredInProperties()) {
            throw new InvalidConfigurationException(
                    CONFIG_FILE,
                    file,
                    "the migration is configured both in this file and by " + ROOT + "*",
                    "Keep the file and remove " + LEADER_NAME + ", " + ROOT + "resource-lock and " + ROOT
                            + "controller-leaders, or the other way round.");
        }
        return MigrationYaml.read(file, read(file));
    }

    private LeaderMigrationConfiguration ofProperties() {
        if (!properties.configuredInProperties()) {
            throw new InvalidConfigurationException(
                    CONFIG_FILE,
                    null,
                    "the migration is enabled, and nothing says which controllers migrate",
                    "Set " + CONFIG_FILE + " to a file with a LeaderMigrationConfiguration, or write it as "
                            + LEADER_NAME + " and " + ROOT + "controller-leaders; or remove " + ENABLED + ".");
        }
        LeaderMigrationConfiguration configuration = new LeaderMigrationConfiguration(
                null,
                null,
                properties.leaderName(),
                properties.resourceLock(),
                properties.controllerLeaders().stream()
                        .map(leader -> new ControllerLeader(orEmpty(leader.name()), orEmpty(leader.component())))
                        .toList());
        configuration.problems().stream().findFirst().ifPresent(problem -> {
            throw new InvalidConfigurationException(
                    property(problem.place()), problem.value(), problem.reason(), problem.action());
        });
        return configuration;
    }

    /** Returns KEP-2436's name of a field as a property: {@code cle.migration.controller-leaders[0].name}. */
    private static String property(String place) {
        return ROOT + place.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    private String read(String file) {
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

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}

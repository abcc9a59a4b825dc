package io.cle.spring.migration.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import io.cle.CoordinatedLeaseLock;
import io.cle.InvalidConfigurationException;
import io.cle.OwnedLock;
import io.cle.migration.Assignment;
import io.cle.migration.ControllerLeader;
import io.cle.migration.MigrationPlan;
import io.cle.migration.internal.NestedLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

/**
 * The part of this application in a leader migration, if it takes part in one. The migration lease is a further lease,
 * held only within the terms of the default lease. Immutable.
 */
public final class LeaderMigration {

    /** The prefix of all its properties' names. */
    public static final String PREFIX = "cle.migration.";

    static final String CONFIG_FILE = PREFIX + "config-file";

    private static final Logger log = LoggerFactory.getLogger(LeaderMigration.class);

    private static final String ENABLED = PREFIX + "enabled";
    private static final String COMPONENT = PREFIX + "component";

    private final @Nullable MigrationPlan plan;
    private final @Nullable String file;
    private final @Nullable String namespace;

    private LeaderMigration(@Nullable MigrationPlan plan, MigrationProperties properties) {
        this.plan = plan;
        this.file = properties.configFile();
        this.namespace = properties.namespace();
    }

    /**
     * Reads and checks the configuration.
     *
     * @param resources finds the configuration file; must treat a path without a prefix as one of the file system
     * @param applicationName the component's name, unless a property names it
     * @throws InvalidConfigurationException if the configuration can't be used
     */
    public static LeaderMigration of(
            MigrationProperties properties, ResourceLoader resources, @Nullable String applicationName) {
        String file = properties.configFile();
        if (!properties.enabled()) {
            refuseAFileThatIsNotEnabled(file);
            return new LeaderMigration(null, properties);
        }
        if (file == null) {
            throw new InvalidConfigurationException(
                    CONFIG_FILE,
                    null,
                    "the migration is enabled, but no file names the controllers that migrate",
                    "Set " + CONFIG_FILE + " to a file with a LeaderMigrationConfiguration, or remove " + ENABLED
                            + ".");
        }
        MigrationPlan plan = new MigrationPlan(
                MigrationYaml.read(file, read(file, resources)), component(properties.component(), applicationName));
        return new LeaderMigration(plan, properties);
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
        if (component == null || component.isBlank() || component.equals(ControllerLeader.ANY_COMPONENT)) {
            throw new InvalidConfigurationException(
                    COMPONENT,
                    component,
                    "doesn't say which one of the migration's components this application is",
                    "Set " + COMPONENT + " or spring.application.name to the name that the configuration has for it.");
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

    /** Returns the plan of this component; empty if it takes part in no migration. */
    public Optional<MigrationPlan> plan() {
        return Optional.ofNullable(plan);
    }

    /** Returns the name of the migration lease; empty if this application isn't a candidate for it. */
    public Optional<String> lease() {
        return plan().filter(MigrationPlan::standsForMigrationLock).map(MigrationPlan::leaderName);
    }

    /**
     * Returns the properties that the migration sets for its lease. The lease inherits the others from the default lease.
     *
     * @param names the leases that are configured
     * @return empty if this application isn't a candidate for the lease
     * @throws InvalidConfigurationException if there is already a lease of that name
     */
    public Optional<Map<String, String>> propertiesOfLease(Set<String> names) {
        plan().map(MigrationPlan::leaderName).filter(names::contains).ifPresent(name -> {
            throw new InvalidConfigurationException(
                    "cle.leases." + name,
                    name,
                    "this is the migration's lease, which is configured by cle.migration",
                    "Remove cle.leases." + name + "; the migration's lease is like the default one, except " + PREFIX
                            + "namespace and its resource lock.");
        });
        return plan().filter(MigrationPlan::standsForMigrationLock).map(candidate -> {
            Map<String, String> own = new HashMap<>(
                    Map.of("resource-lock", candidate.resourceLock().name()));
            if (namespace != null) {
                own.put("namespace", namespace);
            }
            return own;
        });
    }

    /**
     * Returns the lock of a further lease as the application uses it: the lock of the migration lease is nested in that of the default
     * lease.
     */
    public CoordinatedLeaseLock place(String lease, OwnedLock lock, Supplier<CoordinatedLeaseLock> main) {
        return lease().filter(lease::equals).isPresent() ? new NestedLock(main.get(), lock) : lock;
    }

    /**
     * Returns the lease of a controller that runs in this application.
     *
     * @return the lease's name in this application; empty for the default one
     */
    public Optional<String> leaseOf(String controller) {
        return plan().filter(known -> known.assignment(controller) == Assignment.MIGRATION_LOCK)
                .map(MigrationPlan::leaderName);
    }

    /** Returns whether a controller may run in this application. If not, it never runs, whichever process leads. */
    public boolean runsHere(String controller) {
        return plan == null || plan.assignment(controller) != Assignment.NOT_HERE;
    }

    /**
     * Checks the controllers of the beans before any of them runs.
     *
     * @param controllers all controllers that {@code @OnLeader} names
     * @throws InvalidConfigurationException if a controller is assigned to this component and no bean has it: while this application
     *     holds the migration lease, that controller would run nowhere
     */
    public void check(Set<String> controllers) {
        if (plan == null) {
            return;
        }
        plan.missing(controllers).stream().findFirst().ifPresent(missing -> {
            throw new InvalidConfigurationException(
                    CONFIG_FILE,
                    file,
                    "controller '" + missing + "' may run in component '" + plan.component()
                            + "', and no bean has it: the beans have " + controllers,
                    "Annotate its work with @OnLeader(controller = \"" + missing
                            + "\"), correct its name, or assign it to the component that has it.");
        });
        log.info("{}", plan);
        plan.warnings().forEach(warning -> log.warn("Leader migration: {}", warning));
    }
}

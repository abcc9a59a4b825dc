package io.cle.spring.migration.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import io.cle.CoordinatedLeaseLock;
import io.cle.InvalidConfigurationException;
import io.cle.OwnedLock;
import io.cle.migration.Assignment;
import io.cle.migration.MigrationPlan;
import io.cle.migration.internal.NestedLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.ResourceLoader;

/**
 * The part of this application in a leader migration, if it takes part in one: the migration lease is a further lease, and is held only
 * within the terms of the default lease. Immutable.
 */
public final class LeaderMigration implements ControllerAssignments {

    private static final Logger log = LoggerFactory.getLogger(LeaderMigration.class);

    private static final String CONFIG_FILE = MigrationPlanResolver.CONFIG_FILE;
    private static final String OWN = "cle.migration.";

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
     * @param resources finds the configuration file
     * @param applicationName the component's name, unless a property names it
     * @throws InvalidConfigurationException if the configuration can't be used
     */
    public static LeaderMigration of(
            MigrationProperties properties, ResourceLoader resources, @Nullable String applicationName) {
        return new LeaderMigration(
                MigrationPlanResolver.resolve(properties, resources, applicationName)
                        .orElse(null),
                properties);
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
     * Returns the properties of the migration lease by its name; empty if this application isn't a candidate for it. The lease inherits
     * from the default lease what the migration doesn't set.
     *
     * @param names the leases that are configured
     * @throws InvalidConfigurationException if there is a lease of that name already
     */
    public Map<String, Map<String, String>> furtherLease(Set<String> names) {
        if (plan == null) {
            return Map.of();
        }
        String name = plan.leaderName();
        if (names.contains(name)) {
            throw new InvalidConfigurationException(
                    "cle.leases." + name,
                    name,
                    "this is the migration's lease, which is configured by cle.migration",
                    "Remove cle.leases." + name + "; the migration's lease is as the default one, but for " + OWN
                            + "namespace and its resource lock.");
        }
        if (!plan.standsForMigrationLock()) {
            return Map.of();
        }
        Map<String, String> own =
                new HashMap<>(Map.of("resource-lock", plan.resourceLock().name()));
        if (namespace != null) {
            own.put("namespace", namespace);
        }
        return Map.of(name, own);
    }

    /**
     * Runs a task on properties that contain the migration lease.
     *
     * @throws InvalidConfigurationException what the task throws, with the names of the properties that the user has written
     */
    public <T> T named(Supplier<T> task) {
        try {
            return task.get();
        } catch (InvalidConfigurationException e) {
            String made = "cle.leases." + lease().orElse("");
            String property = e.property();
            if (!property.equals(made) && !property.startsWith(made + ".")) {
                throw e;
            }
            if (property.equals(made)) {
                String reason = "leaderName = '" + e.value() + "': " + e.reason();
                throw new InvalidConfigurationException(CONFIG_FILE, file, reason, e.action());
            }
            throw new InvalidConfigurationException(
                    property.replace(made + ".", OWN),
                    e.value(),
                    e.reason(),
                    e.action().replace(made + ".", OWN));
        }
    }

    /**
     * Returns the lock of a further lease as the application uses it: the lock of the migration lease is nested in that of the default
     * lease.
     */
    public CoordinatedLeaseLock place(String lease, OwnedLock lock, Supplier<CoordinatedLeaseLock> main) {
        return lease().filter(lease::equals).isPresent() ? new NestedLock(main.get(), lock) : lock;
    }

    @Override
    public Optional<String> leaseOf(String controller) {
        return plan != null && plan.assignment(controller) == Assignment.MIGRATION_LOCK
                ? Optional.of(plan.leaderName())
                : Optional.empty();
    }

    @Override
    public boolean runsHere(String controller) {
        return plan == null || plan.assignment(controller) != Assignment.NOT_HERE;
    }

    /**
     * {@inheritDoc}
     *
     * @throws InvalidConfigurationException if a controller is assigned to this component and no bean has it: while this application
     *     holds the migration lease, that controller would run nowhere
     */
    @Override
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
                    "Annotate what it does with @OnLeader(controller = \"" + missing
                            + "\"), correct its name, or assign it to the component that has it.");
        });
        log.info("{}", plan);
        plan.warnings().forEach(warning -> log.warn("leader migration: {}", warning));
    }
}

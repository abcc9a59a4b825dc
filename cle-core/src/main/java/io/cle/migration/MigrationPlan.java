package io.cle.migration;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.cle.ResourceLock;

/**
 * The assignments of a configuration for one component. Immutable.
 *
 * <p>A controller that the configuration names runs under the migration lock, and in this component only if it is assigned to it or
 * to any; every other controller runs under the component's main lock (KEP-2436, Migration Configuration).
 */
public final class MigrationPlan {

    private final String component;
    private final String leaderName;
    private final ResourceLock resourceLock;
    private final Set<String> namedComponents;
    private final Map<String, ControllerLeader> byController = new LinkedHashMap<>();

    /**
     * Creates the plan of a component.
     *
     * @throws IllegalArgumentException if the configuration has problems, which the caller must report first
     */
    public MigrationPlan(LeaderMigrationConfiguration configuration, String component) {
        String name = configuration.leaderName();
        if (name == null || !configuration.problems().isEmpty()) {
            throw new IllegalArgumentException("unusable configuration: " + configuration.problems());
        }
        this.component = component;
        this.leaderName = name;
        String lock = configuration.resourceLock();
        this.resourceLock =
                lock == null ? ResourceLock.LEASES : ResourceLock.find(lock).orElseThrow();
        this.namedComponents = configuration.components();
        configuration.controllerLeaders().forEach(leader -> byController.put(leader.name(), leader));
    }

    /** Returns the component of this plan. */
    public String component() {
        return component;
    }

    /** Returns the name of the migration lock. */
    public String leaderName() {
        return leaderName;
    }

    /** Returns the kind of the migration lock. */
    public ResourceLock resourceLock() {
        return resourceLock;
    }

    /** Returns the lock under which a controller runs in this component. */
    public Assignment assignment(String controller) {
        ControllerLeader leader = byController.get(controller);
        if (leader == null) {
            return Assignment.MAIN_LOCK;
        }
        return leader.runsIn(component) ? Assignment.MIGRATION_LOCK : Assignment.NOT_HERE;
    }

    /** Returns the controllers that run here while this component holds the migration lock, in the order of the configuration. */
    public Set<String> controllersHere() {
        Set<String> here = new LinkedHashSet<>();
        byController.values().stream()
                .filter(leader -> leader.runsIn(component))
                .forEach(leader -> here.add(leader.name()));
        return here;
    }

    /**
     * Returns whether this component is a candidate for the migration lock. A component without a controller to run under it isn't, because
     * it would keep the lock from the components that have one.
     */
    public boolean standsForMigrationLock() {
        return !controllersHere().isEmpty();
    }

    /** Returns the controllers that the configuration assigns to this component but this program doesn't have, in the order of the configuration. */
    public Set<String> missing(Collection<String> present) {
        Set<String> missing = controllersHere();
        missing.removeAll(Set.copyOf(present));
        return missing;
    }

    /** Returns warnings about settings that are allowed but rarely intended, one sentence each. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        Set<String> here = controllersHere();
        if (here.isEmpty()) {
            warnings.add("no controller is assigned to component '" + component + "', only to " + namedComponents
                    + ", so this process is no candidate for the migration lock '" + leaderName
                    + "' and runs none of " + byController.keySet());
        } else if (here.size() < byController.size()) {
            warnings.add("only " + here + " of " + byController.keySet() + " may run in component '" + component
                    + "': the others run nowhere while this component holds the migration lock '" + leaderName
                    + "'; assign all of them to one component, or to '" + ControllerLeader.ANY_COMPONENT + "'");
        }
        return List.copyOf(warnings);
    }

    @Override
    public String toString() {
        return "migration '" + leaderName + "' (" + resourceLock.text() + ") in component '" + component + "': "
                + controllersHere() + " of " + byController.keySet();
    }
}

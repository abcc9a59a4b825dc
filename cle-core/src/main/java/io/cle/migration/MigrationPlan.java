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
 * What a configuration means to one component. Immutable.
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
     * Works a configuration out for a component.
     *
     * @throws IllegalArgumentException when the configuration has problems: the caller that has read it reports them
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

    /** The component that this is worked out for. */
    public String component() {
        return component;
    }

    /** The name of the migration lock. */
    public String leaderName() {
        return leaderName;
    }

    /** What the migration lock is held on. */
    public ResourceLock resourceLock() {
        return resourceLock;
    }

    /** Under which lock a controller runs here. */
    public Assignment assignment(String controller) {
        ControllerLeader leader = byController.get(controller);
        if (leader == null) {
            return Assignment.MAIN_LOCK;
        }
        return leader.runsIn(component) ? Assignment.MIGRATION_LOCK : Assignment.NOT_HERE;
    }

    /** The controllers that run here when this component holds the migration lock, as the configuration orders them. */
    public Set<String> controllersHere() {
        Set<String> here = new LinkedHashSet<>();
        byController.values().stream()
                .filter(leader -> leader.runsIn(component))
                .forEach(leader -> here.add(leader.name()));
        return here;
    }

    /**
     * Whether this component is a candidate for the migration lock. One without a controller to run under it isn't: it would keep the
     * lock from those that have.
     */
    public boolean standsForMigrationLock() {
        return !controllersHere().isEmpty();
    }

    /** The controllers that run here by the configuration and that this program doesn't have, as the configuration orders them. */
    public Set<String> missing(Collection<String> present) {
        Set<String> missing = controllersHere();
        missing.removeAll(Set.copyOf(present));
        return missing;
    }

    /** What is allowed but seldom meant, each a sentence for a person. */
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

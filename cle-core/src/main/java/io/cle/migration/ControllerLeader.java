package io.cle.migration;

/**
 * One line of the configuration: where a controller is to run. As it was written; see {@link LeaderMigrationConfiguration#problems()}.
 *
 * @param name the controller, as {@code @OnLeader(controller = …)} has it; empty when it wasn't written
 * @param component the component that is to run it, or {@link #ANY_COMPONENT}; empty when it wasn't written
 */
public record ControllerLeader(String name, String component) {

    /** Any component: the one that holds the migration lock. */
    public static final String ANY_COMPONENT = "*";

    /** Whether a component may run it. */
    public boolean runsIn(String candidate) {
        return component.equals(ANY_COMPONENT) || component.equals(candidate);
    }
}

package io.cle.migration;

/**
 * One entry of the configuration, which assigns a controller to a component. Not validated; see
 * {@link LeaderMigrationConfiguration#problems()}.
 *
 * @param name the controller, as in {@code @OnLeader(controller = …)}; empty if absent
 * @param component the component that is to run it, or {@link #ANY_COMPONENT}; empty if absent
 */
public record ControllerLeader(String name, String component) {

    /** Any component: the controller runs in the component that holds the migration lock. */
    public static final String ANY_COMPONENT = "*";

    /** Returns whether a component may run it. */
    public boolean runsIn(String candidate) {
        return component.equals(ANY_COMPONENT) || component.equals(candidate);
    }
}

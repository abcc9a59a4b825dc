package io.cle.migration;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.cle.ResourceLock;
import io.cle.model.internal.Names;
import org.jspecify.annotations.Nullable;

/**
 * KEP-2436's {@code LeaderMigrationConfiguration}. Not validated; {@link #problems()} returns its errors.
 *
 * @param apiVersion {@code controllermanager.config.k8s.io/…}; {@code null} if absent, which is allowed
 * @param kind {@code LeaderMigrationConfiguration}; {@code null} if absent, which is allowed
 * @param leaderName the name of the migration lock; {@code null} if absent
 * @param resourceLock the kind of the migration lock; {@code null} if absent, which means {@code leases}
 * @param controllerLeaders which component runs which controller
 */
public record LeaderMigrationConfiguration(
        @Nullable String apiVersion,
        @Nullable String kind,
        @Nullable String leaderName,
        @Nullable String resourceLock,
        List<ControllerLeader> controllerLeaders) {

    private static final String KIND = "LeaderMigrationConfiguration";

    /** The group's three versions differ in {@code resourceLock} only, which the last one no longer has. */
    private static final List<String> API_VERSIONS = List.of(
            "controllermanager.config.k8s.io/v1",
            "controllermanager.config.k8s.io/v1beta1",
            "controllermanager.config.k8s.io/v1alpha1");

    /**
     * A problem of the configuration, described for a person.
     *
     * @param place the field, as the KEP writes it: {@code leaderName}, {@code controllerLeaders[1].component}
     * @param value its value; {@code null} if absent
     * @param reason what is wrong with the value, to be printed after the place and the value
     * @param action how to fix it, as a sentence
     */
    public record Problem(String place, @Nullable String value, String reason, String action) {}

    /** Makes it immutable. */
    public LeaderMigrationConfiguration {
        controllerLeaders = List.copyOf(controllerLeaders);
    }

    /** Returns all problems in the order of the fields; empty if the configuration is valid. */
    public List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        if (apiVersion != null && !API_VERSIONS.contains(apiVersion)) {
            problems.add(new Problem(
                    "apiVersion",
                    apiVersion,
                    "there is no such version of a leader migration's configuration",
                    "Write one of " + String.join(", ", API_VERSIONS) + ", or leave it out."));
        }
        if (kind != null && !kind.equals(KIND)) {
            problems.add(
                    new Problem("kind", kind, "this is not a leader migration's configuration", "Write " + KIND + "."));
        }
        problemOfLeaderName().ifPresent(problems::add);
        if (resourceLock != null && ResourceLock.find(resourceLock).isEmpty()) {
            problems.add(new Problem(
                    "resourceLock",
                    resourceLock,
                    "there is no such resource lock",
                    "Write one of " + String.join(", ", ResourceLock.texts())
                            + "; left out, it is leases. All components need the same."));
        }
        addProblemsOfControllers(problems);
        return List.copyOf(problems);
    }

    private Optional<Problem> problemOfLeaderName() {
        if (leaderName == null) {
            return Optional.of(
                    new Problem(
                            "leaderName",
                            null,
                            "the migration lock needs a name",
                            "Name the lock that the components share, for example orders-to-billing; all of them need the same."));
        }
        return Names.problemOfName(leaderName)
                .map(problem -> new Problem(
                        "leaderName",
                        leaderName,
                        "as the name of the migration lock it " + problem,
                        "Change it, in the configurations of all components."));
    }

    private void addProblemsOfControllers(List<Problem> problems) {
        if (controllerLeaders.isEmpty()) {
            problems.add(new Problem(
                    "controllerLeaders",
                    null,
                    "there is nothing to migrate without controllers",
                    "List the controllers that move, each with its name and its component."));
        }
        Map<String, Integer> firstAt = new HashMap<>();
        for (int i = 0; i < controllerLeaders.size(); i++) {
            ControllerLeader leader = controllerLeaders.get(i);
            String place = "controllerLeaders[" + i + "]";
            if (leader.name().isBlank()) {
                problems.add(new Problem(
                        place + ".name",
                        null,
                        "the controller needs a name",
                        "Write what its @OnLeader(controller = …) says."));
            } else if (firstAt.putIfAbsent(leader.name(), i) != null) {
                problems.add(new Problem(
                        place + ".name",
                        leader.name(),
                        "the controller is there twice, also as controllerLeaders[" + firstAt.get(leader.name()) + "]",
                        "Remove one of the two; a controller that may run in either component has the component '"
                                + ControllerLeader.ANY_COMPONENT + "'."));
            }
            if (leader.component().isBlank()) {
                problems.add(new Problem(
                        place + ".component",
                        null,
                        "nothing says where controller '" + leader.name() + "' is to run",
                        "Write the name of a component, or '" + ControllerLeader.ANY_COMPONENT + "' for any."));
            }
        }
    }

    /** Returns the components that it names, except {@link ControllerLeader#ANY_COMPONENT}, in order. */
    public Set<String> components() {
        return controllerLeaders.stream()
                .map(ControllerLeader::component)
                .filter(component -> !component.equals(ControllerLeader.ANY_COMPONENT))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}

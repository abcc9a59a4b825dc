package io.cle;

import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/** Thrown if properties are invalid or contradict each other. Lists all problems, not only the first. */
public final class InvalidConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<ConfigurationProblem> problems;

    /** Creates an exception for a single {@link ConfigurationProblem}. */
    public InvalidConfigurationException(String property, @Nullable String value, String reason, String action) {
        this(List.of(new ConfigurationProblem(property, value, reason, action)));
    }

    /** Creates an exception for the given problems, at least one. */
    public InvalidConfigurationException(List<ConfigurationProblem> problems) {
        super(problems.stream()
                .map(ConfigurationProblem::describe)
                .collect(Collectors.joining("; ", "the configuration can't be used: ", "")));
        this.problems = List.copyOf(problems);
    }

    /** Returns all problems, in the order of the properties. */
    public List<ConfigurationProblem> problems() {
        return problems;
    }
}

package io.cle;

import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/** Properties contradict themselves or can't be used. Tells all that is wrong, not just the first thing. */
public final class InvalidConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<ConfigurationProblem> problems;

    /** Made of a single {@link ConfigurationProblem}. */
    public InvalidConfigurationException(String property, @Nullable String value, String reason, String action) {
        this(List.of(new ConfigurationProblem(property, value, reason, action)));
    }

    /** Made of at least one problem. */
    public InvalidConfigurationException(List<ConfigurationProblem> problems) {
        super(problems.stream()
                .map(ConfigurationProblem::describe)
                .collect(Collectors.joining("; ", "the configuration can't be used: ", "")));
        this.problems = List.copyOf(problems);
    }

    /** All that is wrong, in the order of the properties. */
    public List<ConfigurationProblem> problems() {
        return problems;
    }
}

package io.cle.coordinator.settings;

import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/** The coordinator can't start with the properties it was given. */
public final class InvalidSettingsException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient List<SettingProblem> problems;

    /** All that is wrong, so that it can be mended at once. */
    public InvalidSettingsException(List<SettingProblem> problems) {
        super(problems.stream().map(SettingProblem::describe).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    /** What is wrong. */
    public List<SettingProblem> problems() {
        return problems;
    }
}

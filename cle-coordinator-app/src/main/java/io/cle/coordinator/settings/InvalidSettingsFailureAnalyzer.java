package io.cle.coordinator.settings;

import java.util.LinkedHashSet;
import java.util.Set;

import io.cle.ConfigurationProblem;
import io.cle.InvalidConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells of every property that can't be used: its name, its value and the way out. */
class InvalidSettingsFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidConfigurationException cause) {
        StringBuilder description = new StringBuilder("The coordinator's configuration can't be used:\n");
        Set<String> actions = new LinkedHashSet<>();
        for (ConfigurationProblem problem : cause.problems()) {
            description.append("\n    ").append(problem.describe());
            actions.add(problem.property() + ": " + problem.action());
        }
        return new FailureAnalysis(description.toString(), String.join("\n", actions), cause);
    }
}

package io.cle.spring.boot;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.cle.spring.properties.ConfigurationProblem;
import io.cle.spring.properties.InvalidCleConfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Tells of every {@code cle.*} property that can't be used: its name, its value, where it was set, and the way out. */
class InvalidCleConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidCleConfigurationException> {

    private final Environment environment;

    InvalidCleConfigurationFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidCleConfigurationException cause) {
        List<ConfigurationProblem> problems = cause.problems();
        StringBuilder description = new StringBuilder("The leader election's configuration can't be used:\n");
        Set<String> actions = new LinkedHashSet<>();
        for (ConfigurationProblem problem : problems) {
            description.append("\n    ").append(problem.describe());
            String origin = origin(problem.property());
            if (origin != null) {
                description.append(" (from ").append(origin).append(')');
            }
            actions.add(problem.action());
        }
        return new FailureAnalysis(description.toString(), String.join("\n", actions), cause);
    }

    private @Nullable String origin(String property) {
        if (!ConfigurationPropertyName.isValid(property)) {
            return null;
        }
        ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            ConfigurationProperty found = source.getConfigurationProperty(name);
            if (found != null) {
                return found.getOrigin() == null ? null : found.getOrigin().toString();
            }
        }
        return null;
    }
}

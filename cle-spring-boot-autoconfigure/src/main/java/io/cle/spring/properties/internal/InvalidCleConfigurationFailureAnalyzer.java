package io.cle.spring.properties.internal;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import io.cle.ConfigurationProblem;
import io.cle.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Lists every {@code cle.*} property that can't be used: its name, its value as it was written, its origin, and what to do. */
class InvalidCleConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationException> {

    private static final Pattern WITHOUT_UNIT = Pattern.compile("-?\\d+");

    private final Environment environment;

    InvalidCleConfigurationFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidConfigurationException cause) {
        List<ConfigurationProblem> problems = cause.problems();
        StringBuilder description = new StringBuilder("The leader election's configuration can't be used:\n");
        Set<String> actions = new LinkedHashSet<>();
        for (ConfigurationProblem problem : problems) {
            ConfigurationProperty written = written(problem.property());
            description.append("\n    ").append(describe(problem, written));
            if (written != null && written.getOrigin() != null) {
                description.append(" (from ").append(written.getOrigin()).append(')');
            }
            actions.add(problem.action());
        }
        return new FailureAnalysis(description.toString(), String.join("\n", actions), cause);
    }

    /** The problem with the value as it was written: {@code 15} without a unit means 15 ms, and a reader would not find 15 ms in the file. */
    private static String describe(ConfigurationProblem problem, @Nullable ConfigurationProperty written) {
        String value = problem.value();
        String text = written == null ? "" : String.valueOf(written.getValue());
        if (value == null || !WITHOUT_UNIT.matcher(text).matches() || text.equals(value)) {
            return problem.describe();
        }
        return problem.property() + " = '" + text + "' (" + value
                + ", because a number without a unit counts milliseconds): " + problem.reason();
    }

    private @Nullable ConfigurationProperty written(String property) {
        if (!ConfigurationPropertyName.isValid(property)) {
            return null;
        }
        ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            ConfigurationProperty found = source.getConfigurationProperty(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}

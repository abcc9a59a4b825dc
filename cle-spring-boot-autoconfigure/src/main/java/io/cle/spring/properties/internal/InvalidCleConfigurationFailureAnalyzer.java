package io.cle.spring.properties.internal;

import java.util.Objects;
import java.util.stream.StreamSupport;

import io.cle.InvalidConfigurationException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Reports a {@code cle.*} property that can't be used: its name, its value, its origin, and what to do. */
class InvalidCleConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationException> {

    private final Environment environment;

    InvalidCleConfigurationFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidConfigurationException cause) {
        String description = "The leader election's configuration can't be used:\n\n    " + cause.getMessage();
        return new FailureAnalysis(description + origin(cause.property()), cause.action(), cause);
    }

    private String origin(String property) {
        ConfigurationPropertyName name = ConfigurationPropertyName.ofIfValid(property);
        return name == null
                ? ""
                : StreamSupport.stream(
                                ConfigurationPropertySources.get(environment).spliterator(), false)
                        .map(source -> source.getConfigurationProperty(name))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .map(ConfigurationProperty::getOrigin)
                        .map(origin -> " (from " + origin + ")")
                        .orElse("");
    }
}

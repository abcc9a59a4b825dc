package io.cle.spring.properties.internal;

import java.util.List;
import java.util.stream.IntStream;

import io.cle.model.internal.KnownProperties;
import io.cle.spring.migration.MigrationProperties;
import io.cle.spring.onleader.OnLeaderProperties;
import io.cle.spring.properties.CleProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Reports {@code cle.*} properties that configure nothing: with {@code cle.candidate.stratgy} a candidate would ask for the default strategy,
 * and the wrong replica would lead. A warning and not a failure, because an application that is rolled back may find properties of the
 * release after it.
 *
 * <p>Environment variables are left out, because Kubernetes sets some for each Service: {@code CLE_SERVICE_HOST} for one named {@code cle}.
 */
public final class UnknownProperties {

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("cle");

    private static final Logger log = LoggerFactory.getLogger(UnknownProperties.class);

    private UnknownProperties() {}

    /** {@code cle.coordinator} is the coordinator's, with which an application may share a file. */
    private static KnownProperties known() {
        return new KnownProperties()
                .with("cle", CleProperties.class)
                .with("cle.migration", MigrationProperties.class)
                .with("cle.on-leader", OnLeaderProperties.class)
                .with("cle.events.enabled")
                .with("cle.keep-alive")
                .with("cle.leader-service.enabled")
                .withAllUnder("cle.coordinator");
    }

    /** Logs a warning for each of them. */
    public static void report(Environment environment) {
        KnownProperties known = known();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource names
                    && !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
                names.stream()
                        .filter(name -> ROOT.isAncestorOf(name) && !known.contains(elements(name)))
                        .forEach(name -> report(source, name, known));
            }
        }
    }

    private static List<String> elements(ConfigurationPropertyName name) {
        return IntStream.range(0, name.getNumberOfElements())
                .mapToObj(i -> name.getElement(i, ConfigurationPropertyName.Form.ORIGINAL))
                .toList();
    }

    private static void report(
            ConfigurationPropertySource source, ConfigurationPropertyName name, KnownProperties known) {
        log.warn(
                "'{}' (from {}) is no property of leader election, and configures nothing; {}see the list of properties in"
                        + " docs/reference.md",
                name,
                source.getConfigurationProperty(name).getOrigin(),
                known.suggestion(elements(name))
                        .map(meant -> "is '" + meant + "' meant? Otherwise ")
                        .orElse(""));
    }
}

package io.cle.spring.properties.internal;

import java.util.List;
import java.util.stream.IntStream;

import io.cle.properties.internal.KnownProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Warns of {@code cle.*} properties that configure nothing: with {@code cle.candidate.stratgy} a candidate would ask for the default
 * strategy, and the wrong replica would lead. A warning and not a failure, because an application that is rolled back may find properties
 * of the release after it.
 *
 * <p>Ignores environment variables, because Kubernetes sets some for each Service: {@code CLE_SERVICE_HOST} for a Service named
 * {@code cle}.
 */
public final class UnknownProperties {

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("cle");

    private static final Logger log = LoggerFactory.getLogger(UnknownProperties.class);

    private UnknownProperties() {}

    /**
     * Returns the known properties of an application: those of all records that properties are bound to, and a few that are in no record.
     * {@code cle.coordinator} is the coordinator's, with which an application may share a file.
     */
    public static KnownProperties knownIn(ApplicationContext context) {
        KnownProperties known = new KnownProperties()
                .with("cle.events.enabled")
                .with("cle.keep-alive")
                .with("cle.leader-pod.enabled")
                .with("cle.leases.*")
                .with("cle.leases.*", LeaseProperties.class)
                .withAllUnder("cle.coordinator");
        for (String name : context.getBeanNamesForType(Record.class, true, false)) {
            Class<?> type = context.getType(name, false);
            if (type != null) {
                ConfigurationProperties bound = AnnotationUtils.findAnnotation(type, ConfigurationProperties.class);
                if (bound != null) {
                    known.with(bound.value(), type.asSubclass(Record.class));
                }
            }
        }
        return known;
    }

    /** Logs a warning for each unknown property. */
    public static void report(Environment environment, KnownProperties known) {
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
                "'{}' (from {}) is no property of leader election in this process, and configures nothing; {}see the list of properties in"
                        + " docs/reference.md",
                name,
                Origin.from(source.getConfigurationProperty(name)),
                known.suggestion(elements(name))
                        .map(meant -> "is '" + meant + "' meant? Otherwise ")
                        .orElse(""));
    }
}

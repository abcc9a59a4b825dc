package io.cle.coordinator.settings;

import java.util.List;
import java.util.stream.IntStream;

import io.cle.coordinator.actuate.ProbesProperties;
import io.cle.properties.internal.KnownProperties;
import io.cle.web.PageExposureProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Reports {@code cle.*} properties that configure nothing in the coordinator: with {@code cle.coordinator.cross-namespaces} the allow list would
 * be empty, without a word. Environment variables are left out, because Kubernetes sets some for each Service.
 */
public final class UnknownProperties {

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("cle");

    private static final Logger log = LoggerFactory.getLogger(UnknownProperties.class);

    private UnknownProperties() {}

    private static KnownProperties known() {
        return new KnownProperties()
                .with("cle.coordinator", CoordinatorProperties.class)
                .with("cle.coordinator.page", PageExposureProperties.class)
                .with("cle.coordinator.probes", ProbesProperties.class)
                .with("cle.coordinator.leader-services")
                .with("cle.kubernetes", KubernetesProperties.class)
                .with("cle.api");
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
                "'{}' (from {}) is no property of the coordinator, and configures nothing here; {}see the list of properties in"
                        + " docs/reference.md",
                name,
                Origin.from(source.getConfigurationProperty(name)),
                known.suggestion(elements(name))
                        .map(meant -> "is '" + meant + "' meant? Otherwise ")
                        .orElse(""));
    }
}

package io.cle.spring.properties.internal;

import java.util.Set;

import io.cle.spring.properties.CleProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
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

    /** What is bound or read elsewhere; {@code cle.coordinator} by the coordinator, with which an application may share a file. */
    private static final Set<String> ELSEWHERE =
            Set.of("coordinator", "events", "keep-alive", "leader-service", "migration", "on-leader");

    private static final Logger log = LoggerFactory.getLogger(UnknownProperties.class);

    private UnknownProperties() {}

    /** Logs a warning for each of them. A property that can't be bound at all fails the start elsewhere. */
    public static void report(Environment environment) {
        try {
            Binder.get(environment)
                    .bindOrCreate(
                            ROOT,
                            Bindable.of(CleProperties.class),
                            new NoUnboundElementsBindHandler(BindHandler.DEFAULT, UnknownProperties::isLookedAt));
        } catch (BindException e) {
            if (e.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
                unbound.getUnboundProperties().forEach(UnknownProperties::report);
            }
        }
    }

    private static boolean isLookedAt(ConfigurationPropertySource source) {
        return !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource);
    }

    private static void report(ConfigurationProperty property) {
        ConfigurationPropertyName name = property.getName();
        if (!ELSEWHERE.contains(name.getElement(1, ConfigurationPropertyName.Form.DASHED))) {
            log.warn(
                    "'{}' (from {}) is no property of leader election, and configures nothing; see the list of properties in"
                            + " docs/reference.md",
                    name,
                    property.getOrigin());
        }
    }
}

package io.cle.spring.properties.internal;

import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/**
 * Explains the failed start of an application that still configures a lock of two records. Spring Boot's own analysis only lists the
 * values that exist; what the user needs is the way from an old record to a Lease.
 */
@Order(0)
class TwoRecordLockFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

    private static final Set<String> REMOVED = Set.of("endpointsleases", "configmapsleases");

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
        ConfigurationProperty property = cause.getProperty();
        if (property == null || !property.getName().toString().endsWith(".resource-lock")) {
            return null;
        }
        String value = String.valueOf(property.getValue());
        if (!REMOVED.contains(value.toLowerCase(Locale.ROOT))) {
            return null;
        }
        String from = property.getOrigin() == null ? "" : " (from " + property.getOrigin() + ")";
        return new FailureAnalysis(
                property.getName() + " = '" + value + "': locks of two records are not supported" + from
                        + ". A Lease and a legacy record that are held together can disagree, and Kubernetes has removed"
                        + " them, too.",
                "Set " + property.getName() + "=leases and move the replicas as described in docs/simple-election.md,"
                        + " section 'Moving from an Endpoints or ConfigMap record to a Lease'. Until then keep the record"
                        + " that leads today (endpoints or configmaps).",
                cause);
    }
}

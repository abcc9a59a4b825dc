package io.cle.spring.properties;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is different for a further lease ({@code cle.leases.<name>.*}); {@code null} where it is as for the default lease.
 *
 * @param leaseName name of the Lease object where it isn't the lease's name here
 * @param namespace see {@code cle.namespace}
 * @param identity see {@code cle.identity}
 * @param api see {@code cle.api}
 * @param resourceLock see {@code cle.resource-lock}
 * @param leaseDuration see {@code cle.lease-duration}
 * @param renewDeadline see {@code cle.renew-deadline}
 * @param retryPeriod see {@code cle.retry-period}
 * @param drainTimeout see {@code cle.drain-timeout}
 * @param candidate see {@code cle.candidate}
 * @param fallback see {@code cle.fallback}
 * @param onLost see {@code cle.on-lost}
 */
public record LeaseProperties(
        @Nullable String leaseName,
        @Nullable String namespace,
        @Nullable String identity,
        @Nullable ApiSelection api,
        @Nullable ResourceLock resourceLock,
        @Nullable Duration leaseDuration,
        @Nullable Duration renewDeadline,
        @Nullable Duration retryPeriod,
        @Nullable Duration drainTimeout,
        @DefaultValue Candidate candidate,
        @DefaultValue Fallback fallback,
        @Nullable OnLost onLost) {

    /**
     * What is different about the candidate.
     *
     * @param enabled see {@code cle.candidate.enabled}
     * @param requires see {@code cle.candidate.requires}
     * @param binaryVersion see {@code cle.candidate.binary-version}
     * @param compatibilityVersion see {@code cle.candidate.compatibility-version}
     * @param strategy see {@code cle.candidate.strategy}
     * @param priority see {@code cle.candidate.priority}
     * @param renewInterval see {@code cle.candidate.renew-interval}
     * @param key see {@code cle.candidate.key}
     * @param takeoverTimeout see {@code cle.candidate.takeover-timeout}
     * @param container see {@code cle.candidate.container}
     */
    public record Candidate(
            @Nullable Boolean enabled,
            @Nullable Requirement requires,
            @Nullable String binaryVersion,
            @Nullable String compatibilityVersion,
            @Nullable String strategy,
            @Nullable Integer priority,
            @Nullable Duration renewInterval,
            @Nullable String key,
            @Nullable Duration takeoverTimeout,
            @Nullable String container) {}

    /**
     * What is different about the fallback.
     *
     * @param enabled see {@code cle.fallback.enabled}
     * @param delay see {@code cle.fallback.delay}
     */
    public record Fallback(
            @Nullable Boolean enabled, @Nullable Duration delay) {}

    /**
     * A lease that differs in nothing but its name, written as {@code reports:} or {@code reports: {}} in YAML, which binds as an
     * empty text.
     *
     * @throws IllegalArgumentException when the text isn't empty
     */
    public static LeaseProperties valueOf(String text) {
        if (!text.isEmpty()) {
            throw new IllegalArgumentException(
                    "a lease has keys of its own, such as cle.leases.<name>.namespace; it can't be '" + text + "'");
        }
        return inheriting(null, null);
    }

    /** A lease that differs in nothing but its name, its namespace and its resource lock; {@code null} for what doesn't differ. */
    public static LeaseProperties inheriting(@Nullable String namespace, @Nullable ResourceLock resourceLock) {
        return new LeaseProperties(
                null,
                namespace,
                null,
                null,
                resourceLock,
                null,
                null,
                null,
                null,
                new Candidate(null, null, null, null, null, null, null, null, null, null),
                new Fallback(null, null),
                null);
    }
}

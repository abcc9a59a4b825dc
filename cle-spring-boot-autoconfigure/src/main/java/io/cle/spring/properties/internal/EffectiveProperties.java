package io.cle.spring.properties.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import io.cle.spring.properties.ApiSelection;
import io.cle.spring.properties.CleProperties;
import io.cle.spring.properties.LeaseProperties;
import io.cle.spring.properties.OnLost;
import io.cle.spring.properties.Requirement;
import io.cle.spring.properties.ResourceLock;
import org.jspecify.annotations.Nullable;

/**
 * What is written for one lease: its own keys, and for those that aren't set the top level's, key by key.
 *
 * @param common the top level's
 * @param name the key under {@code cle.leases}; {@code null} for the default lease
 * @param own its own; {@code null} for the default lease
 */
record EffectiveProperties(
        CleProperties common,
        @Nullable String name,
        @Nullable LeaseProperties own) {

    private static final String ROOT = "cle.";

    /** Those of the default lease. */
    static EffectiveProperties ofDefault(CleProperties properties) {
        return new EffectiveProperties(properties, null, null);
    }

    /** Those of a further lease. */
    static EffectiveProperties ofFurther(CleProperties properties, Map.Entry<String, LeaseProperties> lease) {
        return new EffectiveProperties(properties, lease.getKey(), lease.getValue());
    }

    /** Its own lease name only: further leases don't inherit the default one's. */
    Setting<Optional<String>> leaseName() {
        return own == null
                ? Setting.optional(ROOT + "lease-name", common.leaseName())
                : Setting.optional(ownPath("lease-name"), own.leaseName());
    }

    Setting<Optional<String>> namespace() {
        return inheritedOptional("namespace", LeaseProperties::namespace, common.namespace());
    }

    Setting<Optional<String>> identity() {
        return inheritedOptional("identity", LeaseProperties::identity, common.identity());
    }

    Setting<ApiSelection> api() {
        return inherited("api", LeaseProperties::api, common.api());
    }

    Setting<ResourceLock> resourceLock() {
        return inherited("resource-lock", LeaseProperties::resourceLock, common.resourceLock());
    }

    Setting<Duration> leaseDuration() {
        return inherited("lease-duration", LeaseProperties::leaseDuration, common.leaseDuration());
    }

    Setting<Duration> renewDeadline() {
        return inherited("renew-deadline", LeaseProperties::renewDeadline, common.renewDeadline());
    }

    Setting<Duration> retryPeriod() {
        return inherited("retry-period", LeaseProperties::retryPeriod, common.retryPeriod());
    }

    Setting<Duration> drainTimeout() {
        return inherited("drain-timeout", LeaseProperties::drainTimeout, common.drainTimeout());
    }

    Setting<Boolean> candidateEnabled() {
        return inherited(
                "candidate.enabled",
                lease -> lease.candidate().enabled(),
                common.candidate().enabled());
    }

    Setting<Requirement> requires() {
        return inherited(
                "candidate.requires",
                lease -> lease.candidate().requires(),
                common.candidate().requires());
    }

    Setting<Optional<String>> binaryVersion() {
        return inheritedOptional(
                "candidate.binary-version",
                lease -> lease.candidate().binaryVersion(),
                common.candidate().binaryVersion());
    }

    Setting<Optional<String>> compatibilityVersion() {
        return inheritedOptional(
                "candidate.compatibility-version",
                lease -> lease.candidate().compatibilityVersion(),
                common.candidate().compatibilityVersion());
    }

    Setting<String> strategy() {
        return inherited(
                "candidate.strategy",
                lease -> lease.candidate().strategy(),
                common.candidate().strategy());
    }

    Setting<Optional<Integer>> priority() {
        return inheritedOptional(
                "candidate.priority",
                lease -> lease.candidate().priority(),
                common.candidate().priority());
    }

    Setting<Duration> renewInterval() {
        return inherited(
                "candidate.renew-interval",
                lease -> lease.candidate().renewInterval(),
                common.candidate().renewInterval());
    }

    Setting<Optional<String>> key() {
        return inheritedOptional(
                "candidate.key",
                lease -> lease.candidate().key(),
                common.candidate().key());
    }

    Setting<Duration> takeoverTimeout() {
        return inherited(
                "candidate.takeover-timeout",
                lease -> lease.candidate().takeoverTimeout(),
                common.candidate().takeoverTimeout());
    }

    Setting<Optional<String>> container() {
        return inheritedOptional(
                "candidate.container",
                lease -> lease.candidate().container(),
                common.candidate().container());
    }

    Setting<Boolean> fallbackEnabled() {
        return inherited(
                "fallback.enabled",
                lease -> lease.fallback().enabled(),
                common.fallback().enabled());
    }

    Setting<Duration> fallbackDelay() {
        return inherited(
                "fallback.delay",
                lease -> lease.fallback().delay(),
                common.fallback().delay());
    }

    Setting<OnLost> onLost() {
        return inherited("on-lost", LeaseProperties::onLost, common.onLost());
    }

    /** All durations. */
    List<Setting<Duration>> durations() {
        return List.of(
                leaseDuration(),
                renewDeadline(),
                retryPeriod(),
                drainTimeout(),
                fallbackDelay(),
                renewInterval(),
                takeoverTimeout());
    }

    private <T> Setting<T> inherited(String key, Function<LeaseProperties, @Nullable T> ownValue, T commonValue) {
        T value = own == null ? null : ownValue.apply(own);
        return value == null ? new Setting<>(ROOT + key, commonValue) : new Setting<>(ownPath(key), value);
    }

    private <T> Setting<Optional<T>> inheritedOptional(
            String key, Function<LeaseProperties, @Nullable T> ownValue, @Nullable T commonValue) {
        T value = own == null ? null : ownValue.apply(own);
        return value == null ? Setting.optional(ROOT + key, commonValue) : Setting.optional(ownPath(key), value);
    }

    private String ownPath(String key) {
        return ROOT + "leases." + name + "." + key;
    }
}

package io.cle.spring.kubernetes.internal;

import java.time.Duration;

import io.cle.InvalidConfigurationException;
import io.cle.KeyComparison;
import io.cle.ResourceLock;
import io.cle.Timings;
import io.cle.lock.internal.LockConfig.Takeover;
import io.cle.model.ObjectKey;
import io.cle.spring.properties.ApiSelection;
import io.cle.spring.properties.OnLost;
import io.cle.spring.properties.Requirement;
import io.cle.spring.properties.internal.CandidateSettings;
import io.cle.spring.properties.internal.LeaseSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TakeoverFactoryTests {

    private static LeaseSettings settings(@Nullable String key) {
        return settings(key, ResourceLock.LEASES, Duration.ofSeconds(30));
    }

    private static LeaseSettings settings(@Nullable String key, ResourceLock lock, Duration drainTimeout) {
        CandidateSettings candidate = new CandidateSettings(
                true,
                Requirement.NONE,
                null,
                null,
                "OldestCompatibilityVersion",
                null,
                Duration.ofMinutes(5),
                key,
                Duration.ofSeconds(60),
                null);
        return new LeaseSettings(
                "orders",
                new ObjectKey("shop", "orders"),
                "host",
                lock,
                ApiSelection.AUTO,
                Timings.DEFAULT,
                drainTimeout,
                candidate,
                true,
                Duration.ofSeconds(30),
                OnLost.CONTINUE);
    }

    @Test
    void noCandidateTakesPrecedenceWithoutKeyAndComparison() {
        assertThat(new TakeoverFactory(null, null).of(settings(null))).isNull();
    }

    @Test
    void aKeyWithoutAComparisonIsRefused() {
        assertThatThrownBy(() -> new TakeoverFactory(null, null).of(settings("7")))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("cle.candidate.key = '7'")
                .hasMessageContaining("no KeyComparison bean")
                .hasMessageContaining("lease 'orders'");
    }

    @Test
    void aKeyHasItsLimitWhetherAPropertyOrABeanSaysIt() {
        TakeoverFactory takeovers = new TakeoverFactory(KeyComparison.largestNumber(), lease -> "9".repeat(257));

        for (String configured : new @Nullable String[] {null, "7".repeat(257)}) {
            assertThatThrownBy(() -> takeovers.of(settings(configured)))
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessageContaining("cle.candidate.key")
                    .hasMessageContaining("257 characters")
                    .hasMessageContaining("256");
        }
        assertThat(new TakeoverFactory(KeyComparison.largestNumber(), lease -> "9".repeat(256)).of(settings(null)))
                .isNotNull();
    }

    @Test
    void aHolderIsNotPreemptedWhileItsWorkIsEndingAlsoIfABeanSuppliesTheKey() {
        TakeoverFactory takeovers = new TakeoverFactory(KeyComparison.largestNumber(), lease -> "9");

        assertThatThrownBy(() -> takeovers.of(settings(null, ResourceLock.LEASES, Duration.ofSeconds(60))))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("cle.candidate.takeover-timeout = '60s'")
                .hasMessageContaining("cle.drain-timeout = '60s'");
    }

    @Test
    void whereACoordinatorElectsKeysHaveNoSay() {
        TakeoverFactory takeovers = new TakeoverFactory(KeyComparison.largestNumber(), lease -> "9");

        assertThat(takeovers.of(settings(null, ResourceLock.COORDINATEDLEASES, Duration.ofSeconds(60))))
                .isNull();
    }

    @Test
    void aPropertyGoesBeforeTheBeanThatSuppliesAKey() {
        TakeoverFactory takeovers = new TakeoverFactory(KeyComparison.largestNumber(), lease -> "9");

        assertThat(takeovers.of(settings("7"))).extracting(Takeover::key).isEqualTo("7");
        assertThat(takeovers.of(settings(null))).extracting(Takeover::key).isEqualTo("9");
    }

    @Test
    void aComparisonThatThrowsTakesPrecedenceOverNoHolder() {
        KeyComparison failing = (ourKey, holderKey) -> {
            throw new IllegalStateException("no idea");
        };
        Takeover takeover = new TakeoverFactory(failing, null).of(settings("7"));

        assertThat(takeover).isNotNull();
        assertThat(takeover.comparison().takesPrecedence("7", "5")).isFalse();
    }
}

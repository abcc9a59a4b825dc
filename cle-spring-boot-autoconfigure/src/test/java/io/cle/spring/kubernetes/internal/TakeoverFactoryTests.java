package io.cle.spring.kubernetes.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.cle.InvalidConfigurationException;
import io.cle.KeyComparison;
import io.cle.ResourceLock;
import io.cle.lock.internal.LockConfig.Takeover;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.LeaseSettings.KeyOrder;
import io.cle.spring.properties.internal.SettingsFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TakeoverFactoryTests {

    private static final KeyOrder REGIONS = new KeyOrder(
            "cle.candidate.key-comparison",
            "paris, dublin",
            KeyComparison.orderedList(List.of("paris", "dublin")),
            null);

    /** Of a program of version 1.9.0. */
    private static final KeyOrder NEWEST =
            new KeyOrder("cle.candidate.key-comparison", "newest-version", KeyComparison.newestVersion(), "1.9.0");

    private static LeaseSettings settings(@Nullable String key) {
        return settings(key, ResourceLock.LEASES, Duration.ofSeconds(30));
    }

    private static LeaseSettings settings(@Nullable String key, ResourceLock lock, Duration drainTimeout) {
        return settings(key, null, lock, drainTimeout);
    }

    private static LeaseSettings ordered(@Nullable String key, KeyOrder order) {
        return settings(key, order, ResourceLock.LEASES, Duration.ofSeconds(30));
    }

    private static LeaseSettings settings(
            @Nullable String key, @Nullable KeyOrder order, ResourceLock lock, Duration drainTimeout) {
        Map<String, String> properties = new HashMap<>(Map.of(
                "cle.resource-lock",
                lock.name().toLowerCase(Locale.ROOT),
                "cle.drain-timeout",
                drainTimeout.toSeconds() + "s"));
        if (key != null && !lock.coordinated()) {
            properties.put("cle.candidate.key", key);
        }
        LeaseSettings settings = SettingsFixture.settings(properties).get(0);
        return new LeaseSettings(settings.name(), settings.name(), settings.properties(), settings.config(), order);
    }

    @Test
    void noCandidateTakesPrecedenceWithoutKeyAndComparison() {
        assertThat(new TakeoverFactory(null, null).of(settings(null))).isNull();
    }

    @Test
    void aKeyWithoutAComparisonIsRefused() {
        assertThatThrownBy(() -> new TakeoverFactory(null, null).of(settings("7")))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("cle.candidate.key (7)")
                .hasMessageContaining("cle.candidate.key-comparison")
                .hasMessageContaining("KeyComparison bean")
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
                .hasMessageContaining("cle.candidate.takeover-timeout (60s)")
                .hasMessageContaining("cle.drain-timeout (60s)");
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
    void aPropertyThatComparesKeysGoesBeforeTheBean() {
        Takeover takeover = new TakeoverFactory(KeyComparison.largestNumber(), null).of(ordered("paris", REGIONS));

        assertThat(takeover).isNotNull();
        assertThat(takeover.comparison().takesPrecedence("paris", "dublin")).isTrue();
        assertThat(takeover.comparison().takesPrecedence("dublin", "paris")).isFalse();
    }

    @Test
    void theKeyIsTheProgramsVersionUnlessAPropertyOrABeanSaysIt() {
        assertThat(new TakeoverFactory(null, null).of(ordered(null, NEWEST)))
                .extracting(Takeover::key)
                .isEqualTo("1.9.0");
        assertThat(new TakeoverFactory(null, lease -> "1.8.0").of(ordered(null, NEWEST)))
                .extracting(Takeover::key)
                .isEqualTo("1.8.0");
        assertThat(new TakeoverFactory(null, lease -> "1.8.0").of(ordered("1.7.0", NEWEST)))
                .extracting(Takeover::key)
                .isEqualTo("1.7.0");
    }

    @Test
    void aComparisonWithoutAKeyIsRefused() {
        assertThatThrownBy(() -> new TakeoverFactory(null, null).of(ordered(null, REGIONS)))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("cle.candidate.key-comparison (paris, dublin)")
                .hasMessageContaining("neither cle.candidate.key nor")
                .hasMessageContaining("CandidateKey");
    }

    @Test
    void aReplicaWithoutARegionHasAnEmptyKeyAndRanksLast() {
        Takeover takeover = new TakeoverFactory(null, null).of(ordered("", REGIONS));

        assertThat(takeover).isNotNull();
        assertThat(takeover.key()).isEmpty();
        assertThat(takeover.comparison().takesPrecedence("", "dublin")).isFalse();
        assertThat(takeover.comparison().takesPrecedence("dublin", "")).isTrue();
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aKeyThatTheComparisonDoesNotKnowIsReported(CapturedOutput output) {
        new TakeoverFactory(null, null).of(ordered("pariss", REGIONS));
        assertThat(output)
                .contains("the key 'pariss' can't be compared by cle.candidate.key-comparison = 'paris, dublin'");

        new TakeoverFactory(null, null).of(ordered("", REGIONS));
        new TakeoverFactory(null, null).of(ordered("dublin", REGIONS));
        assertThat(output).doesNotContain("the key ''", "the key 'dublin'");
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

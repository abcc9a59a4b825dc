package io.cle.coordinator;

import java.util.Map;
import java.util.Optional;

import io.cle.ApiFormat;
import io.cle.InvalidConfigurationException;
import io.cle.election.internal.CoordinatorConfig;
import io.cle.election.internal.ElectionPolicy;
import io.cle.lock.internal.LockConfig;
import io.cle.model.ObjectKey;
import io.cle.strategy.internal.Strategies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class CoordinatorPropertiesTest {

    @Test
    void withoutPropertiesTheDefaultsOfTheContractHold() {
        Resolved settings = resolve();

        assertThat(settings.properties().namespaces()).isEmpty();
        assertThat(settings.election().policy()).isEqualTo(ElectionPolicy.DEFAULT);
        assertThat(settings.election().byProperty()).isEmpty();
        assertThat(settings.properties().api().pinned()).isEmpty();
        assertThat(settings.replica().lease())
                .isEqualTo(new ObjectKey("cle-system", "coordinated-election-controller"));
        assertThat(settings.replica().identity()).isEqualTo("host-abcde");
    }

    @Test
    void everyPropertyIsTakenOver() {
        Resolved settings = resolve(
                "--cle.coordinator.namespaces=shop,bank",
                "--cle.coordinator.ack-timeout=750ms",
                "--cle.coordinator.lease-duration=4s",
                "--cle.coordinator.api=native",
                "--cle.coordinator.replica.lease=the-one");

        assertThat(settings.properties().namespaces()).containsExactlyInAnyOrder("shop", "bank");
        assertThat(settings.election().policy().ackTimeout()).hasMillis(750);
        assertThat(settings.election().policy().leaseDuration()).hasSeconds(4);
        assertThat(settings.properties().api().pinned()).isEqualTo(Optional.of(ApiFormat.NATIVE));
        assertThat(settings.replica().lease()).isEqualTo(new ObjectKey("cle-system", "the-one"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[shop/orders]", ".shop/orders", ".[shop/orders]"})
    void aStrategyIsSetByNamespaceAndLeaseWithAndWithoutBrackets(String key) {
        Resolved settings = resolve("--cle.coordinator.strategies" + key + "=HighestPriority");

        assertThat(settings.election().byProperty())
                .isEqualTo(Map.of(new ObjectKey("shop", "orders"), "HighestPriority"));
    }

    @Test
    void aStrategyOfALeaseWithDotsAndDashesIsFound() {
        Resolved settings = resolve("--cle.coordinator.strategies.my-shop/orders.v2=NewestCompatibilityVersion");

        assertThat(settings.election().byProperty()).containsKey(new ObjectKey("my-shop", "orders.v2"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "cle.coordinator.namespaces=My_Shop | namespaces (My_Shop) must consist of lower case",
                "cle.coordinator.ack-timeout=0s | ack-timeout (0s) must be above zero",
                "cle.coordinator.ack-timeout=-1s | ack-timeout (-1s) must be above zero",
                "cle.coordinator.lease-duration=1500ms | lease-duration (1500ms) must be whole seconds",
                "cle.coordinator.lease-duration=0s | lease-duration (0s) must be whole seconds",
                "cle.coordinator.strategies[orders]=HighestPriority | must have the namespace and the name of a lease as its key",
                "cle.coordinator.strategies[Shop/orders]=HighestPriority | (Shop) must consist of lower case",
                "cle.coordinator.strategies[shop/orders]=Youngest | (Youngest): no such strategy is known here",
                "cle.coordinator.replica.lease=No Name | replica.lease (No Name) must consist of lower case",
            })
    void anUnusableValueIsRefusedWithItsProperty(String property, String message) {
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> resolve("--" + property))
                .withMessageContaining(message);
    }

    @Test
    void aNameThatWouldForgeALineIsRefusedAndShownWithoutIt() {
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> resolve("--cle.coordinator.replica.lease=me\nINFO all is well"))
                .withMessageContaining("(me\\u000aINFO all is well)");
    }

    @Test
    void theFirstProblemIsReported() {
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> resolve("--cle.coordinator.ack-timeout=0s", "--cle.coordinator.lease-duration=0s"))
                .satisfies(e -> assertThat(e.property()).isEqualTo("cle.coordinator.ack-timeout"));
    }

    @Test
    void aProblemNamesPropertyValueAndWayOut() {
        InvalidConfigurationException failure = catchThrowableOfType(
                InvalidConfigurationException.class,
                () -> resolve("--cle.coordinator.strategies[shop/orders]=Youngest"));

        assertThat(failure).hasMessageContainingAll("cle.coordinator.strategies[shop/orders]", "(Youngest)");
        assertThat(failure.action())
                .contains("cle.coordinator.strategies[shop/orders]: Choose one of", "OldestCompatibilityVersion");
    }

    private record Resolved(CoordinatorProperties properties, CoordinatorConfig election, LockConfig replica) {}

    private static Resolved resolve(String... arguments) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new SimpleCommandLinePropertySource(arguments));
        ConfigurationPropertySources.attach(environment);
        CoordinatorProperties bound =
                Binder.get(environment).bindOrCreate("cle.coordinator", CoordinatorProperties.class);
        return new Resolved(
                bound,
                bound.election(environment, Strategies.builtIn()),
                bound.replicaLock("cle-system", "host-abcde"));
    }
}

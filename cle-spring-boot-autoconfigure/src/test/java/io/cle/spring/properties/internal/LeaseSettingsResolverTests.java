package io.cle.spring.properties.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.cle.InvalidConfigurationException;
import io.cle.KeyComparison;
import io.cle.ResourceLock;
import io.cle.Timings;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockConfig.Takeover;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.Version;
import io.cle.spring.properties.ApiSelection;
import io.cle.spring.properties.OnLost;
import io.cle.spring.properties.Requirement;
import io.cle.spring.properties.internal.ProcessFacts.FoundVersion;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

class LeaseSettingsResolverTests {

    private static final ProcessFacts FACTS = new ProcessFacts("orders", () -> "shop", "host-ab1cd", null, null);

    private static final PodRef POD = new PodRef(new ObjectKey("office", "orders-7f9c"), "uid-1");

    private static List<LeaseSettings> resolve(ProcessFacts facts, String... properties) {
        Map<String, String> source = new LinkedHashMap<>();
        for (String property : properties) {
            int equals = property.indexOf('=');
            source.put(property.substring(0, equals), property.substring(equals + 1));
        }
        return SettingsFixture.settings(source, facts);
    }

    private static List<LeaseSettings> resolve(String... properties) {
        return resolve(FACTS, properties);
    }

    private static InvalidConfigurationException problem(ProcessFacts facts, String... properties) {
        return catchThrowableOfType(InvalidConfigurationException.class, () -> resolve(facts, properties));
    }

    /** Returns the candidate that a process announces for a coordinated lease. */
    private static Candidate candidate(LeaseSettings lease) {
        return Objects.requireNonNull(lease.config().candidacy()).template();
    }

    private static InvalidConfigurationException problem(String... properties) {
        return problem(FACTS, properties);
    }

    private static ProcessFacts withVersion(String version) {
        return new ProcessFacts(
                "orders", () -> "shop", "host-ab1cd", new FoundVersion(version, "the build info"), null);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lease-duration",
                "renew-deadline",
                "retry-period",
                "drain-timeout",
                "fallback.delay",
                "candidate.renew-interval",
                "candidate.takeover-timeout"
            })
    void aDurationThatNoClockCanCountIsRefused(String key) {
        InvalidConfigurationException problem = problem("cle." + key + "=3000000h", "cle.api=crd");

        assertThat(problem.property()).isEqualTo("cle." + key);
        assertThat(problem.reason()).isEqualTo("must be between 0s and 3650d");
    }

    /** Regardless of the order of the properties. */
    @Test
    void theDefaultLeasesProblemIsReportedBeforeThatOfAFurtherLease() {
        assertThat(problem(
                                "cle.leases.Reports.namespace=Office",
                                "cle.candidate.strategy=Oldest",
                                "cle.retry-period=0s")
                        .getMessage())
                .isEqualTo("cle.retry-period (0s) must be above zero");
    }

    @Nested
    class Defaults {

        @Test
        void defaultsAreThereForEverything() {
            assertThat(resolve())
                    .containsExactly(new LeaseSettings(
                            "orders",
                            "orders",
                            new LeaseProperties(
                                    null,
                                    null,
                                    null,
                                    null,
                                    null,
                                    ApiSelection.AUTO,
                                    ResourceLock.COORDINATEDLEASES,
                                    Duration.ofSeconds(15),
                                    Duration.ofSeconds(10),
                                    Duration.ofSeconds(2),
                                    Duration.ofSeconds(30),
                                    new LeaseProperties.Candidate(
                                            true,
                                            Requirement.READINESS,
                                            null,
                                            null,
                                            "OldestCompatibilityVersion",
                                            null,
                                            Duration.ofMinutes(5),
                                            null,
                                            null,
                                            Duration.ofSeconds(60),
                                            null),
                                    new LeaseProperties.Fallback(true, Duration.ofSeconds(30)),
                                    OnLost.CONTINUE),
                            new LockConfig(
                                    new ObjectKey("shop", "orders"),
                                    "orders-host-ab1cd",
                                    Timings.DEFAULT,
                                    Duration.ofSeconds(30),
                                    new LockConfig.Fallback(true, Duration.ofSeconds(30)),
                                    new LockConfig.Candidacy(
                                            Candidate.builder(
                                                            new ObjectKey("shop", "orders-host-ab1cd"),
                                                            new ObjectKey("shop", "orders"))
                                                    .strategy("OldestCompatibilityVersion")
                                                    .validity(Duration.ofMinutes(10))
                                                    .build(),
                                            Duration.ofMinutes(5)),
                                    null,
                                    Duration.ofNanos(1_000))));
        }

        @Test
        void defaultsAreAskedOfTheClusterAfterThePropertiesWereChecked() {
            ProcessFacts lost = new ProcessFacts(
                    "orders",
                    () -> {
                        throw new IllegalStateException("no cluster");
                    },
                    "host-ab1cd",
                    null,
                    null);
            assertThat(problem(lost, "cle.retry-period=0s").property()).isEqualTo("cle.retry-period");
            assertThat(resolve(lost, "cle.namespace=office").get(0).lease().namespace())
                    .isEqualTo("office");
        }
    }

    @Nested
    class AFurtherLease {

        @Test
        void aFurtherLeaseInheritsKeyByKey() {
            List<LeaseSettings> settings = resolve(
                    new ProcessFacts("orders", () -> "shop", "host-ab1cd", null, POD),
                    "cle.lease-duration=30s",
                    "cle.candidate.binary-version=1.2.0",
                    "cle.candidate.strategy=HighestPriority",
                    "cle.leases.reports.renew-deadline=20s",
                    "cle.leases.reports.namespace=office",
                    "cle.candidate.container=elector",
                    "cle.leases.reports.candidate.priority=7",
                    "cle.leases.reports.fallback.enabled=false");
            assertThat(settings).hasSize(2);
            LeaseSettings reports = settings.get(1);
            assertThat(reports.name()).isEqualTo("reports");
            assertThat(reports.lease()).isEqualTo(new ObjectKey("office", "reports"));
            assertThat(reports.identity()).isEqualTo("reports-host-ab1cd");
            assertThat(reports.timings())
                    .isEqualTo(new Timings(Duration.ofSeconds(30), Duration.ofSeconds(20), Duration.ofSeconds(2)));
            assertThat(candidate(reports))
                    .isEqualTo(Candidate.builder(new ObjectKey("office", "reports-host-ab1cd"), reports.lease())
                            .binaryVersion(Version.parse("1.2.0"))
                            .compatibilityVersion(Version.parse("1.2.0"))
                            .strategy("HighestPriority")
                            .priority(7)
                            .validity(Duration.ofMinutes(10))
                            .pod(new PodRef(POD.key(), POD.uid(), "elector"))
                            .build());
            assertThat(reports.config().fallback().enabled()).isFalse();
            assertThat(settings.get(0).config().fallback().enabled()).isTrue();
            assertThat(candidate(settings.get(0)).priority()).isNull();
            assertThat(candidate(settings.get(0)).pod())
                    .as("a pod of another namespace owns no candidate")
                    .isNull();
        }

        @Test
        void aFurtherLeaseIsNotNamedAsTheDefaultLease() {
            assertThat(resolve("cle.lease-name=shop-orders", "cle.leases.reports.drain-timeout=5s"))
                    .extracting(lease -> lease.lease().name())
                    .containsExactly("shop-orders", "reports");
        }

        @Test
        void aFurtherLeaseMayHaveANameWithDotsAndCapitals() {
            assertThat(resolve("cle.leases[daily.reports].drain-timeout=5s", "cle.leases.Weekly.lease-name=weekly"))
                    .extracting(LeaseSettings::name, LeaseSettings::drainTimeout)
                    .containsExactlyInAnyOrder(
                            tuple("orders", Duration.ofSeconds(30)),
                            tuple("daily.reports", Duration.ofSeconds(5)),
                            tuple("Weekly", Duration.ofSeconds(30)));
        }

        @Test
        void aFurtherLeaseThatCannotBeBoundIsNamedWithItsFullKey() {
            assertThatThrownBy(() -> resolve("cle.leases.reports.drain-timeout=soon"))
                    .isInstanceOfSatisfying(
                            BindException.class,
                            failure -> assertThat(
                                            failure.getProperty().getName().toString())
                                    .isEqualTo("cle.leases.reports.drain-timeout"));
        }

        @Test
        void aFurtherLeaseNeedsNoKeysOfItsOwn() {
            assertThat(resolve("cle.leases.reports="))
                    .extracting(LeaseSettings::name)
                    .containsExactly("orders", "reports");
        }

        @Test
        void aFurtherLeaseMayBeCalledDifferentlyInTheCluster() {
            LeaseSettings reports =
                    resolve("cle.leases.reports.lease-name=shop-reports").get(1);
            assertThat(reports.name()).isEqualTo("reports");
            assertThat(reports.lease().name()).isEqualTo("shop-reports");
        }

        @Test
        void aFurtherLeaseIsRefusedIfItIsTheSameTwice() {
            assertThat(problem("cle.leases.reports.lease-name=orders").getMessage())
                    .contains(
                            "cle.leases.reports.lease-name (orders)",
                            "shop/orders is already that of spring.application.name");
            assertThat(problem("cle.leases.orders.namespace=office").getMessage())
                    .contains("the name orders is already that of");
            assertThat(resolve("cle.leases.reports.lease-name=orders", "cle.leases.reports.namespace=default"))
                    .hasSize(2);
        }
    }

    @Nested
    class AnEnvironmentVariable {

        private List<LeaseSettings> resolve(Map<String, Object> variables, String... leases) {
            MockEnvironment environment = new MockEnvironment();
            for (String lease : leases) {
                environment.setProperty("cle.leases." + lease + ".drain-timeout", "5s");
            }
            environment
                    .getPropertySources()
                    .addFirst(new SystemEnvironmentPropertySource(
                            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
            return SettingsFixture.settings(environment, FACTS);
        }

        @Test
        void anEnvironmentVariableSetsALeaseOfAFileAndAddsNone() {
            assertThat(resolve(Map.of("CLE_LEASES_DAILYREPORTS_RENEWDEADLINE", "7s"), "daily-reports"))
                    .extracting(LeaseSettings::name, lease -> lease.timings().renewDeadline())
                    .containsExactly(
                            tuple("orders", Duration.ofSeconds(10)), tuple("daily-reports", Duration.ofSeconds(7)));
        }

        @Test
        void ofNoOtherLeaseAddsOne() {
            assertThat(resolve(Map.of("CLE_LEASES_DAILY_RENEWDEADLINE", "7s"), "da", "daily-reports"))
                    .extracting(LeaseSettings::name)
                    .containsExactlyInAnyOrder("orders", "da", "daily-reports", "daily");
        }
    }

    @Nested
    class ADirectLock {

        @Test
        void aDirectLockIsHeldUnderTheIdentityItself() {
            assertThat(resolve("cle.resource-lock=leases", "cle.identity=Node_7")
                            .get(0)
                            .identity())
                    .isEqualTo("Node_7");
        }

        @Test
        void aDirectLockAloneHasAKey() {
            assertThat(problem("cle.candidate.key=7").reason()).contains("no keys");
            assertThat(takeover(0, "cle.candidate.key=7", "cle.candidate.key-comparison=largest-number")
                            .key())
                    .isEqualTo("7");
        }

        @ParameterizedTest
        @CsvSource({
            "oldest-version, 1.9.0, 1.10.0",
            "newest-version, 1.10.0, 1.9.0",
            "NEWEST_VERSION, 1.10.0, 1.9.0",
            "largest-number, 10, 9.5",
            "smallest-number, 9.5, 10",
            "'paris, dublin', paris, dublin"
        })
        void aDirectLockHasItsKeysComparedByAProperty(String comparison, String better, String worse) {
            KeyComparison compared = takeover(0, "cle.candidate.key=", "cle.candidate.key-comparison=" + comparison)
                    .comparison();

            assertThat(compared.takesPrecedence(better, worse)).isTrue();
            assertThat(compared.takesPrecedence(worse, better)).isFalse();
        }

        @Test
        void ofAFurtherLeaseHasAComparisonOfItsOwnAlsoAsAListOfYaml() {
            String[] properties = {
                "cle.candidate.key=",
                "cle.candidate.key-comparison=largest-number",
                "cle.leases.reports.candidate.key-comparison[0]=paris",
                "cle.leases.reports.candidate.key-comparison[1]=dublin",
                "cle.leases.invoices.lease-duration=20s"
            };

            assertThat(takeover(0, properties).comparison().takesPrecedence("10", "9"))
                    .isTrue();
            assertThat(takeover(1, properties).comparison().takesPrecedence("paris", "dublin"))
                    .isTrue();
            assertThat(takeover(2, properties).comparison().takesPrecedence("10", "9"))
                    .isTrue();
        }

        @ParameterizedTest
        @ValueSource(strings = {"newest-version", "oldest-version", "OLDEST_VERSION"})
        void aDirectLockHasTheProgramsVersionAsItsKeyWhereVersionsAreCompared(String comparison) {
            String[] properties = {"cle.resource-lock=leases", "cle.candidate.key-comparison=" + comparison};

            assertThat(resolve(withVersion("1.2.0"), properties).get(0).config().takeover())
                    .extracting(Takeover::key)
                    .isEqualTo("1.2.0");
            assertThat(takeover(0, "cle.candidate.key-comparison=" + comparison).key())
                    .as("of a program without a version")
                    .isEmpty();
        }

        @Test
        void aDirectLockHasTheConfiguredVersionAsItsKeyBeforeTheBuilds() {
            assertThat(takeover(0, "cle.candidate.key-comparison=newest-version", "cle.candidate.binary-version=1.30")
                            .key())
                    .isEqualTo("1.30.0");
        }

        @Test
        void aDirectLockHasTheConfiguredKeyBeforeTheVersion() {
            assertThat(takeover(
                                    0,
                                    "cle.candidate.key-comparison=newest-version",
                                    "cle.candidate.binary-version=1.30",
                                    "cle.candidate.key=1.2.0")
                            .key())
                    .isEqualTo("1.2.0");
        }

        @ParameterizedTest
        @ValueSource(strings = {"largest-number", "paris,dublin"})
        void aComparisonWithoutAKeyIsRefused(String comparison) {
            InvalidConfigurationException problem =
                    problem("cle.candidate.key-comparison=" + comparison, "cle.resource-lock=leases");

            assertThat(problem.property()).isEqualTo("cle.candidate.key-comparison");
            assertThat(problem.reason()).contains("no key of this process");
            assertThat(problem.action()).contains("Set cle.candidate.key;");
        }

        @Test
        void aKeyWithoutAComparisonIsRefused() {
            InvalidConfigurationException problem = problem("cle.candidate.key=7", "cle.resource-lock=leases");

            assertThat(problem.property()).isEqualTo("cle.candidate.key");
            assertThat(problem.action()).contains("Set cle.candidate.key-comparison");
        }

        @Test
        void aHolderIsNotPreemptedWhileItsWorkIsEnding() {
            InvalidConfigurationException problem = problem(
                    "cle.candidate.key=9",
                    "cle.candidate.key-comparison=largest-number",
                    "cle.drain-timeout=60s",
                    "cle.resource-lock=leases");

            assertThat(problem.property()).isEqualTo("cle.candidate.takeover-timeout");
            assertThat(problem.reason()).contains("cle.drain-timeout (60s)");
        }

        @ParameterizedTest
        @ValueSource(strings = {"newest", "paris", "paris,paris"})
        void aDirectLockRefusesAnotherComparisonAndNamesThoseThereAre(String comparison) {
            InvalidConfigurationException problem =
                    problem("cle.candidate.key-comparison=" + comparison, "cle.resource-lock=leases");

            assertThat(problem.property()).isEqualTo("cle.candidate.key-comparison");
            assertThat(problem.value()).isEqualTo(comparison.replace(",", ", "));
            assertThat(problem.action())
                    .contains("largest-number, newest-version, oldest-version, smallest-number", "eu-central, eu-west");
        }

        @Test
        void aDirectLockAloneHasAComparison() {
            assertThat(problem("cle.candidate.key-comparison=newest-version"))
                    .satisfies(problem -> assertThat(problem.property()).isEqualTo("cle.candidate.key-comparison"))
                    .satisfies(problem -> assertThat(problem.reason()).contains("no keys"));
        }

        private Takeover takeover(int lease, String... properties) {
            String[] direct = Arrays.copyOf(properties, properties.length + 1);
            direct[properties.length] = "cle.resource-lock=leases";
            return Objects.requireNonNull(resolve(direct).get(lease).config().takeover());
        }
    }

    @Nested
    class ADuration {

        @Test
        void aDurationThatContradictsAnotherIsNamedWithBothPropertiesAndValues() {
            InvalidConfigurationException problem = problem("cle.lease-duration=10s", "cle.renew-deadline=12s");
            assertThat(problem.property()).isEqualTo("cle.renew-deadline");
            assertThat(problem.getMessage())
                    .isEqualTo(
                            "cle.renew-deadline (12s) must be shorter than cle.lease-duration (10s), because the holder"
                                    + " has to stop before others may lead");
            assertThat(problem.action()).contains("cle.renew-deadline", "cle.lease-duration");
        }

        @Test
        void aDurationThatIsInheritedAndContradictsIsNamedAsTheLeasesOwn() {
            InvalidConfigurationException problem = problem("cle.leases.reports.lease-duration=5s");
            assertThat(problem.getMessage())
                    .startsWith(
                            "cle.leases.reports.renew-deadline (10s) must be shorter than cle.leases.reports.lease-duration (5s), ");
        }

        @Test
        void aDurationThatIsWrongAloneIsNamedAlone() {
            assertThat(problem("cle.lease-duration=15500ms").getMessage())
                    .isEqualTo(
                            "cle.lease-duration (15500ms) must be whole seconds, as the Lease object counts in seconds");
            assertThat(problem("cle.drain-timeout=-1s").property()).isEqualTo("cle.drain-timeout");
            assertThat(problem("cle.fallback.delay=-1s").property()).isEqualTo("cle.fallback.delay");
        }

        @Test
        void betweenRenewalsThatACandidateWouldNotSurviveIsRefused() {
            assertThat(problem("cle.candidate.renew-interval=0s").getMessage()).contains("at least 1s");
        }
    }

    @Nested
    class AVersion {

        @ParameterizedTest
        @CsvSource({"1.29, 1.29.0", "1.0-SNAPSHOT, 1.0.0-SNAPSHOT", "v2.3.4, 2.3.4", "2024.01.15, 2024.1.15"})
        void aVersionIsReadInTheSameWayWhetherFoundOrConfigured(String text, String version) {
            Candidate found = candidate(resolve(withVersion(text)).get(0));
            Candidate configured = candidate(
                    resolve("cle.candidate.binary-version=" + text, "cle.candidate.compatibility-version=" + text)
                            .get(0));

            assertThat(found.binaryVersion()).hasToString(version);
            assertThat(found.compatibilityVersion()).hasToString(version);
            assertThat(configured).isEqualTo(found);
        }

        @ParameterizedTest
        @ValueSource(strings = {"one", "unspecified", "main-3f2a", "1.0.0.0", ""})
        void aVersionThatIsConfiguredMustBeReadable(String version) {
            InvalidConfigurationException problem = problem("cle.candidate.binary-version=" + version);
            assertThat(problem.property()).isEqualTo("cle.candidate.binary-version");
            assertThat(problem.value()).isEqualTo(version);
            assertThat(problem.action()).contains("MAJOR.MINOR.PATCH");
        }

        @ParameterizedTest
        @CsvSource({
            "'cle.candidate: {binary-version: 1.30}', cle.candidate.binary-version, 1.3",
            "'cle.candidate: {compatibility-version: 1.10}', cle.candidate.compatibility-version, 1.1",
            "'cle: {resource-lock: leases, candidate.key: no}', cle.candidate.key, false",
            "'cle.leases.reports.candidate: {binary-version: 1.30}', cle.leases.reports.candidate.binary-version, 1.3",
        })
        void aVersionThatYamlReadsAsANumberOrASwitchIsRefused(String yaml, String property, String read)
                throws IOException {
            InvalidConfigurationException problem =
                    catchThrowableOfType(InvalidConfigurationException.class, () -> resolveYaml(yaml));

            assertThat(problem.getMessage())
                    .contains(property + " (" + read + ") must be text, but YAML reads it as a number");
            assertThat(problem.action()).startsWith("Quote the value of " + property);
        }

        @ParameterizedTest
        @CsvSource({"'\"1.30\"', 1.30.0", "1.30.0, 1.30.0", "2, 2.0.0"})
        void aVersionThatYamlLeavesAsItIsIsTaken(String written, String version) throws IOException {
            assertThat(candidate(resolveYaml("cle.candidate.binary-version: " + written)
                                    .get(0))
                            .binaryVersion())
                    .hasToString(version);
        }

        private List<LeaseSettings> resolveYaml(String yaml) throws IOException {
            MockEnvironment environment = new MockEnvironment();
            new YamlPropertySourceLoader()
                    .load("application.yaml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
                    .forEach(environment.getPropertySources()::addLast);
            return SettingsFixture.settings(environment, FACTS);
        }

        @Test
        void ofCompatibilityAboveTheBinaryVersionIsRefused() {
            InvalidConfigurationException problem =
                    problem("cle.candidate.binary-version=1.2.0", "cle.candidate.compatibility-version=1.3.0");
            assertThat(problem.getMessage())
                    .contains(
                            "cle.candidate.compatibility-version (1.3.0) must not be above cle.candidate.binary-version (1.2.0)");
            assertThat(problem.action()).contains("cle.candidate.binary-version");
        }

        @ParameterizedTest
        @ValueSource(strings = {"unspecified", "main-3f2a"})
        void aVersionThatIsFoundAndCantBeReadIsUnknown(String found) {
            Candidate candidate = candidate(resolve(withVersion(found)).get(0));
            assertThat(candidate.binaryVersion()).isNull();
            assertThat(candidate.compatibilityVersion()).isNull();
            assertThat(candidate(resolve(withVersion(found), "cle.candidate.binary-version=24.4.0")
                                    .get(0))
                            .binaryVersion())
                    .hasToString("24.4.0");
        }
    }

    @Nested
    class AStrategy {

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "OldestCompatibilityVersion",
                    "MinimumCompatibilityVersion",
                    "NoCoordination",
                    "HighestPriority",
                    "OldestEmulationVersion",
                    "coordination.cle.io/OldestCompatibilityVersion",
                    "example.com/Nearest",
                    "example.com.Nearest",
                    "coordination.cle.io/example.com.Nearest"
                })
        void aStrategyThatIsKnownOrHasADomainIsTaken(String strategy) {
            assertThat(candidate(resolve("cle.candidate.strategy=" + strategy, "cle.api=crd")
                                    .get(0))
                            .strategy())
                    .isEqualTo(strategy);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "Oldest",
                    "",
                    "coordination.cle.io/Oldest",
                    "example.com/",
                    "Oldest.Version",
                    "example.com.",
                    "exa mple.com/Nearest"
                })
        void aStrategyThatIsUnknownIsRefusedWithTheKnownOnes(String strategy) {
            InvalidConfigurationException problem = problem("cle.candidate.strategy=" + strategy);
            assertThat(problem.getMessage()).contains("cle.candidate.strategy (" + strategy + ")");
            assertThat(problem.action()).contains("OldestCompatibilityVersion", "NoCoordination", "ElectionStrategy");
        }
    }

    @Nested
    class AName {

        @ParameterizedTest
        @CsvSource({"cle.lease-name, Orders", "cle.namespace, my.shop", "cle.identity, Host_1"})
        void aNameThatNoApiServerWouldTakeIsRefused(String property, String value) {
            InvalidConfigurationException problem = problem(property + "=" + value);
            assertThat(problem.property()).isEqualTo(property);
            assertThat(problem.value()).isEqualTo(value);
        }

        @Test
        void ofAnApplicationThatIsNoLeaseNameAsksForOne() {
            InvalidConfigurationException problem =
                    problem(new ProcessFacts("Order Service", () -> "shop", "host-ab1cd", null, null));
            assertThat(problem.getMessage()).startsWith("spring.application.name (Order Service) must consist of");
            assertThat(problem.action()).contains("cle.lease-name");
        }

        @Test
        void ofAnApplicationThatIsEmptyIsRefusedWithAndWithoutACluster() {
            ProcessFacts empty = new ProcessFacts(" ", () -> "default", "host-ab1cd", null, null);
            assertThat(problem(empty).getMessage()).startsWith("spring.application.name ( ) must ");
            assertThat(problem(empty, "cle.mode=standalone").getMessage())
                    .startsWith("spring.application.name ( ) must ");
            assertThat(resolve(empty, "cle.lease-name=orders").get(0).name()).isEqualTo("orders");
        }

        @Test
        void ofACandidateThatIsTooLongIsNamedWithBothOfItsParts() {
            InvalidConfigurationException problem =
                    problem("cle.lease-name=" + "a".repeat(200), "cle.identity=" + "b".repeat(60));
            assertThat(problem.property()).isEqualTo("cle.identity");
            assertThat(problem.action()).contains("cle.identity", "cle.lease-name");
        }
    }

    /** Leases with shards. */
    @Nested
    class Shards {

        private static List<LeaseSettings> shards(String... properties) {
            List<String> all = new ArrayList<>(List.of(properties));
            all.add("cle.leases.items.shards=16");
            return resolve(all.toArray(String[]::new)).subList(1, 17);
        }

        @Test
        void shardsAreLeasesWithTheNumberAndTheirIndexInTheName() {
            List<LeaseSettings> shards = shards("cle.leases.items.lease-name=goods");

            assertThat(shards).extracting(LeaseSettings::name).startsWith("items-16-0", "items-16-1");
            assertThat(shards).extracting(LeaseSettings::commonName).containsOnly("items");
            assertThat(shards.get(15).lease()).isEqualTo(new ObjectKey("shop", "goods-16-15"));
            assertThat(shards)
                    .extracting(lease -> lease.shard().orElseThrow().index())
                    .isSorted();
        }

        @Test
        void shardsHaveOneCandidateWhichIsTheHolderOfThemAll() {
            List<LeaseSettings> shards = shards();

            assertThat(shards).extracting(LeaseSettings::identity).containsOnly("items-host-ab1cd");
            assertThat(shards)
                    .extracting(LeaseSettingsResolverTests::candidate)
                    .hasSize(16)
                    .allMatch(candidate -> candidate.lease().equals(new ObjectKey("shop", "items-16-*")));
        }

        @Test
        void shardsAreNeverRacedFor() {
            assertThat(shards("cle.leases.items.fallback.enabled=true"))
                    .extracting(lease -> lease.config().fallback())
                    .containsOnly(new LockConfig.Fallback(false, Duration.ofSeconds(30)));
        }

        @Test
        void shardsAreSpreadEvenlyByDefault() {
            assertThat(shards())
                    .extracting(lease -> candidate(lease).strategy())
                    .containsOnly("Balanced");
        }

        @ParameterizedTest
        @ValueSource(strings = {"cle.candidate.strategy", "cle.leases.items.candidate.strategy"})
        void shardsHaveTheStrategyThatIsSet(String property) {
            assertThat(shards(property + "=OldestCompatibilityVersion"))
                    .extracting(lease -> candidate(lease).strategy())
                    .containsOnly("OldestCompatibilityVersion");
        }

        @Test
        void shardsAreNotInheritedFromTheDefaultLeaseWhichHasNone() {
            InvalidConfigurationException problem = problem("cle.shards=16", "cle.leases.items.namespace=shop");

            assertThat(problem.getMessage())
                    .isEqualTo("cle.shards (16): the default lease can't be spread over the replicas");
            assertThat(problem.action()).contains("cle.leases.<name>", "@OnLeader(lease = \"<name>\")");
        }

        @ParameterizedTest
        @ValueSource(ints = {-1, 0, 1001, 10_000})
        void anImpossibleNumberOfShardsIsRefused(int shards) {
            assertThat(problem("cle.leases.items.shards=" + shards).getMessage())
                    .isEqualTo("cle.leases.items.shards (" + shards + ") must be between 1 and 1000");
        }

        @ParameterizedTest
        @CsvSource({
            "cle.resource-lock, leases, coordinatedleases",
            "cle.leases.items.resource-lock, leases, coordinatedleases",
            "cle.api, native, auto or crd",
            "cle.leases.items.api, native, auto or crd"
        })
        void shardsWithoutTheirCoordinatorAreRefused(String property, String value, String instead) {
            String key = property.substring(property.lastIndexOf('.') + 1);
            InvalidConfigurationException problem =
                    problem(withVersion("1.0.0"), "cle.leases.items.shards=16", property + "=" + value);

            assertThat(problem.getMessage())
                    .contains(
                            "cle.leases.items.shards (16)", "contradicts cle.leases.items." + key + " (" + value + ")");
            assertThat(problem.action()).isEqualTo("Set cle.leases.items." + key + " to " + instead + ".");
        }

        @ParameterizedTest
        @ValueSource(strings = {"NoCoordination", "OldestEmulationVersion"})
        void shardsThatNoCoordinatorOfOursMayElectAreRefused(String strategy) {
            assertThat(problem("cle.leases.items.shards=16", "cle.candidate.strategy=" + strategy)
                            .getMessage())
                    .contains("cle.leases.items.candidate.strategy (" + strategy + ")", "cle.leases.items.shards (16)");
        }

        @ParameterizedTest
        @ValueSource(strings = {"cle.candidate.strategy", "cle.leases.reports.candidate.strategy"})
        void theStrategyOfShardsIsRefusedForALeaseWithout(String property) {
            InvalidConfigurationException problem =
                    problem(property + "=Balanced", "cle.leases.reports.namespace=shop");

            assertThat(problem.getMessage())
                    .isEqualTo(
                            property
                                    + " (Balanced): it spreads the shards of a lease or the leases of a group, and there are none");
            assertThat(problem.action()).contains("cle.leases.<name>.shards");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "cle.leases.items-16-3.namespace=shop",
                    "cle.leases.other.lease-name=items-16-3",
                    "cle.leases.other.lease-name=items",
                    "cle.lease-name=items",
                })
        void aLeaseWithANameOfTheShardsIsRefused(String other) {
            InvalidConfigurationException problem = problem("cle.leases.items.shards=16", other);

            assertThat(problem.getMessage() + problem.property()).contains("items", "is already that of");
        }

        @Test
        void twoNumbersOfShardsOfOneLeaseAreRefusedInOneProblem() {
            InvalidConfigurationException problem = problem(
                    "cle.leases.items.shards=16", "cle.leases.other.shards=8", "cle.leases.other.lease-name=items");

            assertThat(problem.getMessage())
                    .contains(
                            "cle.leases.items",
                            "the lease shop/items is already that of",
                            "cle.leases.other.lease-name");
        }
    }

    @Nested
    class Groups {

        private static List<LeaseSettings> group(String... properties) {
            List<String> all = new ArrayList<>(List.of(properties));
            all.addAll(List.of("cle.leases.billing.group=jobs", "cle.leases.reports.group=jobs"));
            return resolve(all.toArray(String[]::new)).subList(1, 3);
        }

        @Test
        void leasesOfAGroupKeepTheirNamesAndHaveOneCandidate() {
            List<LeaseSettings> leases = group();

            assertThat(leases)
                    .extracting(LeaseSettings::lease)
                    .containsExactlyInAnyOrder(new ObjectKey("shop", "billing"), new ObjectKey("shop", "reports"));
            assertThat(leases).extracting(LeaseSettings::identity).containsOnly("jobs-host-ab1cd");
            assertThat(leases)
                    .extracting(lease -> candidate(lease).lease())
                    .containsOnly(new ObjectKey("shop", "jobs-*"));
        }

        @Test
        void leasesOfAGroupAreSpreadEvenlyByDefaultAndNeverRacedFor() {
            assertThat(group("cle.fallback.enabled=true"))
                    .allMatch(lease -> candidate(lease).strategy().equals("Balanced"))
                    .allMatch(lease -> !lease.config().fallback().enabled());
        }

        @Test
        void aGroupIsNotInheritedFromTheDefaultLeaseWhichHasNone() {
            InvalidConfigurationException problem = problem("cle.group=jobs", "cle.leases.items.namespace=shop");

            assertThat(problem.getMessage())
                    .isEqualTo("cle.group (jobs): the default lease can't be spread over the replicas");
            assertThat(problem.action()).contains("cle.leases.<name>", "@OnLeader(lease = \"<name>\")");
        }

        @ParameterizedTest
        @CsvSource({
            "-jobs, must ",
            "jobs-16, must not end in a number",
        })
        void aNameThatNoGroupCanHaveIsRefused(String name, String reason) {
            assertThat(problem("cle.leases.billing.group=" + name).getMessage())
                    .startsWith("cle.leases.billing.group (" + name + ")")
                    .contains(reason);
        }

        @Test
        void shardsInAGroupAreRefused() {
            InvalidConfigurationException problem =
                    problem("cle.leases.billing.group=jobs", "cle.leases.billing.shards=4");

            assertThat(problem.getMessage())
                    .isEqualTo("cle.leases.billing.group (jobs) must not be set with cle.leases.billing.shards (4),"
                            + " because the shards of a lease are a group");
        }

        @ParameterizedTest
        @CsvSource({"resource-lock, leases, coordinatedleases", "api, native, auto or crd"})
        void aGroupWithoutItsCoordinatorIsRefused(String key, String value, String instead) {
            InvalidConfigurationException problem = problem(
                    withVersion("1.0.0"), "cle.leases.billing.group=jobs", "cle.leases.billing." + key + "=" + value);

            assertThat(problem.getMessage()).contains("contradicts cle.leases.billing." + key + " (" + value + ")");
            assertThat(problem.action()).isEqualTo("Set cle.leases.billing." + key + " to " + instead + ".");
        }

        @ParameterizedTest
        @CsvSource({
            "candidate.priority, 3",
            "candidate.strategy, HighestPriority",
            "candidate.renew-interval, 1m",
            "identity, other"
        })
        void leasesOfAGroupThatDifferInTheirCandidateAreRefused(String key, String value) {
            InvalidConfigurationException problem = problem(
                    "cle.leases.billing.group=jobs",
                    "cle.leases.reports.group=jobs",
                    "cle.leases.reports." + key + "=" + value);

            assertThat(problem.property()).matches("cle\\.leases\\.(billing|reports)\\.group");
            assertThat(problem.getMessage()).containsPattern("differ from those of cle\\.leases\\.(billing|reports)$");
        }

        @Test
        void aGroupThatIsNamedLikeALeaseIsRefused() {
            assertThat(problem("cle.leases.billing.group=jobs", "cle.leases.jobs.namespace=shop")
                            .getMessage())
                    .isEqualTo("cle.leases.billing.group (jobs): the lease shop/jobs has the same name");
        }
    }
}

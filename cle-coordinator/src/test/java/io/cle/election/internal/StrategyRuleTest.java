package io.cle.election.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import io.cle.ApiFormat;
import io.cle.election.internal.StrategyChoice.Source;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.Version;
import io.cle.model.internal.Lease;
import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.internal.Strategies;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Whose strategy applies, and how those of the candidates are combined (protocol.md#which-strategy-applies). */
class StrategyRuleTest {

    private static final ObjectKey LEASE = new ObjectKey("shop", "orders");

    private final StrategyRule rule = new StrategyRule(Strategies.builtIn());
    private final AtomicInteger names = new AtomicInteger();

    private Candidate asks(String strategy, @Nullable String binaryVersion) {
        return Candidate.builder(new ObjectKey("shop", "orders-" + names.incrementAndGet()), LEASE)
                .strategy(strategy)
                .binaryVersion(binaryVersion == null ? null : Version.parse(binaryVersion))
                .build();
    }

    private static Lease lease(@Nullable String strategy, @Nullable String recorded) {
        return Lease.builder(LEASE)
                .strategy(strategy)
                .recordedStrategy(recorded)
                .build();
    }

    private StrategyChoice agreed(ApiFormat format, Candidate... candidates) {
        List<Candidate> listed = new ArrayList<>(Arrays.asList(candidates));
        StrategyChoice choice = rule.choose(null, Optional.empty(), Optional.empty(), listed, format);
        Collections.reverse(listed);
        assertThat(rule.choose(null, Optional.empty(), Optional.empty(), listed, format))
                .as("in whatever order they are listed")
                .isEqualTo(choice);
        return choice;
    }

    // ---- precedence

    @ParameterizedTest
    @EnumSource(ApiFormat.class)
    void theStrategyThatAnAdministratorHasSetOnTheLeaseComesFirst(ApiFormat format) {
        StrategyChoice choice = rule.choose(
                lease("NewestCompatibilityVersion", "OldestCompatibilityVersion"),
                Optional.of("HighestPriority"),
                Optional.of("NoCoordination"),
                List.of(asks("OldestCompatibilityVersion", "1.0.0")),
                format);

        assertThat(choice.strategy()).isEqualTo(BuiltInStrategy.NEWEST_COMPATIBILITY_VERSION);
        assertThat(choice.source()).isEqualTo(Source.LEASE);
    }

    // ---- in a group

    private StrategyChoice inGroup(@Nullable Lease lease, @Nullable String configured, Candidate... candidates) {
        return rule.choose(lease, Optional.ofNullable(configured), Optional.empty(), List.of(candidates), ApiFormat.CRD)
                .whereNobodyRaces();
    }

    @Test
    void inAGroupNoCoordinationHasNoEffectAndIsAProblem() {
        Candidate balanced = asks("Balanced", "1.0.0");
        Lease says = lease("NoCoordination", "Balanced");

        assertThat(inGroup(says, null, balanced).strategy()).isEqualTo(BuiltInStrategy.BALANCED);
        assertThat(inGroup(says, null, balanced).problem())
                .isEqualTo(
                        "NoCoordination (set on the lease) has no effect on a lease of a group or a closed one, because nobody races"
                                + " for it");
        assertThat(inGroup(null, "NoCoordination", balanced).problem()).contains("set by a LeaseConfiguration");
        assertThat(inGroup(null, "NoCoordination", balanced).warning()).startsWith("NoCoordination (set by");
    }

    @Test
    void inAGroupCandidatesThatAskForNoCoordinationAreSpreadEvenly() {
        Candidate racer = asks("NoCoordination", "1.0.0");

        assertThat(inGroup(null, null, racer, asks("OldestCompatibilityVersion", "1.0.0"))
                        .strategy())
                .isEqualTo(BuiltInStrategy.BALANCED);
        assertThat(inGroup(null, null, racer).strategy()).isEqualTo(BuiltInStrategy.BALANCED);
    }

    @Test
    void inAGroupAnyOtherStrategyIsChosenAsForAnyLease() {
        assertThat(inGroup(lease("HighestPriority", null), null, asks("Balanced", "1.0.0")))
                .isEqualTo(StrategyChoice.of(BuiltInStrategy.HIGHEST_PRIORITY, Source.LEASE));
    }

    @Test
    void aStrategyThatOnlyTheCoordinatorHasRecordedIsNotAnAdministratorsWill() {
        StrategyChoice choice = rule.choose(
                lease("NewestCompatibilityVersion", "NewestCompatibilityVersion"),
                Optional.of("HighestPriority"),
                Optional.empty(),
                List.of(),
                ApiFormat.CRD);

        assertThat(choice.source()).isEqualTo(Source.CONFIGURATION);
    }

    @Test
    void theStrategyOnALeaseThatNoCoordinatorHasWrittenCounts() {
        StrategyChoice choice = rule.choose(
                lease("HighestPriority", null), Optional.empty(), Optional.empty(), List.of(), ApiFormat.CRD);

        assertThat(choice.source()).isEqualTo(Source.LEASE);
    }

    @Test
    void aLeaseConfigurationComesBeforeTheCoordinatorsProperties() {
        StrategyChoice choice = rule.choose(
                lease(null, null),
                Optional.of("HighestPriority"),
                Optional.of("NoCoordination"),
                List.of(asks("NewestCompatibilityVersion", null)),
                ApiFormat.CRD);

        assertThat(choice).isEqualTo(StrategyChoice.of(BuiltInStrategy.HIGHEST_PRIORITY, Source.CONFIGURATION));
    }

    @Test
    void theCoordinatorsPropertiesComeBeforeTheCandidates() {
        StrategyChoice choice = rule.choose(
                null,
                Optional.empty(),
                Optional.of("HighestPriority"),
                List.of(asks("NoCoordination", null)),
                ApiFormat.CRD);

        assertThat(choice).isEqualTo(StrategyChoice.of(BuiltInStrategy.HIGHEST_PRIORITY, Source.PROPERTIES));
    }

    // ---- names

    @ParameterizedTest
    @CsvSource({
        "OldestCompatibilityVersion, OldestCompatibilityVersion",
        "MinimumCompatibilityVersion, OldestCompatibilityVersion",
        "NewestCompatibilityVersion, NewestCompatibilityVersion",
        "HighestPriority, HighestPriority",
        "NoCoordination, NoCoordination",
        "coordination.cle.io/OldestCompatibilityVersion, OldestCompatibilityVersion",
        "coordination.cle.io/MinimumCompatibilityVersion, OldestCompatibilityVersion",
        "coordination.cle.io/NoCoordination, NoCoordination",
    })
    void aStrategyIsFoundByItsNamesWithAndWithoutThePrefixOfTheNativeFormat(String name, String strategy) {
        assertThat(Strategies.builtIn().find(name))
                .hasValueSatisfying(found -> assertThat(found.wireName()).isEqualTo(strategy));
    }

    @Test
    void aStrategyOfAnotherDomainIsNotOurs() {
        assertThat(Strategies.builtIn().find("example.com/HighestPriority")).isEmpty();
    }

    @Test
    void anUnknownStrategyLeavesTheLeaseAloneAndNamesWhoAsksForItAndTheKnownOnes() {
        StrategyChoice choice = rule.choose(null, Optional.of("Astrology"), Optional.empty(), List.of(), ApiFormat.CRD);

        assertThat(choice.strategy()).isNull();
        assertThat(choice.problem())
                .contains("'Astrology'", "set by a LeaseConfiguration", "HighestPriority, MinimumCompatibilityVersion");
    }

    @Test
    void kubeApiserversOwnStrategyIsLeftToIt() {
        StrategyChoice choice = agreed(ApiFormat.NATIVE, asks(Strategies.KUBE_APISERVERS_OWN, "1.0.0"));

        assertThat(choice.strategy()).isNull();
        assertThat(choice.problem()).contains("kube-apiserver");
        assertThat(choice.warning()).isNull();
    }

    @Test
    void kubeApiserversOwnStrategyWhereItElectsIsNoProblemWhicheverSourceNamesIt() {
        StrategyChoice choice = rule.choose(
                lease(Strategies.KUBE_APISERVERS_OWN, null),
                Optional.empty(),
                Optional.empty(),
                List.of(asks(Strategies.KUBE_APISERVERS_OWN, "1.0.0")),
                ApiFormat.NATIVE);

        assertThat(choice.strategy()).isNull();
        assertThat(choice.warning()).isNull();
    }

    @Test
    void anotherStrategyWhereKubeApiserverElectsHasNoEffect() {
        StrategyChoice choice = rule.choose(
                null,
                Optional.of("NewestCompatibilityVersion"),
                Optional.empty(),
                List.of(asks(Strategies.KUBE_APISERVERS_OWN, "1.0.0")),
                ApiFormat.NATIVE);

        assertThat(choice.strategy()).isNull();
        assertThat(choice.problem()).contains("kube-apiserver");
    }

    @Test
    void kubeApiserversOwnStrategyIsAnotherNameOfTheOldestVersionInTheCrdFormatWhoeverAsksForIt() {
        String own = Strategies.KUBE_APISERVERS_OWN;
        BuiltInStrategy oldest = BuiltInStrategy.OLDEST_COMPATIBILITY_VERSION;

        assertThat(agreed(ApiFormat.CRD, asks(own, "1.0.0"))).isEqualTo(StrategyChoice.of(oldest, Source.CANDIDATES));
        assertThat(rule.choose(null, Optional.of(own), Optional.empty(), List.of(), ApiFormat.CRD))
                .isEqualTo(StrategyChoice.of(oldest, Source.CONFIGURATION));
        assertThat(rule.choose(null, Optional.empty(), Optional.of(own), List.of(), ApiFormat.CRD))
                .isEqualTo(StrategyChoice.of(oldest, Source.PROPERTIES));
        assertThat(rule.choose(lease(own, null), Optional.empty(), Optional.empty(), List.of(), ApiFormat.CRD))
                .isEqualTo(StrategyChoice.of(oldest, Source.LEASE));
    }

    // ---- crd format

    @Nested
    class ByPrecedence {

        private StrategyChoice agreed(String... strategies) {
            return StrategyRuleTest.this.agreed(
                    ApiFormat.CRD,
                    Arrays.stream(strategies).map(name -> asks(name, null)).toArray(Candidate[]::new));
        }

        @Test
        void noCoordinationGoesBeforeAll() {
            assertThat(agreed("HighestPriority", "NoCoordination", "NewestCompatibilityVersion")
                            .strategy())
                    .isEqualTo(BuiltInStrategy.NO_COORDINATION);
        }

        @Test
        void theNewestGoesBeforeTheOldest() {
            assertThat(agreed("OldestCompatibilityVersion", "NewestCompatibilityVersion")
                            .strategy())
                    .isEqualTo(BuiltInStrategy.NEWEST_COMPATIBILITY_VERSION);
        }

        @Test
        void theOlderNameOfOldestIsTheSameStrategy() {
            StrategyChoice choice = agreed("OldestCompatibilityVersion", "MinimumCompatibilityVersion");

            assertThat(choice.strategy()).isEqualTo(BuiltInStrategy.OLDEST_COMPATIBILITY_VERSION);
            assertThat(choice.name()).isEqualTo("OldestCompatibilityVersion");
        }

        @Test
        void anUnknownStrategyIsPassedOverIfAnotherIsAskedFor() {
            assertThat(agreed("Astrology", "OldestCompatibilityVersion").strategy())
                    .isEqualTo(BuiltInStrategy.OLDEST_COMPATIBILITY_VERSION);
        }

        @Test
        void anUnknownStrategyThatAllAskForLeavesTheLeaseAlone() {
            assertThat(agreed("Astrology", "Divination").strategy()).isNull();
        }

        @Test
        void withoutCandidatesItIsTheOldest() {
            assertThat(agreed().strategy()).isEqualTo(BuiltInStrategy.OLDEST_COMPATIBILITY_VERSION);
        }
    }

    // ---- native format

    @Nested
    class ByBinaryVersion {

        private StrategyChoice agreed(Candidate... candidates) {
            return StrategyRuleTest.this.agreed(ApiFormat.NATIVE, candidates);
        }

        @Test
        void theCandidateOfTheHighestBinaryVersionDecides() {
            assertThat(agreed(asks("NoCoordination", "1.9.0"), asks("HighestPriority", "1.10.0"))
                            .strategy())
                    .isEqualTo(BuiltInStrategy.HIGHEST_PRIORITY);
        }

        @Test
        void twoOfTheHighestVersionThatDifferLeaveTheLeaseAlone() {
            StrategyChoice choice = agreed(asks("NoCoordination", "1.10.0"), asks("HighestPriority", "1.10.0"));

            assertThat(choice.strategy()).isNull();
            assertThat(choice.problem()).contains("HighestPriority, NoCoordination");
        }

        @Test
        void versionsThatDifferInTheirBuildOnlyAreTheSameByBinaryVersion() {
            StrategyChoice choice = agreed(asks("NoCoordination", "1.10.0+a"), asks("HighestPriority", "1.10.0+b"));

            assertThat(choice.strategy()).isNull();
            assertThat(choice.problem()).contains("HighestPriority, NoCoordination");
        }

        @Test
        void twoOfTheHighestVersionThatAgreeAreAgreed() {
            assertThat(agreed(asks("HighestPriority", "1.10.0"), asks("HighestPriority", "1.10.0"))
                            .strategy())
                    .isEqualTo(BuiltInStrategy.HIGHEST_PRIORITY);
        }

        @Test
        void oneWithoutAVersionDecidesNothingWhereAnotherHasOne() {
            assertThat(agreed(asks("NoCoordination", null), asks("HighestPriority", "0.0.1"))
                            .strategy())
                    .isEqualTo(BuiltInStrategy.HIGHEST_PRIORITY);
        }

        @Test
        void withoutAnyVersionAllCandidatesHaveToAgree() {
            assertThat(agreed(asks("HighestPriority", null), asks("HighestPriority", null))
                            .strategy())
                    .isEqualTo(BuiltInStrategy.HIGHEST_PRIORITY);
            assertThat(agreed(asks("HighestPriority", null), asks("NoCoordination", null))
                            .strategy())
                    .isNull();
        }

        @Test
        void anUnknownStrategyLeavesTheLeaseAlone() {
            assertThat(agreed(asks("Astrology", "1.0.0")).problem()).contains("'Astrology'");
        }

        @Test
        void withoutCandidatesItIsTheOldest() {
            assertThat(agreed().strategy()).isEqualTo(BuiltInStrategy.OLDEST_COMPATIBILITY_VERSION);
        }
    }
}

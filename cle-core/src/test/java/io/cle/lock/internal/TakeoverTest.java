package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

import io.cle.KeyComparison;
import io.cle.lock.internal.LockConfig.Takeover;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static io.cle.lock.internal.Race.LEASE;
import static io.cle.lock.internal.Race.direct;
import static org.assertj.core.api.Assertions.assertThat;

/** KEP-2835 on direct locks: prioritized election, by asking first. Rule: {@code safety.md#term-annotation}. */
class TakeoverTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(40);

    private final Race race = new Race();

    private static LockConfig candidate(String identity, String key, KeyComparison comparison) {
        return direct(identity, new Takeover(key, comparison, TIMEOUT));
    }

    private static LockConfig number(String identity, int key) {
        return candidate(identity, String.valueOf(key), KeyComparison.largestNumber());
    }

    private void plainLeads() {
        Lease.Builder plain = Lease.builder(LEASE).holder("plain").leaseDuration(Duration.ofSeconds(15));
        race.write(plain.acquireTime(Instant.EPOCH).renewTime(Instant.EPOCH));
    }

    /** Lets client-go's elector renew, which leaves all annotations unchanged. */
    private void plainRenews(Duration time) {
        for (long second = 0; second < time.toSeconds(); second += 2) {
            race.run(Duration.ofSeconds(2));
            Lease record = Objects.requireNonNull(race.record());
            if (record.heldBy("plain")) {
                race.write(record.toBuilder()
                        .renewTime(Objects.requireNonNull(record.renewTime()).plusSeconds(2)));
            }
        }
    }

    @Nested
    class TheStoriesOfKep2835 {

        @Test
        void theNewestVersionTakesOver() {
            race.join(candidate("a", "1.9.0", KeyComparison.newestVersion())).run(Duration.ofSeconds(5));
            race.join(candidate("b", "1.10.0", KeyComparison.newestVersion())).run(Duration.ofMillis(20));

            assertThat(race.leaders()).containsExactly("b");
            assertThat(race.story()).containsExactly("a leads", "a revoked: END_OF_TERM", "b leads");
        }

        @Test
        void theLargestReplicaTakesOverAndASmallerOneDoesNot() {
            race.join(number("small", 2)).run(Duration.ofSeconds(5));
            race.join(number("large", 16)).run(Duration.ofSeconds(5));
            race.join(number("middle", 8)).run(Duration.ofMinutes(2));

            assertThat(race.leaders()).containsExactly("large");
        }

        @Test
        void theClosestRegionTakesOver() {
            KeyComparison proximity = KeyComparison.orderedList(List.of("frankfurt", "paris", "dublin"));
            race.join(candidate("d", "dublin", proximity)).run(Duration.ofSeconds(5));
            race.join(candidate("elsewhere", "tokyo", proximity)).run(Duration.ofSeconds(5));
            race.join(candidate("f", "frankfurt", proximity)).run(Duration.ofSeconds(5));

            assertThat(race.leaders()).containsExactly("f");
            assertThat(race.story()).doesNotContain("elsewhere leads");
        }
    }

    @Nested
    class AKey {

        @Test
        void ofTheHolderIsOnTheRecord() {
            race.join(number("a", 5)).run(Duration.ofSeconds(1));

            assertThat(Objects.requireNonNull(race.record()).holderKey()).isEqualTo("5");
        }

        @Test
        void aKeyThatIsEqualNeverTakesOver() {
            race.join(number("a", 5)).run(Duration.ofSeconds(5));
            race.join(number("b", 5)).run(Duration.ofMinutes(2));

            assertThat(race.story()).containsExactly("a leads");
        }

        @Test
        void aKeyThatIsEmptyTakesPrecedenceOverNone() {
            race.join(number("a", -5)).run(Duration.ofSeconds(5));
            race.join(candidate("b", "", KeyComparison.largestNumber())).run(Duration.ofMinutes(2));

            assertThat(race.story()).containsExactly("a leads");
        }

        @Test
        void aKeyThatAnOlderHolderLeftOnTheRecordSaysNothingAboutTheOneThatKnowsNoKeys() {
            race.join(number("a", 9)).run(Duration.ofSeconds(5));
            race.crash("a");
            race.write(Objects.requireNonNull(race.record()).toBuilder()
                    .holder("plain")
                    .renewTime(Instant.EPOCH.plusSeconds(60)));
            race.join(number("b", 5));
            // To b, a's remaining annotation means a term that may still run; until that ends, b asks nobody to yield.
            plainRenews(Duration.ofSeconds(18));

            assertThat(race.record()).extracting(Lease::preferredHolder).isEqualTo("b");
        }

        @Test
        void aKeyComparedByComparisonsThatContradictEachOtherIsDampedAndReported() {
            KeyComparison always = (ourKey, holderKey) -> true;
            race.join(candidate("a", "x", always))
                    .join(candidate("b", "y", always))
                    .run(Duration.ofHours(1));

            long terms =
                    race.story().stream().filter(line -> line.endsWith("leads")).count();
            assertThat(terms).isLessThan(20);
            assertThat(race.story()).anyMatch(line -> line.contains("contradict each other"));
        }

        /** One replica is of a release with another comparison; by its own, the holder needn't yield to it. */
        @Test
        void aKeyThatTakesPrecedenceByTheAskingProcesssComparisonOnlyIsReportedOnceWithBothKeys() {
            race.join(candidate("a", "1.10.0", KeyComparison.newestVersion())).run(Duration.ofMinutes(10));
            race.join(candidate("b", "1.9.0", KeyComparison.oldestVersion())).run(Duration.ofSeconds(5));

            assertThat(race.leaders()).containsExactly("b");
            assertThat(race.story())
                    .filteredOn(line -> line.startsWith("a reports: 'b' has asked this process to yield"))
                    .singleElement()
                    .asString()
                    .contains("'1.9.0'", "'1.10.0'", "cle.candidate.key-comparison");
        }

        @Test
        void aKeyThatTakesPrecedenceByBothComparisonsIsNotReported() {
            race.join(candidate("a", "1.9.0", KeyComparison.newestVersion())).run(Duration.ofMinutes(10));
            race.join(candidate("b", "1.10.0", KeyComparison.newestVersion())).run(Duration.ofSeconds(5));

            assertThat(race.story()).containsExactly("a leads", "a revoked: END_OF_TERM", "b leads");
        }

        @Test
        void ofAReplicaThatRestartsSoonIsReportedAsThat() {
            race.join(number("far", 1)).run(Duration.ofSeconds(5));
            race.join(number("close", 2)).run(Duration.ofSeconds(5));
            race.crash("close").run(Duration.ofSeconds(20));
            race.join(number("close", 2)).run(Duration.ofSeconds(5));

            assertThat(race.leaders()).containsExactly("close");
            assertThat(race.story())
                    .filteredOn(line -> line.contains("times in a row"))
                    .singleElement()
                    .asString()
                    .contains("far reports: ", "restarts often");
        }

        @Test
        void inACircleOfThreeIsDampedAndReported() {
            KeyComparison beatsNext = (ourKey, holderKey) ->
                    List.of("rock>scissors", "scissors>paper", "paper>rock").contains(ourKey + ">" + holderKey);
            race.join(candidate("r", "rock", beatsNext))
                    .join(candidate("s", "scissors", beatsNext))
                    .join(candidate("p", "paper", beatsNext))
                    .run(Duration.ofHours(2));

            long terms =
                    race.story().stream().filter(line -> line.endsWith("leads")).count();
            assertThat(terms).isLessThan(40);
            assertThat(race.story()).anyMatch(line -> line.contains("contradict each other"));
        }
    }

    @Nested
    class TheHolder {

        @Test
        void withoutATermAnnotationIsPreemptedAfterTheTimeoutAndWaitedOut() {
            plainLeads();
            race.join(number("b", 5));
            plainRenews(Duration.ofSeconds(36));
            assertThat(race.record()).extracting(Lease::holder).isEqualTo("plain");

            race.run(Duration.ofSeconds(5));
            assertThat(race.record()).extracting(Lease::holder).isEqualTo("b");
            assertThat(race.leaders())
                    .as("the last renewal was at 36 s and is valid until 51 s")
                    .isEmpty();

            race.run(Duration.ofSeconds(12));
            assertThat(race.leaders()).containsExactly("b");
            assertThat(race.story())
                    .contains(
                            "b reports: the holder 'plain' was asked to yield to a higher key and has not; it is preempted"
                                    + " once its last renewal has run out");
        }

        /** client-go's elector, with a lease duration four times as long as ours, is cut off: its last renewal is valid for that long. */
        @Test
        void withALongerLeaseThanThePreemptingOnesIsWaitedOutForTheWholeOfIt() {
            Lease.Builder plain = Lease.builder(LEASE).holder("plain").leaseDuration(Duration.ofSeconds(60));
            race.write(plain.acquireTime(Instant.EPOCH).renewTime(Instant.EPOCH));
            race.join(number("b", 5)).run(Duration.ofSeconds(59));
            assertThat(race.record()).extracting(Lease::holder).isEqualTo("b");
            assertThat(race.leaders()).isEmpty();

            race.run(Duration.ofSeconds(2));
            assertThat(race.leaders()).containsExactly("b");
        }

        @Test
        void theHolderIsNotAskedToYieldBeforeItsTermHasBegun() {
            race.join(number("a", 1)).run(Duration.ofSeconds(5));
            race.write(Objects.requireNonNull(race.record()).toBuilder()
                    .holder("slow")
                    .holderKey("1")
                    .acquireTime(Instant.EPOCH.plusSeconds(60))
                    .renewTime(Instant.EPOCH.plusSeconds(60))
                    .term(TermAnnotation.granted(
                            "slow", Instant.EPOCH.plusSeconds(60), race.record().endedWhenReplaced())));
            race.join(number("b", 5)).run(Duration.ofSeconds(1));

            assertThat(race.record().endOfTerm()).isFalse();
        }

        /** client-go's elector leaves the request to the previous holder on the record. */
        @Test
        void theHolderThatFollowsTheOneThatWasAskedIsGivenTheWholeTimeoutToo() {
            plainLeads();
            race.join(number("b", 5));
            plainRenews(Duration.ofSeconds(30));
            race.write(Objects.requireNonNull(race.record()).toBuilder()
                    .holder("plain2")
                    .acquireTime(Instant.EPOCH.plusSeconds(60))
                    .renewTime(Instant.EPOCH.plusSeconds(60)));

            race.run(Duration.ofSeconds(14));

            assertThat(race.record()).extracting(Lease::holder).isEqualTo("plain2");
        }
    }

    @Nested
    class ACandidateThatAsks {

        @Test
        void aCandidateThatAsksKeepsNoOtherFromAskingOnceItIsGone() {
            plainLeads();
            race.join(number("b", 9)).run(Duration.ofSeconds(1));
            race.crash("b").join(number("c", 5));
            plainRenews(Duration.ofSeconds(40));
            assertThat(race.record()).extracting(Lease::preferredHolder).isEqualTo("b");

            plainRenews(Duration.ofMinutes(3));
            assertThat(race.leaders()).containsExactly("c");
        }

        @Test
        void aCandidateThatAsksAsksAgainIfAnotherThatIsGoneHadOutbidIt() {
            plainLeads();
            race.join(number("b", 5)).run(Duration.ofSeconds(1));
            race.join(number("c", 9)).run(Duration.ofSeconds(1));
            assertThat(race.record()).extracting(Lease::preferredHolder).isEqualTo("c");
            race.crash("c");

            plainRenews(Duration.ofMinutes(4));
            assertThat(race.leaders()).containsExactly("b");
        }

        @Test
        void aCandidateThatAsksIsPreferredIfItIsTheBestOfSeveral() {
            race.join(number("a", 1)).run(Duration.ofSeconds(5));
            race.join(number("b", 2)).join(number("c", 3)).run(Duration.ofMinutes(1));

            assertThat(race.leaders()).containsExactly("c");
        }
    }

    @Nested
    class ACandidateThatPreempts {

        @Test
        void aCandidateThatPreemptsAndLeavesFreesNothingWhileTheEarlierTermMayRun() {
            plainLeads();
            race.join(number("b", 5));
            plainRenews(Duration.ofSeconds(36));
            race.run(Duration.ofSeconds(5));
            assertThat(race.record()).extracting(Lease::holder).isEqualTo("b");

            race.leave("b").run(Duration.ofSeconds(5));

            assertThat(race.record()).extracting(Lease::holder).isEqualTo("b");
        }

        @Test
        void aPreemptingOneThatIsGoneWaitsNoLongerThanThatOneHadTo() {
            KeyComparison larger = KeyComparison.largestNumber();
            plainLeads();
            race.join(direct("b", new Takeover("2", larger, Duration.ofSeconds(1))));
            race.run(Duration.ofMillis(1500)).crash("b");
            race.join(direct("c", new Takeover("3", larger, Duration.ofSeconds(3))));
            race.run(Duration.ofMillis(3500)).crash("c");
            assertThat(race.record()).extracting(Lease::holder).isEqualTo("c");
            race.join(direct("d", new Takeover("4", larger, Duration.ofSeconds(5))));
            race.run(Duration.ofMillis(5500));
            assertThat(race.record()).extracting(Lease::holder).isEqualTo("d");

            assertThat(race.record().leaseDuration())
                    .as("its own, plus the rest of the first holder's as a new candidate sees it")
                    .isLessThanOrEqualTo(Duration.ofSeconds(30));
            assertThat(race.leaders())
                    .as("the first holder may lead until 15 s")
                    .isEmpty();
            race.run(Duration.ofSeconds(10));
            assertThat(race.leaders()).containsExactly("d");
        }
    }
}

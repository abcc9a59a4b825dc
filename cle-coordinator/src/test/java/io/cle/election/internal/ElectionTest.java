package io.cle.election.internal;

import java.time.Duration;

import io.cle.model.internal.Lease;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When an election is needed, who is best, and by which strategy (safety.md#when-to-elect,
 * protocol.md#which-strategy-applies). Each decision is made for several orders of the candidates.
 */
class ElectionTest extends ElectionFixture {

    @Nested
    class ALeaseThatMayBeGranted {

        @Test
        void aLeaseThatMayBeGrantedIsGrantedToTheBestCandidateIfItIsMissing() {
            election.comes("a", "1.2.0").comes("b", "1.1.0").comes("c", "1.3.0");

            elects("b");
        }

        @Test
        void aLeaseThatMayBeGrantedIsGrantedToTheBestCandidateIfItIsFree() {
            aLeads("1.0.0");
            election.handsOver(null).goes("a").comes("b", "1.1.0");

            elects("b");
        }

        @Test
        void aLeaseThatMayBeGrantedIsGrantedToTheBestCandidateTheMomentItExpires() {
            aLeads("1.0.0");
            election.goes("a").after(Duration.ofMillis(14_999)).comes("b", "1.1.0");
            assertThat(election.decide()).isInstanceOf(Decision.WaitUntil.class);

            election.after(Duration.ofMillis(1));
            elects("b");
        }

        @Test
        void aLeaseThatMayBeGrantedIsGrantedToTheOnlyCandidate() {
            election.comes("a", "1.0.0");

            elects("a");
        }

        @Test
        void aLeaseThatMayBeGrantedIsGrantedToNoCandidateIfThereIsNone() {
            leavesAlone("no other candidate");
        }

        @Test
        void aLeaseThatMayBeGrantedIsGrantedToTheOldestOfEqualOnesAndThenToTheFirstByName() {
            election.comes("b", "1.0.0").comes("a", "1.0.0");
            election.comes(
                    "z",
                    "1.0.0",
                    candidate -> candidate.creationTime(election.wall().minusSeconds(1)));
            elects("z");

            election.goes("z").handsOver(null);
            elects("a");
        }

        @Test
        void aLeaseThatMayBeGrantedIsGrantedForAReasonThatSaysOfHowManyTheWinnerIsTheBest() {
            election.comes("a", "1.2.0");
            assertThat(elects("a").reason()).contains("is the best of 1 candidate by");

            election.handsOver(null).comes("b", "1.1.0");
            assertThat(elects("b").reason()).contains("is the best of 2 candidates by");
        }

        @Test
        void aLeaseThatMayBeGrantedIsGrantedWithTransitionsUpToTheLargestNumberThatTheApiServerAccepts() {
            aLeads("1.0.0");
            election.writes(lease -> lease.transitions(Integer.MAX_VALUE));
            election.goes("a").after(Duration.ofSeconds(30)).comes("b", "1.1.0");

            assertThat(elects("b").desired().transitions()).isEqualTo(Integer.MAX_VALUE);
        }
    }

    @Nested
    class ATerm {

        @Test
        void aTermIsEndedForABetterCandidate() {
            aLeads("1.1.0");
            election.comes("b", "1.0.0");

            prefers("b");
        }

        @Test
        void aTermIsNotEndedForATie() {
            aLeads("1.0.0");
            election.comes(
                    "b",
                    "1.0.0",
                    candidate -> candidate.creationTime(election.wall().minusSeconds(9999)));

            assertThat(election.decide()).isInstanceOf(Decision.WaitUntil.class);
        }

        @Test
        void aTermIsNotEndedForAWorseCandidate() {
            aLeads("1.0.0");
            election.comes("b", "1.1.0");

            assertThat(election.decide()).isInstanceOf(Decision.WaitUntil.class);
        }

        @Test
        void aTermIsEndedForTheBestOfSeveralBetterOnes() {
            aLeads("1.3.0");
            election.comes("b", "1.2.0").comes("c", "1.1.0");

            prefers("c");
        }

        @Test
        void aTermIsEndedForAPriorityThatRises() {
            election.configured("HighestPriority")
                    .comes("a", "1.0.0", candidate -> candidate.priority(5))
                    .decide();
            election.begins("a").comes("b", "1.0.0", candidate -> candidate.priority(5));
            assertThat(election.decide()).isInstanceOf(Decision.WaitUntil.class);

            election.changes(
                    "b",
                    candidate -> candidate.priority(6).renewTime(election.wall().plusNanos(1000)));
            assertThat(prefers("b").reason()).contains("priority 6", "priority 5");
        }
    }

    @Nested
    class AStrategy {

        @Test
        void ofNoCoordinationLeavesTheLeaseAlone() {
            election.comes("b", "1.0.0", candidate -> candidate.strategy("NoCoordination"));

            leavesAlone("NoCoordination", "asked for by the candidates");
        }

        @Test
        void aStrategyThatIsUnknownLeavesTheLeaseAloneAndSaysWhichAreKnown() {
            election.configured("Random").comes("a", "1.0.0");

            leavesAlone("no strategy 'Random'", "LeaseConfiguration", "HighestPriority");
        }

        @Test
        void ofAnAdministratorTakesEffectAtOnceAndSticks() {
            aLeads("1.0.0");
            election.comes("canary", "2.0.0").writes(lease -> lease.strategy("NewestCompatibilityVersion"));

            Lease desired = prefers("canary").desired();

            assertThat(desired.strategy()).isEqualTo("NewestCompatibilityVersion");
            assertThat(desired.recordedStrategy()).isEqualTo("OldestCompatibilityVersion");
        }

        @Test
        void aStrategyThatTheCoordinatorRecordedItselfDoesNotStick() {
            aLeads("1.0.0");
            election.changes("a", candidate -> candidate.strategy("NewestCompatibilityVersion"));
            election.comes("b", "2.0.0", candidate -> candidate.strategy("NewestCompatibilityVersion"));

            assertThat(prefers("b").desired().strategy()).isEqualTo("NewestCompatibilityVersion");
        }
    }

    /** Candidates race at once for a lease with {@code NoCoordination}; otherwise they would wait for the fallback's delay. */
    @Nested
    class NoCoordination {

        private static final String NAME = "NoCoordination";

        private Lease records() {
            Decision decision = election.decide();
            assertThat(decision).isInstanceOf(Decision.RecordStrategy.class);
            Lease desired = ((Decision.RecordStrategy) decision).desired();
            assertThat(desired.recordedStrategy()).isEqualTo(desired.strategy());
            return desired;
        }

        @Test
        void noCoordinationIsWrittenOnceBesideALeaderThatWasElected() {
            aLeads("1.0.0");
            Lease before = election.held();
            election.configured(NAME);

            assertThat(records())
                    .returns(NAME, Lease::strategy)
                    .returns(before.holder(), Lease::holder)
                    .returns(before.renewTime(), Lease::renewTime)
                    .returns(before.term(), Lease::term);
            leavesAlone(NAME, "set by a LeaseConfiguration");
        }

        @Test
        void noCoordinationThatACandidateAsksForIsWrittenAsWell() {
            aLeads("1.0.0");
            election.comes("b", "2.0.0", candidate -> candidate.strategy(NAME));

            assertThat(records().strategy()).isEqualTo(NAME);
            leavesAlone(NAME, "asked for by the candidates");
        }

        @Test
        void ofAnAdministratorStandsThereAlready() {
            aLeads("1.0.0");
            election.writes(lease -> lease.strategy(NAME));

            leavesAlone(NAME, "set on the lease");
            assertThat(election.held().recordedStrategy()).isEqualTo("OldestCompatibilityVersion");
        }

        @Test
        void noCoordinationThatAnAdministratorHasTakenBackIsNoLongerInForce() {
            aLeads("1.0.0");
            election.writes(lease -> lease.strategy(NAME));
            leavesAlone(NAME);

            election.writes(lease -> lease.strategy(null));

            waits();
        }

        @Test
        void noCoordinationIsWrittenToAFreeLease() {
            aLeads("1.0.0");
            election.handsOver(null).configured(NAME);

            assertThat(records()).returns(NAME, Lease::strategy).returns(null, Lease::holder);
        }

        @Test
        void noCoordinationIsWrittenToALeaseWithoutAHolderIfThereIsNone() {
            election.comes("a", "1.0.0").configured(NAME);

            assertThat(records())
                    .returns(NAME, Lease::strategy)
                    .returns(null, Lease::holder)
                    .returns(null, Lease::term)
                    .returns(true, Lease::managed)
                    .returns(Lease.RELEASED, Lease::leaseDuration);
            leavesAlone(NAME);
        }

        @Test
        void noCoordinationCreatesNoLeaseBeforeTheLastTermOfADeletedOneHasRunOut() {
            aLeads("1.0.0");
            election.deleted().configured(NAME);
            waitsFor(Duration.ofSeconds(15));

            election.after(Duration.ofSeconds(15));
            assertThat(records().holder()).isNull();
        }

        @Test
        void noCoordinationIsNotWrittenBesideAHolderThatFollowsNoCoordinatorUntilItsLeaseHasExpired() {
            election.comes("a", "1.0.0").configured(NAME);
            election.plainTakes("plain");
            waitsFor(Duration.ofSeconds(15));

            election.after(Duration.ofSeconds(15));
            assertThat(records().strategy()).isEqualTo(NAME);
        }

        @Test
        void noCoordinationIsReplacedByTheNextStrategy() {
            aLeads("1.0.0");
            election.configured(NAME);
            records();

            election.configured("HighestPriority");

            assertThat(records().strategy()).isEqualTo("HighestPriority");
            waits();
        }
    }
}

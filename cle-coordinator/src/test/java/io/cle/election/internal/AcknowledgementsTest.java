package io.cle.election.internal;

import java.time.Duration;
import java.util.Objects;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.model.Candidate;
import io.cle.model.internal.TermAnnotation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Who is pinged, for how long the coordinator waits, and who is regarded as present (safety.md#acknowledgement). */
class AcknowledgementsTest extends ElectionFixture {

    @Test
    void ofCandidatesThatHaveNotRenewedLatelyTheBestIsPingedAlone() {
        election.stands("a", "1.0.0").stands("b", "1.1.0").stands("c", "1.2.0");

        asks("a");
        waitsFor(Duration.ofSeconds(1));
        election.after(Duration.ofMillis(10)).renews("a");
        elects("a");
    }

    @Test
    void theOthersArePingedAllAtOnceIfTheBestHasNotAcknowledgedWithinASecond() {
        bestOfThreeIsSilentForASecond();

        asks("b", "c");
        waitsFor(Duration.ofSeconds(4));
    }

    @Test
    void theOthersAreNotPingedBeforeTheBestHasHadASecond() {
        election.stands("a", "1.0.0").stands("b", "1.1.0").decide();

        election.after(Duration.ofMillis(999));

        waitsFor(Duration.ofMillis(1));
    }

    @Test
    void theBestIsStillElectedIfItAcknowledgesAfterTheOthersWerePinged() {
        bestOfThreeIsSilentForASecond();
        election.decide();
        election.renews("c").after(Duration.ofMillis(3999)).renews("a");

        elects("a");
    }

    @Test
    void theNextBestIsElectedAfterFiveSecondsInAllIfTheBestHasNotAcknowledged() {
        bestOfThreeIsSilentForASecond();
        election.decide();
        election.renews("b").renews("c").after(Duration.ofMillis(3999));
        waitsFor(Duration.ofMillis(1));

        election.after(Duration.ofMillis(1));
        elects("b");
    }

    @Test
    void nobodyIsElectedWithoutAnAcknowledgementIfAllHaveLetTheirTimePass() {
        bestOfThreeIsSilentForASecond();
        election.decide();

        election.after(Duration.ofSeconds(4));
        waitsFor(Duration.ofSeconds(1));
        election.after(Duration.ofSeconds(1));
        leavesAlone("none of 3 candidates has answered");
    }

    private void bestOfThreeIsSilentForASecond() {
        election.stands("a", "1.0.0").stands("b", "1.1.0").stands("c", "1.2.0").decide();
        election.after(Duration.ofSeconds(1));
    }

    /** Pings two candidates: a, the better one, and b after a second. */
    private void aAndBArePinged() {
        election.stands("a", "1.0.0").stands("b", "1.1.0");
        asks("a");
        election.after(Duration.ofSeconds(1));
        asks("b");
    }

    @Test
    void oneThatRenewedInTheLastFiveSecondsIsNotAsked() {
        election.comes("a", "1.0.0").after(Duration.ofSeconds(5));

        elects("a");
    }

    @Test
    void oneThatRenewedLongerAgoIsAsked() {
        election.comes("a", "1.0.0").after(Duration.ofMillis(5001));

        asks("a");
    }

    /** Another coordinator with a stale view, or an administrator, has removed the ping: the candidate doesn't know of it. */
    @Test
    void oneWhosePingWasTakenBackIsAskedAnewAndDoesNotCountAsThere() {
        election.stands("a", "1.0.0");
        asks("a");

        election.changes("a", candidate -> candidate.pingTime(null));

        asks("a");
    }

    @Test
    void oneWhosePingWasTakenBackLongAgoIsNotSilent() {
        election.stands("a", "1.0.0");
        asks("a");

        election.after(Duration.ofSeconds(20)).changes("a", candidate -> candidate.pingTime(null));

        asks("a");
    }

    @Test
    void aHolderThatHasJustReleasedIsPingedAlthoughItRenewedAMomentBefore() {
        aHasJustBegunBesideB();
        election.renews("a").after(Duration.ofMillis(1)).handsOver(null);

        asks("a");
        election.after(Duration.ofMillis(1)).goes("a");
        elects("b");
    }

    @Test
    void ifItIsUnknownWhichCandidateHasReleasedAllArePinged() {
        aHasJustBegunBesideB();
        TermAnnotation.Ended ended = election.held().endedWhenReplaced();
        election.writes(lease -> lease.holder(null)
                .leaseDuration(Duration.ofSeconds(1))
                .renewTime(election.wall().plusNanos(1000))
                .term(TermAnnotation.released(ended))
                .transitions(7));

        asks("a", "b");
    }

    @Test
    void theBestCandidateIsPingedWhenTheHolderHasWithdrawn() {
        aLeads("1.0.0");
        election.stands("b", "1.1.0")
                .stands("c", "1.2.0")
                .after(Duration.ofSeconds(1))
                .goes("a");

        asks("b");
        waits();
        election.after(Duration.ofMillis(5)).renews("b");
        waits();
        election.after(Duration.ofMillis(5)).handsOver(null);
        elects("b");
    }

    @Test
    void theNextOneIsAskedWhereTheBestIsSilentWhileTheHolderDrains() {
        aLeads("1.0.0");
        election.stands("b", "1.1.0").stands("c", "1.2.0").goes("a");

        asks("b");
        election.after(Duration.ofSeconds(5)).holderRenews();
        asks("c");
    }

    @Test
    void theBestCandidateIsPingedWhenTheHolderHasWithdrawnAlsoIfItWasPingedLongBefore() {
        aAndBArePinged();
        election.renews("b").renews("a");
        elects("a");
        election.begins("a").after(Duration.ofSeconds(11)).holderRenews().goes("a");

        asks("b");
    }

    @Test
    void theReasonSaysThatTheHolderHasWithdrawn() {
        aLeads("1.0.0");
        election.goes("a");

        assertThat(election.decide().reason())
                .isEqualTo("a has withdrawn its candidacy and is about to release the lease");
    }

    @Test
    void noCandidateIsPingedAgainDuringALongDrain() {
        aLeads("1.0.0");
        election.stands("b", "1.1.0").goes("a");
        asks("b");
        election.renews("b");

        election.after(Duration.ofSeconds(11)).holderRenews();

        waits();
    }

    @Test
    void noCandidateIsPingedWhenTheHolderHasJoinedAgain() {
        aLeads("1.0.0");
        election.stands("b", "1.1.0").goes("a").comes("a", "1.0.0");

        waits();
    }

    private void aHasJustBegunBesideB() {
        election.comes("a", "1.0.0").decide();
        election.begins("a").after(Duration.ofMillis(10)).comes("b", "1.1.0").after(Duration.ofMillis(10));
    }

    @Test
    void aCandidateThatJoinsAfterTheReleaseNeedsNoPing() {
        aLeads("1.0.0");
        election.handsOver(null).goes("a").after(Duration.ofMillis(1)).comes("b", "1.1.0");

        elects("b");
    }

    @Test
    void theElectionEndsAsSoonAsTheBestHasAcknowledged() {
        election.stands("a", "1.0.0").stands("b", "1.1.0").decide();
        election.after(Duration.ofMillis(10)).renews("a");

        elects("a");
    }

    @Test
    void theElectionGoesOnWhileABetterOneHasTimeLeft() {
        aAndBArePinged();
        election.after(Duration.ofMillis(10)).renews("b");

        waitsFor(Duration.ofMillis(3990));
    }

    @Test
    void aCandidateThatDoesNotAcknowledgeWithinFiveSecondsIsPassedOver() {
        aAndBArePinged();
        election.renews("b").after(Duration.ofSeconds(4));

        elects("b");
    }

    @Test
    void anAnswerCountsUntilTheSlowestCouldHaveAnswered() {
        aAndBArePinged();
        election.after(Duration.ofMillis(1)).renews("b").after(Duration.ofMillis(9999));

        elects("b");
    }

    @Test
    void anAnswerCountsNoLongerThanTheSlowestHadTimeToAnswer() {
        aAndBArePinged();
        election.after(Duration.ofMillis(1)).renews("b").after(Duration.ofSeconds(10));

        asks("b");
    }

    @Test
    void ifNoCandidateAcknowledgesTheFirstOneThatRenewsIsElected() {
        aAndBArePinged();
        election.after(Duration.ofSeconds(5));
        leavesAlone("none of 2 candidates has answered within 5000 ms");

        election.after(Duration.ofMinutes(2)).renews("b");
        elects("b");
    }

    @Test
    void aCandidateThatWasPassedOverIsNotWaitedForAgain() {
        election.stands("hung", "1.0.0").stands("b", "1.1.0").decide();
        election.after(Duration.ofSeconds(1)).decide();
        election.after(Duration.ofSeconds(5)).renews("b");
        elects("b");
        election.begins("b").after(Duration.ofMinutes(1)).handsOver(null);

        asks("b");
        election.renews("b");
        elects("b");
    }

    @Test
    void onlyBetterOnesThanTheHolderAreAsked() {
        aLeads("1.1.0");
        election.stands("b", "1.0.0").stands("c", "1.2.0");

        asks("b");
    }

    @Test
    void aCandidateThatAnotherCoordinatorHasPingedIsNotPingedTwice() {
        election.stands("a", "1.0.0");
        election.changes("a", candidate -> candidate.pingTime(election.wall().plusMillis(1)));

        waitsFor(Duration.ofSeconds(5));
    }

    @Test
    void aCandidateWhoseClockIsAheadCanAnswer() {
        election.stands(
                "a", "1.0.0", candidate -> candidate.renewTime(election.wall().plusSeconds(3600)));

        asks("a");
        election.changes("a", candidate -> {
            assertThat(candidate.build().ackPending())
                    .as("the candidate sees the ping")
                    .isTrue();
            return candidate
                    .renewTime(candidate.build().nextPing(election.wall()))
                    .pingTime(null);
        });
        elects("a");
    }

    /** It may be a copy whose process is gone, as after a restore from a backup (safety.md#acknowledgement). */
    @Nested
    class ACandidateThatComesWithAnOldRenewTime {

        private void comesOld(String name, String version, @Nullable Duration age) {
            election.comes(
                    name,
                    version,
                    candidate -> candidate.renewTime(
                            age == null ? null : election.wall().minus(age)));
        }

        @Test
        void aCandidateThatComesWithAnOldRenewTimeIsPingedAndUnseatsNoLeaderBeforeItHasAcknowledged() {
            for (Duration age :
                    new Duration[] {Duration.ofHours(2), Duration.ofSeconds(6), Duration.ofHours(-2), null}) {
                String old = "old-" + age;
                aLeads("1.1.0");
                election.after(Duration.ofSeconds(15)).holderRenews();
                comesOld(old, "1.0.0", age);

                asks(old);
                waits();
                election.after(Duration.ofSeconds(5)).holderRenews();
                assertThat(election.decide().reason()).as(old).contains("a (compatibility version 1.1.0) leads");
                election.goes(old);
            }
        }

        @Test
        void aCandidateThatComesWithAnOldRenewTimeUnseatsTheLeaderOnceItHasAcknowledged() {
            aLeads("1.1.0");
            comesOld("old", "1.0.0", Duration.ofHours(2));
            asks("old");

            election.renews("old");
            prefers("old");
        }

        @Test
        void aCandidateThatComesWithAnOldRenewTimeIsHeardOfByALaterRenewal() {
            comesOld("old", "1.0.0", Duration.ofHours(2));

            election.after(Duration.ofMinutes(5)).renews("old");
            elects("old");
        }

        @Test
        void aCandidateThatComesWithAnOldRenewTimeIsNotHeardOfByAnOldRenewTimeWhereThereWasNone() {
            comesOld("old", "1.0.0", null);
            election.changes(
                    "old", candidate -> candidate.renewTime(election.wall().minus(Duration.ofHours(1))));

            asks("old");
        }
    }

    /** An earlier copy of the object replaces the current one. */
    @Test
    void aCandidateWhoseRenewTimeGoesBackHasNotAcknowledged() {
        election.comes("a", "1.0.0").after(Duration.ofSeconds(20));
        election.changes("a", candidate -> candidate.renewTime(election.wall().minus(Duration.ofHours(1))));

        asks("a");
    }

    @Test
    void aCandidateWhoseClockIsSteppedBackDoesNotExpireWhileItRenews() {
        election.comes("a", "1.0.0").after(Duration.ofMinutes(5));
        election.changes("a", candidate -> candidate.renewTime(election.wall().minus(Duration.ofHours(1))));

        assertThat(election.until(election.candidate("a").expiresAt())).isEqualTo(Duration.ofMinutes(10));
    }

    // ---- candidates

    @Test
    void aCandidateExpiresItsValidityAfterItsLastRenewalBySight() {
        CandidateObservation seen = CandidateObservation.first(
                Candidate.builder(ElectionDriver.LEASE, ElectionDriver.LEASE)
                        .validity(Duration.ofMinutes(10))
                        .build(),
                election.now(),
                false);

        assertThat(election.until(seen.expiresAt())).isEqualTo(Duration.ofMinutes(10));
        election.after(Duration.ofMinutes(3));
        CandidateObservation renewed = seen.seen(
                Objects.requireNonNull(seen.candidate()).toBuilder()
                        .renewTime(election.wall())
                        .build(),
                election.now());
        assertThat(election.until(renewed.expiresAt())).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void anAskingThatFailedDoesNotMakeACandidateSilent() {
        CandidateObservation asked = CandidateObservation.first(
                        Candidate.builder(ElectionDriver.LEASE, ElectionDriver.LEASE)
                                .build(),
                        election.now(),
                        false)
                .pinged(election.now());
        election.after(Duration.ofSeconds(6));

        assertThat(asked.answer(election.now(), Duration.ofSeconds(5))).isEqualTo(Answer.SILENT);
        assertThat(asked.notPinged().answer(election.now(), Duration.ofSeconds(5)))
                .isEqualTo(Answer.UNASKED);
    }

    /** The requests of one lease must not delay those of others (protocol.md#requests-and-limits). */
    @Nested
    class ManyCandidates {

        private void more(int candidates) {
            for (int i = 0; i < candidates; i++) {
                election.stands("c" + (100 + i), "1." + i + ".0");
            }
        }

        private Decision.Ping pings() {
            Decision decision = election.decide();
            assertThat(decision).isInstanceOf(Decision.Ping.class);
            return (Decision.Ping) decision;
        }

        @Test
        void manyCandidatesAreAskedTheBestOnesFirst() {
            more(Election.MOST_PINGED + 10);
            pings();
            election.after(Duration.ofSeconds(1));

            assertThat(pings().candidates())
                    .as("without the best, which was already pinged")
                    .hasSize(Election.MOST_PINGED - 1)
                    .extracting(Candidate::identity)
                    .startsWith("c101", "c102")
                    .doesNotContain("c164");
            assertThat(election.decide()).isInstanceOf(Decision.WaitUntil.class);
        }

        @Test
        void manyCandidatesAreAskedFurtherOnceTheFirstHaveLetTheirTimePass() {
            more(Election.MOST_PINGED + 10);
            pings();
            election.after(Duration.ofSeconds(1));
            pings();

            election.after(Duration.ofSeconds(5));
            assertThat(pings().candidates()).extracting(Candidate::identity).containsExactly("c164");
            election.after(Duration.ofSeconds(1));

            assertThat(pings().candidates())
                    .hasSize(9)
                    .extracting(Candidate::identity)
                    .startsWith("c165");
        }
    }
}

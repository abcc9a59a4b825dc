package io.cle.election.internal;

import java.time.Duration;

import io.cle.election.internal.api.PodState;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A holder that falls silent, or whose lease is deleted or emptied (protocol.md#the-holder-goes-away, safety.md#terminated-holder).
 * Rule: {@code safety.md#only-listening-holders}.
 */
class HolderWatchTest extends ElectionFixture {

    private static final PodState RUNS = ElectionDriver.container(PodState.Phase.RUNNING);
    private static final PodState ENDED = ElectionDriver.container(PodState.Phase.TERMINATED);

    @Nested
    class LeaseWithoutItsHolder {

        @Test
        void leaseWithoutItsHolderIsNotGrantedBeforeTheLastTermHasRunOutIfItWasDeleted() {
            aLeads("1.0.0");
            election.after(Duration.ofSeconds(5)).deleted().comes("b", "1.0.0");

            Decision decision = election.decide();
            assertThat(decision).isInstanceOf(Decision.WaitUntil.class);
            assertThat(decision.reason()).contains("deleted while it was held");

            election.after(ElectionDriver.DURATION).goes("a").renews("b");
            elects("b");
        }

        @Test
        void leaseWithoutItsHolderIsNotGrantedBeforeTheLastTermHasRunOutIfItWasEmptiedByHand() {
            aLeads("1.0.0");
            election.writes(lease -> lease.holder(null)).renews("a");

            waitsFor(ElectionDriver.DURATION);
        }
    }

    @Nested
    class SilentHolder {

        @Test
        void silentHolderIsNoticedAFifthAndALittleAfterItsLastRenewal() {
            aLeads("1.0.0");

            waitsFor(Duration.ofMillis(3500));
        }

        @Test
        void silentHolderIsReplacedAtOnceIfItsContainersHaveEnded() {
            election.comes("a", "1.0.0", ElectionDriver::inPod).decide();
            election.begins("a").after(Duration.ofSeconds(5)).pod(ENDED).comes("b", "1.1.0");

            assertThat(elects("b").reason()).contains("the kubelet has reported that the container of a has ended");
        }

        @Test
        void silentHolderIsWaitedOutIfItsPodIsGone() {
            election.comes("a", "1.0.0", ElectionDriver::inPod).decide();
            election.begins("a")
                    .after(Duration.ofSeconds(5))
                    .pod(new PodState.Missing())
                    .comes("b", "1.1.0");

            waitsFor(Duration.ofSeconds(2));
        }

        @Test
        void silentHolderIsNotReplacedIfItRenewsAfterTheLook() {
            election.comes("a", "1.0.0", ElectionDriver::inPod).decide();
            election.begins("a").after(Duration.ofSeconds(5)).pod(ENDED);
            election.holderRenews().comes("b", "1.1.0");

            waitsFor(Duration.ofMillis(3500));
        }

        @Test
        void silentHolderIsKeptIfItHasNoSuccessor() {
            election.comes("a", "1.0.0", ElectionDriver::inPod).decide();
            election.begins("a").after(Duration.ofSeconds(5)).pod(ENDED);

            assertThat(election.decide().reason()).contains("no other candidate");
            waitsFor(Duration.ofSeconds(10));
        }
    }

    @Nested
    class PodOfTheHolder {

        @Test
        void podOfTheHolderIsLookedAtWhileTheHolderIsSilentAndAgainAfterTwoSeconds() {
            election.comes("a", "1.0.0", ElectionDriver::inPod).decide();
            election.begins("a").after(Duration.ofSeconds(5));
            assertThat(election.decide()).isInstanceOf(Decision.LookAtPod.class);

            election.pod(RUNS);
            waitsFor(Duration.ofSeconds(2));
            election.after(Duration.ofSeconds(2));
            assertThat(election.decide()).isInstanceOf(Decision.LookAtPod.class);
        }

        /** A StatefulSet's pod is deleted by force but still runs; its successor of the same name crashes. */
        @Test
        void podOfTheHolderIsNotThatOfALaterProcessOfItsName() {
            election.comes("a", "1.0.0", ElectionDriver::inPod).decide();
            election.begins("a").changes("a", ElectionDriver::inAnotherPod).after(Duration.ofSeconds(5));

            waitsFor(Duration.ofSeconds(5));
        }

        /** Two processes of one identity in two containers of a pod: the later one overwrites the candidate, and crashes. */
        @Test
        void podOfTheHolderIsNotKnownIfAnotherContainerOfItHasTakenTheCandidateOver() {
            election.comes("a", "1.0.0", candidate -> ElectionDriver.inContainer(candidate, "app"))
                    .decide();
            election.begins("a")
                    .changes("a", candidate -> ElectionDriver.inContainer(candidate, "proxy"))
                    .after(Duration.ofSeconds(5));

            waitsFor(Duration.ofSeconds(5));
        }

        @Test
        void podOfTheHolderIsNotKnownIfAPlainElectorOfItsNameHasTakenTheLease() {
            election.comes("a", "1.0.0", ElectionDriver::inPod).decide();
            election.begins("a").after(Duration.ofMillis(1)).plainTakes("a").after(Duration.ofSeconds(5));

            waitsFor(Duration.ofSeconds(5));
        }

        @Test
        void podOfTheHolderIsLookedAtWhenTheKubeletHasReportedItIfTheHolderFallsSilentAtOnce() {
            election.comes("a", "1.0.0", ElectionDriver::inPod).decide();
            election.begins("a").after(Duration.ofMillis(3500));

            waitsFor(Duration.ofMillis(1500));
        }

        @Test
        void podOfTheHolderIsLookedAtOnceATermIfTheHolderRenews() {
            election.comes("a", "1.0.0", ElectionDriver::inPod).decide();
            election.begins("a").after(Duration.ofSeconds(3)).holderRenews();
            waitsFor(Duration.ofMillis(3500));

            election.after(Duration.ofSeconds(2));
            assertThat(election.decide())
                    .isInstanceOfSatisfying(
                            Decision.LookAtPod.class,
                            look -> assertThat(look.silent()).isFalse());

            election.firstLook(RUNS).holderRenews();
            waitsFor(Duration.ofMillis(3500));
        }
    }
}

package io.cle.election.internal;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A holder that falls silent or whose lease something happens to (safety.md#early-ping, safety.md#terminated-holder). */
class HolderWatchTest extends ElectionFixture {

    // ---- leases that something has happened to
    // ------------------------------------------------------------------------

    @Test
    void aLeaseThatWasDeletedWhileHeldIsGivenToNobodyBeforeItsLastTermHasRunOut() {
        aLeads("1.0.0");
        election.after(Duration.ofSeconds(5)).deleted().comes("b", "1.0.0");

        Decision decision = election.decide();
        assertThat(decision).isInstanceOf(Decision.WaitUntil.class);
        assertThat(decision.reason()).contains("deleted while it was held");

        election.after(ElectionDriver.DURATION).goes("a").renews("b");
        elects("b");
    }

    @Test
    void aLeaseThatWasEmptiedByHandIsGivenToNobodyBeforeItsLastTermHasRunOut() {
        aLeads("1.0.0");
        election.writes(lease -> lease.holder(null)).renews("a");

        waitsFor(ElectionDriver.DURATION);
    }

    // ---- rules 5 and 6: a holder that falls silent
    // --------------------------------------------------------------------

    @Test
    void aMissedRenewalIsNoticedAFifthAndALittleAfterTheLastOne() {
        aLeads("1.0.0");

        waitsFor(Duration.ofMillis(3500));
    }

    @Test
    void thePodOfASilentHolderIsLookedAtAndAgainAfterTwoSeconds() {
        election.comes("a", "1.0.0", ElectionDriver::inPod).decide();
        election.begins("a").after(Duration.ofMillis(3500));
        assertThat(election.decide()).isInstanceOf(Decision.LookAtPod.class);

        election.pod("");
        waitsFor(Duration.ofSeconds(2));
        election.after(Duration.ofSeconds(2));
        assertThat(election.decide()).isInstanceOf(Decision.LookAtPod.class);
    }

    @Test
    void aDeadHolderIsReplacedAtOnce() {
        election.comes("a", "1.0.0", ElectionDriver::inPod).decide();
        election.begins("a")
                .after(Duration.ofMillis(3500))
                .pod("the pod of a is gone")
                .comes("b", "1.1.0");

        assertThat(elects("b").reason()).contains("the pod of a is gone");
    }

    @Test
    void aHolderThatRenewsAfterTheLookIsNotDead() {
        election.comes("a", "1.0.0", ElectionDriver::inPod).decide();
        election.begins("a").after(Duration.ofMillis(3500)).pod("the pod of a is gone");
        election.holderRenews().comes("b", "1.1.0");

        waitsFor(Duration.ofMillis(3500));
    }

    @Test
    void aDeadHolderWithoutSuccessorIsKept() {
        election.comes("a", "1.0.0", ElectionDriver::inPod).decide();
        election.begins("a").after(Duration.ofMillis(3500)).pod("the pod of a is gone");

        leavesAlone("no other candidate");
    }
}

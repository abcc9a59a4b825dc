package io.cle.election.internal;

import java.time.Duration;

import io.cle.model.Lease;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is written, whom a holder is asked to yield to, and how elected ones begin (safety.md#grant-or-end-of-term). */
class TermsTest extends ElectionFixture {

    // ---- rule 3: what is written
    // --------------------------------------------------------------------------------------

    @Test
    void theWinnerIsWrittenFreshlyRenewedWithTheTermAnnotationOfAGrant() {
        election.comes("a", "1.0.0");

        Lease desired = elects("a").desired();

        assertThat(desired.holder()).isEqualTo("a");
        assertThat(desired.electedBy()).isEqualTo("coordinated-election-controller");
        assertThat(desired.strategy()).isEqualTo("OldestCompatibilityVersion");
        assertThat(desired.recordedStrategy()).isEqualTo("OldestCompatibilityVersion");
        assertThat(desired.renewTime()).isEqualTo(election.wall());
        assertThat(desired.granted()).isTrue();
        assertThat(desired.managed()).isTrue();
        assertThat(desired.leaseDuration()).isEqualTo(Duration.ofSeconds(15));
        assertThat(desired.transitions()).isZero();
    }

    @Test
    void theWinnerOfAnExpiredLeaseCountsAsATransitionAndRemovesTheOldAnnotations() {
        aLeads("1.0.0");
        election.writes(lease -> lease.endOfTerm("x", "9").holderKey("5"))
                .goes("a")
                .after(ElectionDriver.DURATION)
                .comes("b", "1.0.0");

        Lease desired = elects("b").desired();

        assertThat(desired.transitions()).isEqualTo(1);
        assertThat(desired.endOfTerm()).isFalse();
        assertThat(desired.preferredHolder()).isNull();
        assertThat(desired.holderKey()).isNull();
    }

    @Test
    void aWorseHolderIsAskedToYieldAndKeepsItsTermUntilItDoes() {
        aLeads("1.1.0");
        Lease before = election.held();
        election.comes("b", "1.0.0");

        Lease desired = prefers("b").desired();

        assertThat(desired.endOfTerm()).isTrue();
        assertThat(desired.preferredHolder()).isEqualTo("b");
        assertThat(desired.sameRenewal(before)).isTrue();
    }

    @Test
    void aHolderThatWasAskedToYieldIsNotAskedAgain() {
        aLeads("1.1.0");
        election.comes("b", "1.0.0").decide();

        Decision decision = election.decide();
        assertThat(decision).isInstanceOf(Decision.WaitUntil.class);
        assertThat(decision.reason()).contains("a was asked to yield to b");
    }

    @Test
    void aStillBetterOneThatComesWhileTheHolderDrainsIsPreferredInstead() {
        aLeads("1.2.0");
        election.comes("b", "1.1.0").decide();
        election.comes("c", "1.0.0");

        prefers("c");
    }

    @Test
    void aCandidateThatTiesWithThePreferredHolderChangesNothing() {
        aLeads("1.2.0");
        election.comes("c", "1.1.0").decide();
        election.comes("b", "1.1.0");

        assertThat(election.decide()).isInstanceOf(Decision.WaitUntil.class);
    }

    @Test
    void aHolderThatWasNotElectedIsNeverAskedToYield() {
        election.comes("a", "1.1.0").writes(lease -> lease.holder("a").acquireTime(election.wall()));
        election.comes("b", "1.0.0");

        Decision decision = election.decide();
        assertThat(decision).isInstanceOf(Decision.WaitUntil.class);
        assertThat(decision.reason()).contains("without having been elected", "left alone until it expires");
    }

    @Test
    void aHolderThatIsNoCandidateIsNotAskedToYieldThoughTheLeaseStillSaysElected() {
        aLeads("1.1.0");
        election.goes("a").after(ElectionDriver.DURATION).plainTakes("plain").comes("b", "1.0.0");

        assertThat(election.decide()).isInstanceOf(Decision.WaitUntil.class);
    }

    @Test
    void aPlainHolderThatTookAGrantIsLeftAloneThoughItRenewsSeldom() {
        election.comes("a", "1.0.0").comes("b", "1.1.0").decide();
        election.goes("a").after(ElectionDriver.DURATION).plainTakes("plain").renews("b");

        election.after(Duration.ofSeconds(8)).renews("b");

        assertThat(election.decide()).isNotInstanceOf(Decision.Elect.class);
    }

    // ---- elected, and then
    // --------------------------------------------------------------------------------------------

    @Test
    void anElectedCandidateHasFiveSecondsToBeginItsTerm() {
        election.comes("a", "1.0.0").comes("b", "1.1.0").decide();

        waitsFor(Duration.ofSeconds(5));
        election.after(Duration.ofSeconds(5)).renews("b");
        assertThat(elects("b").reason()).contains("a was elected and hasn't begun its term");
    }

    @Test
    void anElectedCandidateThatBeginsInTimeKeepsTheLease() {
        election.comes("a", "1.0.0").comes("b", "1.1.0").decide();
        election.after(Duration.ofSeconds(4))
                .begins("a")
                .after(Duration.ofSeconds(2))
                .renews("b");

        assertThat(election.decide()).isInstanceOf(Decision.WaitUntil.class);
    }

    @Test
    void aBetterOneThatComesBeforeTheElectedOneBeginsWaitsUntilItHas() {
        election.comes("b", "1.1.0").decide();
        election.comes("a", "1.0.0");
        assertThat(election.decide()).isInstanceOf(Decision.WaitUntil.class);

        election.begins("b");
        prefers("a");
    }

    @Test
    void aPreferredHolderThatIsGoneIsForgotten() {
        aLeads("1.1.0");
        election.comes("b", "1.0.0").decide();
        election.goes("b");

        Decision decision = election.decide();
        assertThat(decision).isInstanceOf(Decision.ForgetPreferred.class);
        assertThat(decision.reason()).contains("the preferred holder b is gone");
        assertThat(election.held().endOfTerm()).isFalse();
        assertThat(election.held().preferredHolder()).isNull();
    }

    @Test
    void aPreferredHolderThatIsGoneIsReplacedByTheNextBest() {
        aLeads("1.2.0");
        election.comes("b", "1.0.0").comes("c", "1.1.0").decide();
        election.goes("b");

        prefers("c");
    }
}

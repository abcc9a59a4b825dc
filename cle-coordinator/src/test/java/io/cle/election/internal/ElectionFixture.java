package io.cle.election.internal;

import java.time.Duration;

import io.cle.model.Candidate;

import static org.assertj.core.api.Assertions.assertThat;

/** Assertions about a coordinator's decisions. */
abstract class ElectionFixture {

    final ElectionDriver election = new ElectionDriver();

    Decision.Elect elects(String identity) {
        Decision decision = election.decide();
        assertThat(decision).isInstanceOf(Decision.Elect.class);
        Decision.Elect elect = (Decision.Elect) decision;
        assertThat(elect.desired().holder()).isEqualTo(identity);
        return elect;
    }

    Decision.EndTerm prefers(String identity) {
        Decision decision = election.decide();
        assertThat(decision).isInstanceOf(Decision.EndTerm.class);
        Decision.EndTerm endTerm = (Decision.EndTerm) decision;
        assertThat(endTerm.desired().preferredHolder()).isEqualTo(identity);
        return endTerm;
    }

    void asks(String... identities) {
        Decision decision = election.decide();
        assertThat(decision).isInstanceOf(Decision.Ping.class);
        assertThat(((Decision.Ping) decision).candidates())
                .extracting(Candidate::identity)
                .containsExactlyInAnyOrder(identities);
    }

    void waitsFor(Duration duration) {
        Decision decision = election.decide();
        assertThat(decision).isInstanceOf(Decision.WaitUntil.class);
        assertThat(election.until(decision.recheckAt())).isEqualTo(duration);
    }

    void waits() {
        assertThat(election.decide()).isInstanceOf(Decision.WaitUntil.class);
    }

    void leavesAlone(String... because) {
        Decision decision = election.decide();
        assertThat(decision).isInstanceOf(Decision.Nothing.class);
        assertThat(decision.reason()).contains(because);
    }

    /** Candidate a, elected alone, leads; then time passes, so that no candidate has answered lately. */
    void aLeads(String version) {
        election.comes("a", version).decide();
        election.begins("a").after(Duration.ofSeconds(11)).holderRenews();
    }
}

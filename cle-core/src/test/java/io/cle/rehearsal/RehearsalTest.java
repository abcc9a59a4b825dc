package io.cle.rehearsal;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RehearsalTest {

    @Test
    void locksStandLeadHandOverAndStop() {
        assertThat(Rehearsal.perform(Staging.BARE))
                .containsExactly(
                        "first stands",
                        "first leads",
                        "second stands",
                        "first no longer leads: END_OF_TERM",
                        "second leads",
                        "second no longer leads: STOPPED");
    }

    @Test
    void itTakesNoThreadButTheCallers() {
        Rehearsal.perform(Staging.BARE);
        int threads = Thread.activeCount();

        Rehearsal.perform(Staging.BARE);

        assertThat(Thread.activeCount()).isEqualTo(threads);
    }
}

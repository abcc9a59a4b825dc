package io.cle.rehearsal;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RehearsalTest {

    private static final Staging BARE = new Staging() {};

    @Test
    void locksStandLeadHandOverAndStop() {
        assertThat(Rehearsal.perform(BARE))
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
        Rehearsal.perform(BARE);
        int threads = Thread.activeCount();

        Rehearsal.perform(BARE);

        assertThat(Thread.activeCount()).isEqualTo(threads);
    }
}

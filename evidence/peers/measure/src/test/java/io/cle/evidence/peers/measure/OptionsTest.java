package io.cle.evidence.peers.measure;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OptionsTest {

    @Test
    void readsTheCommandLine() {
        Options options = Options.parse(List.of("--trials=2", "--rows=kill,handover", "--contestants=client-java"));

        assertThat(options.trials()).isEqualTo(2);
        assertThat(options.scenarios()).containsExactly(Scenario.Kind.HANDOVER, Scenario.Kind.KILL);
        assertThat(options.contestants()).containsExactly(Contestant.CLIENT_JAVA);
    }

    @Test
    void saysWhatIsWrongWithTheCommandLine() {
        assertThatThrownBy(() -> Options.parse(List.of("--rows=kill,nonsense")))
                .hasMessageContaining("'kill,nonsense' must be one or more of [handover");
        assertThatThrownBy(() -> Options.parse(List.of("--trials=0"))).hasMessageContaining("unknown argument");
    }
}

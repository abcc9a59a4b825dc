package io.cle.evidence.benchmark;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OptionsTest {

    @Test
    void readsTheCommandLine() {
        Options options = Options.parse(List.of("--trials=2", "--rows=handover,direct"));

        assertThat(options.trials()).isEqualTo(2);
        assertThat(options.rows()).containsExactly("handover", "direct");
    }

    @Test
    void saysWhatIsWrongWithTheCommandLine() {
        assertThatThrownBy(() -> Options.parse(List.of("--rows=handover,nonsense")))
                .hasMessageContaining("there is no [nonsense]");
        assertThatThrownBy(() -> Options.parse(List.of("--trials=0"))).hasMessageContaining("from 1 to 99");
        assertThatThrownBy(() -> Options.parse(List.of("--faster"))).hasMessageContaining("unknown argument");
    }
}

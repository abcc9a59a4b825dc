package io.cle.test.simulation;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/** Prints what happens in one seed: {@code ./mvnw -q -pl cle-simulation -am test -Dcle.replay=COORDINATED:42}. */
@EnabledIfSystemProperty(named = "cle.replay", matches = ".+", disabledReason = "no seed to replay is given")
class ReplayTest {

    @Test
    void theSeedViolatesNothing() {
        SimulationSeed seed = SimulationSeed.parse(System.getProperty("cle.replay"));

        assertThat(Replay.replay(seed, System.out).violation()).isNull();
    }
}

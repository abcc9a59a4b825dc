package io.cle.test.exploration;

import java.util.List;
import java.util.stream.Stream;

import io.cle.test.exploration.Setting.Cluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Explores all histories with one fault, those with more faults up to a horizon, and all of the directed explorations.
 * {@code ./mvnw -pl cle-test -am test -Dcle.exploration=50000000} explores more faults and three processes, too.
 */
class ExplorationTest {

    private static final int MOST_STATES = 100_000;

    static List<Setting> settingsToTheEnd() {
        return List.of(
                Setting.of(Cluster.RACE, 1),
                Setting.of(Cluster.RACE, 1).withClocksAtTheLimit(),
                Setting.of(Cluster.RACE, 1).withProcesses(3).within(6),
                Setting.of(Cluster.RACE, 3).within(1),
                Setting.of(Cluster.PRIORITIZED, 1),
                Setting.of(Cluster.PRIORITIZED, 2).within(2),
                Setting.of(Cluster.COORDINATED, 1));
    }

    static List<Setting> settingsInDepth() {
        return List.of(
                Setting.of(Cluster.RACE, 2),
                Setting.of(Cluster.RACE, 2).withClocksAtTheLimit(),
                Setting.of(Cluster.RACE, 2).withCopies(),
                Setting.of(Cluster.RACE, 3).within(2),
                Setting.of(Cluster.RACE, 3).withClocksAtTheLimit(),
                Setting.of(Cluster.RACE, 1).withProcesses(3),
                Setting.of(Cluster.PRIORITIZED, 2).within(3),
                Setting.of(Cluster.PRIORITIZED, 2).withClocksAtTheLimit(),
                Setting.of(Cluster.COORDINATED, 2),
                Setting.of(Cluster.COORDINATED, 1).withProcesses(3).within(2),
                Setting.of(Cluster.COORDINATED, 1).withProcesses(3));
    }

    @ParameterizedTest
    @MethodSource("settingsToTheEnd")
    void noHistoryViolatesAGuarantee(Setting setting) {
        Explorer.Result result = explore(setting, Integer.MAX_VALUE);

        assertThat(result.violation()).isNull();
        assertThat(result.complete()).isTrue();
    }

    static Stream<Exploration> directedInEachBuild() {
        return Stream.of(Exploration.values()).filter(Exploration::inEachBuild);
    }

    @ParameterizedTest
    @MethodSource("directedInEachBuild")
    void noHistoryOfADirectedExplorationViolatesAGuarantee(Exploration exploration) {
        Explorer.Result result = exploration.explore(Integer.MAX_VALUE);
        System.out.println(exploration + ": " + result);

        assertThat(result.violation()).isNull();
        assertThat(result.complete()).isTrue();
    }

    static Stream<Exploration> directedInDepth() {
        return Stream.of(Exploration.values()).filter(exploration -> !exploration.inEachBuild());
    }

    @ParameterizedTest
    @MethodSource("directedInDepth")
    @EnabledIfSystemProperty(
            named = "cle.exploration",
            matches = "\\d+",
            disabledReason = "no deep exploration is asked for")
    void noHistoryOfAnotherDirectedExplorationViolatesAGuarantee(Exploration exploration) {
        noHistoryOfADirectedExplorationViolatesAGuarantee(exploration);
    }

    @ParameterizedTest
    @MethodSource("settingsInDepth")
    @EnabledIfSystemProperty(
            named = "cle.exploration",
            matches = "\\d+",
            disabledReason = "no deep exploration is asked for")
    void noneOfManyStatesViolatesAGuarantee(Setting setting) {
        assertThat(explore(setting, Integer.getInteger("cle.exploration")).violation())
                .isNull();
    }

    @Test
    void clocksThatDifferByMoreThanIsToleratedLetTwoProcessesLead() {
        Setting setting = Setting.of(Cluster.RACE, 1).withClocksBeyondTheLimit();

        assertThat(explore(setting, MOST_STATES).violation()).contains("lead at one instant");
    }

    @Test
    void theSameSettingHasTheSameStates() {
        Setting setting = Setting.of(Cluster.RACE, 1);

        assertThat(explore(setting, 5_000)).isEqualTo(explore(setting, 5_000));
    }

    private static Explorer.Result explore(Setting setting, int mostStates) {
        Explorer.Result result = Explorer.explore(setting, mostStates);
        System.out.println(result);
        return result;
    }
}

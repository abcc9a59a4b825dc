package io.cle.test.exploration;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.cle.test.exploration.Setting.Cluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static io.cle.test.simulation.Effort.CI;
import static io.cle.test.simulation.Effort.THOROUGH;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Explores all histories with one fault, to the end where that takes seconds, those with more faults up to a horizon, and the directed explorations.
 * {@code ./mvnw -pl cle-simulation -am test -Dcle.exploration=50000000} also explores more faults and three processes, up to that number of
 * states per setting, or per part of a divided setting.
 */
class ExplorationTest {

    private static final int MOST_STATES = 100_000;

    /** Of a directed exploration; {@code -Pthorough} explores to the end, which takes minutes. */
    private static final int STATES_OF_A_BUILD = 5_000;

    @Retention(RetentionPolicy.RUNTIME)
    @EnabledIfSystemProperty(
            named = "cle.exploration",
            matches = "\\d+",
            disabledReason = "no deep exploration is asked for")
    private @interface WhereDepthIsAskedFor {}

    @Retention(RetentionPolicy.RUNTIME)
    @EnabledIfSystemProperty(
            named = "cle.thorough",
            matches = "true",
            disabledReason = "takes long: ./mvnw -Pthorough verify runs it")
    private @interface InAThoroughBuild {}

    static List<Setting> settingsInEachBuild() {
        List<Setting> settings = new ArrayList<>(List.of(
                Setting.of(Cluster.RACE, 1),
                Setting.of(Cluster.RACE, 1).withClocksAtTheLimit(),
                Setting.of(Cluster.RACE, 1).withProcesses(3).within(THOROUGH ? 5 : 3),
                Setting.of(Cluster.PRIORITIZED, 1).within(THOROUGH ? 12 : 4)));
        if (CI) {
            settings.add(Setting.of(Cluster.COORDINATED, 1).within(1));
        }
        return settings;
    }

    static List<Setting> settingsOfAThoroughBuild() {
        return List.of(
                Setting.of(Cluster.PRIORITIZED, 2).within(1),
                Setting.of(Cluster.COORDINATED, 1).editsOfFields().within(2));
    }

    static List<Setting> settingsInDepth() {
        return List.of(
                Setting.of(Cluster.COORDINATED, 1),
                Setting.of(Cluster.COORDINATED, 1).editsOfFields(),
                Setting.of(Cluster.PRIORITIZED, 1),
                Setting.of(Cluster.RACE, 2),
                Setting.of(Cluster.RACE, 2).withClocksAtTheLimit(),
                Setting.of(Cluster.RACE, 2).withCopies(),
                Setting.of(Cluster.RACE, 3).withClocksAtTheLimit(),
                Setting.of(Cluster.RACE, 1).withProcesses(3).within(6),
                Setting.of(Cluster.RACE, 1).withProcesses(3),
                Setting.of(Cluster.PRIORITIZED, 2).within(3),
                Setting.of(Cluster.PRIORITIZED, 2).withClocksAtTheLimit(),
                Setting.of(Cluster.COORDINATED, 1).withProcesses(3).within(2),
                Setting.of(Cluster.COORDINATED, 1).withProcesses(3));
    }

    @ParameterizedTest
    @MethodSource("settingsInEachBuild")
    void noHistoryViolatesAGuarantee(Setting setting) {
        Explorer.Result result = explore(setting, Integer.MAX_VALUE);

        assertThat(result.violation()).isNull();
        assertThat(result.complete()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("settingsOfAThoroughBuild")
    @InAThoroughBuild
    void noHistoryOfASettingWithManyStatesViolatesAGuarantee(Setting setting) {
        noHistoryViolatesAGuarantee(setting);
    }

    @Test
    @InAThoroughBuild
    void noHistoryOfTwoFaultsButEditsWithACoordinatorViolatesAGuarantee() {
        Division result =
                exploreDivided(Setting.of(Cluster.COORDINATED, 2).edits().within(1), Integer.MAX_VALUE);

        assertThat(result.violation()).isNull();
        assertThat(result.complete()).isTrue();
    }

    static List<Setting> settingsToBeDivided() {
        return List.of(
                Setting.of(Cluster.COORDINATED, 2).within(1),
                Setting.of(Cluster.RACE, 3).within(3),
                Setting.of(Cluster.COORDINATED, 3).edits().within(1),
                Setting.of(Cluster.COORDINATED, 2).within(2));
    }

    @ParameterizedTest
    @MethodSource("settingsToBeDivided")
    @WhereDepthIsAskedFor
    void noHistoryOfADividedSettingViolatesAGuarantee(Setting setting) {
        assertThat(exploreDivided(setting, Integer.getInteger("cle.exploration"))
                        .violation())
                .isNull();
    }

    @Test
    void theFamiliesOfFaultsHaveEachFaultOfASettingOnce() {
        List<Object> faults = Stream.of(Family.values())
                .<Object>flatMap(family -> Stream.concat(family.kinds().stream(), family.edits().stream()))
                .toList();

        assertThat(faults)
                .doesNotHaveDuplicates()
                .containsAll(Setting.ANY_FAULT)
                .containsAll(Setting.ANY_EDIT)
                .hasSize(Setting.ANY_FAULT.size() + Setting.ANY_EDIT.size());
    }

    /** States differ by which faults may still happen. */
    @Test
    @InAThoroughBuild
    void theSettingsOfAllPairsOfFamiliesReachTheStatesOfTheWholeInWhichAllFaultsHaveHappened() {
        Setting whole = Setting.of(Cluster.RACE, 2).within(1);

        Set<List<Long>> reached = statesAfterAllFaults(List.of(whole));

        assertThat(reached).hasSizeGreaterThan(10_000);
        assertThat(statesAfterAllFaults(whole.byFamilies())).isEqualTo(reached);
    }

    private static Set<List<Long>> statesAfterAllFaults(List<Setting> settings) {
        Set<List<Long>> found = new HashSet<>();
        for (Setting setting : settings) {
            Model model = new Model(setting);
            Set<List<Long>> visited = new HashSet<>();
            Deque<World> frontier = new ArrayDeque<>(List.of(model.initial()));
            while (!frontier.isEmpty()) {
                for (StateSpace.Successor<World> successor : model.successors(frontier.remove())) {
                    Fingerprint fingerprint = model.fingerprint(successor.state());
                    List<Long> state = List.of(fingerprint.high(), fingerprint.low());
                    if (visited.add(state)) {
                        frontier.add(successor.state());
                        if (successor.state().faultsLeft == 0) {
                            found.add(state);
                        }
                    }
                }
            }
        }
        return found;
    }

    static Stream<Exploration> directedInEachBuild() {
        return Stream.of(Exploration.values()).filter(Exploration::inEachBuild);
    }

    @ParameterizedTest
    @MethodSource("directedInEachBuild")
    void noHistoryOfADirectedExplorationViolatesAGuarantee(Exploration exploration) {
        Explorer.Result result = exploration.explore(THOROUGH ? Integer.MAX_VALUE : STATES_OF_A_BUILD);
        System.out.println(exploration + ": " + result);

        assertThat(result.violation()).isNull();
        assertThat(result.complete() || !THOROUGH).isTrue();
    }

    static Stream<Exploration> directedInDepth() {
        return Stream.of(Exploration.values()).filter(exploration -> !exploration.inEachBuild());
    }

    @ParameterizedTest
    @MethodSource("directedInDepth")
    @WhereDepthIsAskedFor
    void noHistoryOfAnotherDirectedExplorationViolatesAGuarantee(Exploration exploration) {
        noHistoryOfADirectedExplorationViolatesAGuarantee(exploration);
    }

    @ParameterizedTest
    @MethodSource("settingsInDepth")
    @WhereDepthIsAskedFor
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

    private static Division exploreDivided(Setting setting, int mostStatesOfAPart) {
        Division result = Division.explore(setting, mostStatesOfAPart);
        System.out.println(result);
        return result;
    }

    private static Explorer.Result explore(Setting setting, int mostStates) {
        Explorer.Result result = Explorer.explore(setting, mostStates);
        System.out.println(result);
        return result;
    }
}

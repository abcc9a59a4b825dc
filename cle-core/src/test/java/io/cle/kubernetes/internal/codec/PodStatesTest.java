package io.cle.kubernetes.internal.codec;

import java.util.Map;

import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.model.PodState;
import io.cle.model.PodState.Container;
import io.cle.model.PodState.Phase;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PodStatesTest {

    private static final String RUNNING = "{'running': {'startedAt': '2026-01-01T00:00:09Z'}}";
    private static final String WAITING = "{'waiting': {'reason': 'CrashLoopBackOff'}}";
    private static final Container RUNS = new Container(Phase.RUNNING, 0, "", "");

    private static PodState stateOf(String status) throws MalformedObjectException {
        return PodStates.of(
                FakeTransport.json(
                        "{'metadata': {'uid': 'u'}, 'spec': {'containers': [{}, {}]}, 'status': " + status + "}"),
                "u");
    }

    private static String container(String name, String more) {
        return "{'name': '" + name + "', " + more + "}";
    }

    private static String terminated(String run, String reason) {
        return "{'terminated': {'containerID': '" + run + "', 'reason': '" + reason + "'}}";
    }

    /** The state of a pod with this container, and one more that runs. */
    private static PodState withA(String more) throws MalformedObjectException {
        return stateOf(
                "{'containerStatuses': [" + container("a", more) + "," + container("b", "'state': " + RUNNING) + "]}");
    }

    private static PodState reported(Container a) {
        return new PodState.Reported(Map.of("a", a, "b", RUNS));
    }

    @Test
    void anotherUidIsAnotherPod() throws Exception {
        assertThat(PodStates.of(FakeTransport.json("{'metadata': {'uid': 'other'}}"), "u"))
                .isEqualTo(new PodState.Missing());
    }

    @Nested
    class ReportedContainer {

        @Test
        void hasItsRunAndRestartsWhileItRuns() throws Exception {
            assertThat(withA("'restartCount': 3, 'containerID': 'run-3', 'state': " + RUNNING))
                    .isEqualTo(reported(new Container(Phase.RUNNING, 3, "run-3", "")));
        }

        @Test
        void hasTheRunThatEndedBeforeIfItHasBeenStartedAgain() throws Exception {
            assertThat(withA("'restartCount': 1, 'containerID': 'run-1', 'state': " + RUNNING + ", 'lastState': "
                            + terminated("run-0", "Error")))
                    .isEqualTo(reported(new Container(Phase.RUNNING, 1, "run-1", "run-0")));
        }

        @Test
        void isTerminatedIfItHasEnded() throws Exception {
            assertThat(withA("'containerID': 'run-1', 'state': " + terminated("run-1", "OOMKilled") + ", 'lastState': "
                            + terminated("run-0", "Error")))
                    .isEqualTo(reported(new Container(Phase.TERMINATED, 0, "run-1", "run-1")));
        }

        @Test
        void waitsWhileItCrashLoops() throws Exception {
            assertThat(withA("'containerID': 'run-1', 'state': " + WAITING + ", 'lastState': "
                            + terminated("run-1", "Error")))
                    .isEqualTo(reported(new Container(Phase.WAITING, 0, "run-1", "run-1")));
        }

        @Test
        void isNoSidecarAmongTheInitContainers() throws Exception {
            assertThat(stateOf("{'initContainerStatuses': [" + container("proxy", "'state': " + RUNNING)
                            + "], 'containerStatuses': [" + container("a", "'state': " + WAITING) + ","
                            + container("b", "'state': " + RUNNING) + "]}"))
                    .isEqualTo(reported(new Container(Phase.WAITING, 0, "", "")));
        }
    }

    @Nested
    class UnclearPod {

        @Test
        void isNotWhollyReported() throws Exception {
            assertThat(stateOf("{'phase': 'Pending'}")).isEqualTo(new PodState.Unclear());
            assertThat(stateOf("{'containerStatuses': [" + container("a", "'state': " + RUNNING) + "]}"))
                    .as("one of two containers")
                    .isEqualTo(new PodState.Unclear());
        }

        @Test
        void hasAContainerThatTheKubeletHasLostSightOf() throws Exception {
            assertThat(withA("'restartCount': 1, 'state': " + terminated("", "ContainerStatusUnknown")))
                    .isEqualTo(new PodState.Unclear());
            assertThat(withA("'restartCount': 1, 'state': " + WAITING + ", 'lastState': "
                            + terminated("", "ContainerStatusUnknown")))
                    .isEqualTo(new PodState.Unclear());
        }
    }

    @Test
    void thePhaseSaysNothingBecauseTheControlPlaneSetsItOnPodsThatStillRun() throws Exception {
        assertThat(stateOf("{'phase': 'Failed', 'reason': 'NodeLost', 'containerStatuses': ["
                        + container("a", "'state': " + RUNNING) + "," + container("b", "'state': " + RUNNING) + "]}"))
                .isEqualTo(reported(RUNS));
        assertThat(stateOf("{'phase': 'Failed', 'reason': 'Evicted'}")).isEqualTo(new PodState.Unclear());
    }

    @Test
    void aMalformedStatusIsReported() {
        assertThatThrownBy(() -> stateOf("{'containerStatuses': 'all fine'}"))
                .isInstanceOf(MalformedObjectException.class)
                .hasMessageContaining("status.containerStatuses must be a list");
    }
}

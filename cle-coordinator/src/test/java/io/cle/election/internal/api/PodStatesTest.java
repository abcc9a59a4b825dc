package io.cle.election.internal.api;

import io.cle.election.internal.api.PodState.Container;
import io.cle.election.internal.api.PodState.Phase;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The state of a candidate's container according to the pod's status (safety.md#terminated-holder). */
class PodStatesTest {

    private static final ObjectKey POD = new ObjectKey("shop", "pod-a");
    private static final String RUNNING = "{'running': {'startedAt': '2026-01-01T00:00:09Z'}}";
    private static final String WAITING = "{'waiting': {'reason': 'CrashLoopBackOff'}}";
    private static final Container RUNS = new Container(Phase.RUNNING, 0, "", "");
    private static final Container RESTARTED = new Container(Phase.RUNNING, 1, "", "run-0");

    /** Returns the state of a pod whose candidate may have named its container. */
    private static PodState stateOf(@Nullable String named, String spec, String status)
            throws MalformedObjectException {
        return PodStates.of(
                FakeTransport.json("{'metadata': {'uid': 'u'}, 'spec': {" + spec + "}, 'status': {" + status + "}}"),
                new PodRef(POD, "u", named));
    }

    /** Returns the state of a pod with one container. */
    private static PodState ofOne(String status) throws MalformedObjectException {
        return stateOf(
                null, "'containers': [{'name': 'app'}]", "'containerStatuses': [{'name': 'app', " + status + "}]");
    }

    private static String terminated(String run, String reason) {
        return "{'terminated': {'containerID': '" + run + "', 'reason': '" + reason + "'}}";
    }

    @Test
    void anotherUidIsAnotherPod() throws Exception {
        assertThat(PodStates.of(FakeTransport.json("{'metadata': {'uid': 'other'}}"), new PodRef(POD, "u")))
                .isEqualTo(new PodState.Missing());
    }

    @Nested
    class ReportedContainer {

        @Test
        void reportedContainerHasItsRunAndRestartsWhileItRuns() throws Exception {
            assertThat(ofOne("'restartCount': 3, 'containerID': 'run-3', 'state': " + RUNNING))
                    .isEqualTo(new Container(Phase.RUNNING, 3, "run-3", ""));
        }

        @Test
        void reportedContainerHasTheRunThatEndedBeforeIfItHasBeenStartedAgain() throws Exception {
            assertThat(ofOne("'restartCount': 1, 'containerID': 'run-1', 'state': " + RUNNING + ", 'lastState': "
                            + terminated("run-0", "Error")))
                    .isEqualTo(new Container(Phase.RUNNING, 1, "run-1", "run-0"));
        }

        @Test
        void reportedContainerIsTerminatedIfItHasEnded() throws Exception {
            assertThat(ofOne("'containerID': 'run-1', 'state': " + terminated("run-1", "OOMKilled") + ", 'lastState': "
                            + terminated("run-0", "Error")))
                    .isEqualTo(new Container(Phase.TERMINATED, 0, "run-1", "run-1"));
        }

        @Test
        void reportedContainerWaitsWhileItCrashLoops() throws Exception {
            assertThat(ofOne("'containerID': 'run-1', 'state': " + WAITING + ", 'lastState': "
                            + terminated("run-1", "Error")))
                    .isEqualTo(new Container(Phase.WAITING, 0, "run-1", "run-1"));
        }
    }

    @Test
    void podWithASidecarIsUnclearIfTheSidecarIsReportedAsTerminated() throws Exception {
        assertThat(stateOf(
                        null,
                        PodWithASidecar.SPEC,
                        "'initContainerStatuses': [{'name': 'elector', 'state': " + terminated("run-0", "Error")
                                + "}], 'containerStatuses': [{'name': 'app', 'state': " + RUNNING + "}]"))
                .isInstanceOf(PodState.Unclear.class);
    }

    /** The process that leads runs in the sidecar {@code elector}; the container {@code app} has crashed and was started again. */
    @Nested
    class PodWithASidecar {

        private static final String SPEC = "'containers': [{'name': 'app'}],"
                + " 'initContainers': [{'name': 'elector', 'restartPolicy': 'Always'}]";
        private static final String STATUS =
                "'initContainerStatuses': [{'name': 'elector', 'restartCount': 0, 'state': " + RUNNING + "}],"
                        + " 'containerStatuses': [{'name': 'app', 'restartCount': 1, 'state': " + RUNNING
                        + ", 'lastState': {'terminated': {'containerID': 'run-0', 'exitCode': 137}}}]";

        @Test
        void podWithASidecarIsUnclearIfTheCandidateNamesNoContainer() throws Exception {
            assertThat(stateOf(null, SPEC, STATUS))
                    .isInstanceOfSatisfying(
                            PodState.Unclear.class,
                            unclear -> assertThat(unclear.why()).contains("app, elector"));
        }

        @Test
        void podWithASidecarIsThatOfTheContainerThatTheCandidateNames() throws Exception {
            assertThat(stateOf("elector", SPEC, STATUS)).isEqualTo(RUNS);
            assertThat(stateOf("app", SPEC, STATUS)).isEqualTo(RESTARTED);
        }

        @Test
        void podWithASidecarIsUnclearIfTheSidecarIsNotReported() throws Exception {
            assertThat(stateOf(null, SPEC, "'containerStatuses': [{'name': 'app', 'state': " + RUNNING + "}]"))
                    .isInstanceOf(PodState.Unclear.class);
        }
    }

    @Nested
    class PodWithAnEphemeralContainer {

        private static final String SPEC =
                "'containers': [{'name': 'app'}], 'ephemeralContainers': [{'name': 'debugger'}]";
        private static final String STATUS = "'containerStatuses': [{'name': 'app', 'state': " + RUNNING + "}],"
                + " 'ephemeralContainerStatuses': [{'name': 'debugger', 'state': " + terminated("run-0", "Completed")
                + "}]";

        @Test
        void podWithAnEphemeralContainerIsUnclearIfTheCandidateNamesNoContainer() throws Exception {
            assertThat(stateOf(null, SPEC, STATUS)).isInstanceOf(PodState.Unclear.class);
        }

        @Test
        void podWithAnEphemeralContainerIsThatOfTheContainerThatTheCandidateNames() throws Exception {
            assertThat(stateOf("app", SPEC, STATUS)).isEqualTo(RUNS);
        }
    }

    @Nested
    class PodWithAnInitContainer {

        private static final String SPEC = "'containers': [{'name': 'app'}], 'initContainers': [{'name': 'migrate'}]";

        private static String status(String init) {
            return "'initContainerStatuses': [{'name': 'migrate', 'state': " + init
                    + "}], 'containerStatuses': [{'name': 'app', 'state': " + RUNNING + "}]";
        }

        @Test
        void podWithAnInitContainerIsThatOfItsOnlyContainerWhateverTheInitContainersState() throws Exception {
            assertThat(stateOf(null, SPEC, status(terminated("run-0", "Completed"))))
                    .isEqualTo(RUNS);
            assertThat(stateOf(null, SPEC, status(RUNNING))).isEqualTo(RUNS);
        }

        @Test
        void podWithAnInitContainerIsUnclearIfTheCandidateNamesTheInitContainer() throws Exception {
            assertThat(stateOf("migrate", SPEC, status(RUNNING))).isInstanceOf(PodState.Unclear.class);
        }
    }

    @Nested
    class UnclearPod {

        @Test
        void unclearPodIsNotReported() throws Exception {
            assertThat(stateOf(null, "'containers': [{'name': 'app'}]", "'phase': 'Pending'"))
                    .isInstanceOfSatisfying(
                            PodState.Unclear.class,
                            unclear -> assertThat(unclear.why()).contains("not reported the container app"));
        }

        @Test
        void unclearPodHasNoContainerOfTheNameThatTheCandidateGives() throws Exception {
            assertThat(stateOf("api", "'containers': [{'name': 'app'}]", ""))
                    .isInstanceOfSatisfying(
                            PodState.Unclear.class,
                            unclear -> assertThat(unclear.why()).contains("names the container api", "but app"));
        }

        @Test
        void unclearPodHasAContainerThatTheKubeletHasLostSightOf() throws Exception {
            assertThat(ofOne("'restartCount': 1, 'state': " + terminated("", "ContainerStatusUnknown")))
                    .isInstanceOf(PodState.Unclear.class);
            assertThat(ofOne("'restartCount': 1, 'state': " + WAITING + ", 'lastState': "
                            + terminated("", "ContainerStatusUnknown")))
                    .isInstanceOf(PodState.Unclear.class);
        }
    }

    @Test
    void thePhaseSaysNothingBecauseTheControlPlaneSetsItOnPodsThatStillRun() throws Exception {
        String one = "'containers': [{'name': 'app'}]";
        assertThat(stateOf(
                        null,
                        one,
                        "'phase': 'Failed', 'reason': 'NodeLost', 'containerStatuses': [{'name': 'app', 'state': "
                                + RUNNING + "}]"))
                .isEqualTo(RUNS);
        assertThat(stateOf(null, one, "'phase': 'Failed', 'reason': 'Evicted'")).isInstanceOf(PodState.Unclear.class);
    }

    @Test
    void aMalformedStatusIsReported() {
        assertThatThrownBy(() -> stateOf(null, "", "'containerStatuses': 'all fine'"))
                .isInstanceOf(MalformedObjectException.class)
                .hasMessageContaining("status.containerStatuses must be a list");
    }
}

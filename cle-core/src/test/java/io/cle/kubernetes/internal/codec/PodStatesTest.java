package io.cle.kubernetes.internal.codec;

import java.time.Instant;
import java.util.Optional;

import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.model.PodState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PodStatesTest {

    private static PodState stateOf(String status) throws MalformedObjectException {
        return PodStates.of(
                FakeTransport.json(
                        "{'metadata': {'uid': 'u'}, 'spec': {'containers': [{}, {}]}, 'status': " + status + "}"),
                "u");
    }

    private static String running(String since) {
        return "{'state': {'running': {'startedAt': '" + since + "'}}}";
    }

    @Test
    void anotherUidIsAnotherPod() throws Exception {
        assertThat(PodStates.of(FakeTransport.json("{'metadata': {'uid': 'other'}}"), "u"))
                .isEqualTo(new PodState.Missing());
    }

    @Test
    void aPodThatHasFinishedSaysHow() throws Exception {
        assertThat(stateOf("{'phase': 'Failed'}")).isEqualTo(new PodState.Finished("Failed"));
        assertThat(stateOf("{'phase': 'Succeeded'}")).isEqualTo(new PodState.Finished("Succeeded"));
    }

    @Test
    void aRunningPodHasRunSinceItsFirstContainerDoes() throws Exception {
        PodState state = stateOf("{'phase': 'Running', 'containerStatuses': [" + running("2026-01-01T00:00:09Z") + ","
                + running("2026-01-01T00:00:05Z") + "]}");

        assertThat(state).isEqualTo(new PodState.Present(Optional.of(Instant.parse("2026-01-01T00:00:05Z"))));
    }

    @Test
    void aContainerThatIsDownDoesNotCount() throws Exception {
        PodState state = stateOf("{'phase': 'Running', 'containerStatuses': [" + running("2026-01-01T00:00:09Z")
                + ", {'state': {'terminated': {'startedAt': '2026-01-01T00:00:01Z'}}}]}");

        assertThat(state).isEqualTo(new PodState.Present(Optional.of(Instant.parse("2026-01-01T00:00:09Z"))));
    }

    @Test
    void aPodThatCrashLoopsIsThereAndNothingOfItRuns() throws Exception {
        String waiting = "{'state': {'waiting': {'reason': 'CrashLoopBackOff'}}}";

        assertThat(stateOf("{'phase': 'Running', 'containerStatuses': [" + waiting + "," + waiting + "]}"))
                .isEqualTo(new PodState.Present(Optional.empty()));
    }

    @Test
    void sidecarsAmongTheInitContainersDoNotCount() throws Exception {
        String waiting = "{'state': {'waiting': {}}}";

        assertThat(stateOf("{'phase': 'Running', 'initContainerStatuses': [" + running("2026-01-01T00:00:01Z")
                        + "], 'containerStatuses': [" + waiting + "," + waiting + "]}"))
                .isEqualTo(new PodState.Present(Optional.empty()));
    }

    @Test
    void aPodThatIsNotWhollyReportedIsUnclear() throws Exception {
        assertThat(stateOf("{'phase': 'Pending'}")).isEqualTo(new PodState.Unclear());
        assertThat(stateOf("{'containerStatuses': [" + running("2026-01-01T00:00:01Z") + "]}"))
                .as("one of two containers")
                .isEqualTo(new PodState.Unclear());
        assertThat(stateOf("{'containerStatuses': [{'state': {'running': {}}}, {'state': {'waiting': {}}}]}"))
                .isEqualTo(new PodState.Unclear());
    }

    @Test
    void garbageIsTold() {
        assertThatThrownBy(() -> stateOf("{'containerStatuses': 'all fine'}"))
                .isInstanceOf(MalformedObjectException.class)
                .hasMessageContaining("status.containerStatuses must be a list");
    }
}

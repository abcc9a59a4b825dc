package io.cle.election.internal.api;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.model.PodRef;

/**
 * Reads the state of a candidate's container from a pod (safety.md#terminated-holder). The pod's phase and times are ignored: the control
 * plane also sets the phase of pods that are still running, and times come from clocks that may be stepped. Pure.
 */
public final class PodStates {

    /** The kubelet's reason for a container that it can no longer find. The kubelet has not seen that container terminate. */
    private static final String LOST_SIGHT = "ContainerStatusUnknown";

    private PodStates() {}

    /** Returns the state of the container that the candidate has named, or of the only container of its pod in which it can run. */
    public static PodState of(JsonObject pod, PodRef ref) throws MalformedObjectException {
        if (!ref.uid().equals(Fields.of(pod).child("metadata").string("uid"))) {
            return new PodState.Missing();
        }
        Map<String, Fields> reported = new HashMap<>();
        for (String kind : List.of("containerStatuses", "ephemeralContainerStatuses", "initContainerStatuses")) {
            for (Fields status : Fields.of(pod).child("status").children(kind)) {
                reported.put(status.requiredString("name"), status);
            }
        }
        Set<String> containers = containers(Fields.of(pod).child("spec"));
        String names = String.join(", ", containers);
        String named = ref.container();
        if (named == null && containers.size() != 1) {
            return new PodState.Unclear("it has the containers " + names + "; the candidate doesn't name its own");
        }
        String name = named == null ? containers.iterator().next() : named;
        if (!containers.contains(name)) {
            return new PodState.Unclear("the candidate names the container " + name
                    + ", and it has none of that name that may run a candidate, but " + names);
        }
        Fields status = reported.get(name);
        return status == null
                ? new PodState.Unclear("the kubelet has not reported the container " + name)
                : stateOf(name, status);
    }

    /**
     * Returns the names of the containers in which a candidate may run. An init container that isn't a sidecar has ended before the pod's other
     * containers start.
     */
    private static Set<String> containers(Fields spec) throws MalformedObjectException {
        Set<String> names = new LinkedHashSet<>();
        for (String kind : List.of("containers", "ephemeralContainers", "initContainers")) {
            for (Fields container : spec.children(kind)) {
                if (!kind.equals("initContainers") || "Always".equals(container.string("restartPolicy"))) {
                    names.add(container.requiredString("name"));
                }
            }
        }
        return names;
    }

    private static PodState stateOf(String name, Fields status) throws MalformedObjectException {
        Fields state = status.child("state");
        Fields terminated = state.child("terminated");
        Fields before = status.child("lastState").child("terminated");
        if (LOST_SIGHT.equals(terminated.string("reason")) || LOST_SIGHT.equals(before.string("reason"))) {
            return new PodState.Unclear("the kubelet has lost sight of the container " + name);
        }
        PodState.Phase phase = phase(state);
        Integer restarts = status.integer("restartCount", 0);
        Fields ended = phase == PodState.Phase.TERMINATED ? terminated : before;
        return new PodState.Container(
                phase,
                restarts == null ? 0 : restarts,
                Objects.requireNonNullElse(status.string("containerID"), ""),
                Objects.requireNonNullElse(ended.string("containerID"), ""));
    }

    /** Returns the phase. A container without a state is waiting (core/v1 ContainerState). */
    private static PodState.Phase phase(Fields state) {
        if (state.has("terminated")) {
            return PodState.Phase.TERMINATED;
        }
        return state.has("running") ? PodState.Phase.RUNNING : PodState.Phase.WAITING;
    }
}

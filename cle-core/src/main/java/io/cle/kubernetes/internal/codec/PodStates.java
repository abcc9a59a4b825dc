package io.cle.kubernetes.internal.codec;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.model.PodState;
import org.jspecify.annotations.Nullable;

/**
 * What a pod object says of its containers (safety.md#terminated-holder). Neither the pod's phase nor any time is read: the control plane
 * sets the phase of pods that still run, and times are of clocks that may be stepped. Pure.
 */
public final class PodStates {

    /** The kubelet's word for a container that it can't find any more. It has not seen that container end. */
    private static final String LOST_SIGHT = "ContainerStatusUnknown";

    private static final PodState UNCLEAR = new PodState.Unclear();

    private PodStates() {}

    /**
     * The state of the pod that had the given uid. Sidecars among the init containers don't count: they go on running while the
     * application starts anew.
     */
    public static PodState of(JsonObject pod, String uid) throws MalformedObjectException {
        if (!uid.equals(Fields.of(pod).child("metadata").string("uid"))) {
            return new PodState.Missing();
        }
        List<Fields> statuses = Fields.of(pod).child("status").children("containerStatuses");
        Map<String, PodState.Container> containers = new HashMap<>();
        for (Fields status : statuses) {
            PodState.Container container = container(status);
            if (container == null) {
                return UNCLEAR;
            }
            containers.put(status.requiredString("name"), container);
        }
        int declared = Fields.of(pod).child("spec").children("containers").size();
        return containers.isEmpty() || containers.size() < declared ? UNCLEAR : new PodState.Reported(containers);
    }

    private static PodState.@Nullable Container container(Fields status) throws MalformedObjectException {
        Fields state = status.child("state");
        Fields terminated = state.child("terminated");
        Fields before = status.child("lastState").child("terminated");
        if (LOST_SIGHT.equals(terminated.string("reason")) || LOST_SIGHT.equals(before.string("reason"))) {
            return null;
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

    /** A container without a state waits (core/v1 ContainerState). */
    private static PodState.Phase phase(Fields state) {
        if (state.has("terminated")) {
            return PodState.Phase.TERMINATED;
        }
        return state.has("running") ? PodState.Phase.RUNNING : PodState.Phase.WAITING;
    }
}

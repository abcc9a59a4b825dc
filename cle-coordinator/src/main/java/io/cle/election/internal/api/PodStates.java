package io.cle.election.internal.api;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.client.LeaderPod;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.model.PodRef;
import org.jspecify.annotations.Nullable;

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
        Map<String, Optional<Fields>> containers = new LinkedHashMap<>();
        collect(pod, "containers", "containerStatuses", containers);
        collect(pod, "ephemeralContainers", "ephemeralContainerStatuses", containers);
        Map<String, Optional<Fields>> initial = new LinkedHashMap<>();
        collect(pod, "initContainers", "initContainerStatuses", initial);
        // An init container that isn't a sidecar is not restarted after it has completed, so no candidate runs in it.
        Set<String> sidecars = new HashSet<>();
        for (Fields container : Fields.of(pod).child("spec").children("initContainers")) {
            if ("Always".equals(container.string("restartPolicy"))) {
                sidecars.add(container.requiredString("name"));
            }
        }
        for (Map.Entry<String, Optional<Fields>> container : initial.entrySet()) {
            if (sidecars.contains(container.getKey()) || !hasEnded(container.getValue())) {
                containers.put(container.getKey(), container.getValue());
            }
        }
        return stateOf(containers, ref.container(), LeaderPod.isDeletedLast(pod.getAsJsonObject("metadata")));
    }

    /** Adds the containers of one kind with their reported status; empty for containers without one. */
    private static void collect(JsonObject pod, String kind, String statuses, Map<String, Optional<Fields>> containers)
            throws MalformedObjectException {
        for (Fields container : Fields.of(pod).child("spec").children(kind)) {
            containers.put(container.requiredString("name"), Optional.empty());
        }
        for (Fields status : Fields.of(pod).child("status").children(statuses)) {
            containers.put(status.requiredString("name"), Optional.of(status));
        }
    }

    private static boolean hasEnded(Optional<Fields> status) throws MalformedObjectException {
        return status.isPresent() && phase(status.get().child("state")) == PodState.Phase.TERMINATED;
    }

    private static PodState stateOf(
            Map<String, Optional<Fields>> containers, @Nullable String named, boolean deletedLast)
            throws MalformedObjectException {
        String names = String.join(", ", containers.keySet());
        if (named == null && containers.size() != 1) {
            return new PodState.Unclear(
                    "it has the containers " + names + ", and the candidate names none of them as its own");
        }
        String name = named == null ? containers.keySet().iterator().next() : named;
        Optional<Fields> status = containers.get(name);
        if (status == null) {
            return new PodState.Unclear("the candidate names the container " + name
                    + ", and it has none of that name that may run a candidate, but " + names);
        }
        return status.isEmpty()
                ? new PodState.Unclear("the kubelet has not reported the container " + name)
                : stateOf(name, status.get(), deletedLast);
    }

    private static PodState stateOf(String name, Fields status, boolean deletedLast) throws MalformedObjectException {
        Fields state = status.child("state");
        Fields terminated = state.child("terminated");
        Fields before = status.child("lastState").child("terminated");
        if (LOST_SIGHT.equals(terminated.string("reason")) || LOST_SIGHT.equals(before.string("reason"))) {
            return new PodState.Unclear("the kubelet has lost sight of the container " + name);
        }
        PodState.Phase phase = phase(state);
        Integer restarts = status.integer("restartCount", 0);
        Fields ended = phase == PodState.Phase.TERMINATED ? terminated : before;
        return new PodState.Reported(
                new PodState.Container(
                        phase,
                        restarts == null ? 0 : restarts,
                        Objects.requireNonNullElse(status.string("containerID"), ""),
                        Objects.requireNonNullElse(ended.string("containerID"), "")),
                deletedLast);
    }

    /** Returns the phase. A container without a state is waiting (core/v1 ContainerState). */
    private static PodState.Phase phase(Fields state) {
        if (state.has("terminated")) {
            return PodState.Phase.TERMINATED;
        }
        return state.has("running") ? PodState.Phase.RUNNING : PodState.Phase.WAITING;
    }
}

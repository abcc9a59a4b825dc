package io.cle.kubernetes.internal.codec;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.model.PodState;

/** What a pod object says of its containers (safety.md#terminated-holder). Pure. */
public final class PodStates {

    private static final Set<String> FINAL_PHASES = Set.of("Succeeded", "Failed");

    private PodStates() {}

    /**
     * The state of the pod that had the given uid. Sidecars among the init containers don't count: they go on running while the
     * application starts anew.
     */
    public static PodState of(JsonObject pod, String uid) throws MalformedObjectException {
        if (!uid.equals(Fields.of(pod).child("metadata").string("uid"))) {
            return new PodState.Missing();
        }
        Fields status = Fields.of(pod).child("status");
        String phase = status.string("phase");
        if (phase != null && FINAL_PHASES.contains(phase)) {
            return new PodState.Finished(phase);
        }
        List<Fields> containers = status.children("containerStatuses");
        int declared = Fields.of(pod).child("spec").children("containers").size();
        if (containers.isEmpty() || containers.size() < declared) {
            return new PodState.Unclear();
        }
        Optional<Instant> earliest = Optional.empty();
        for (Fields container : containers) {
            Fields state = container.child("state");
            if (!state.has("running")) {
                continue;
            }
            Instant started = state.child("running").time("startedAt");
            if (started == null) {
                return new PodState.Unclear();
            }
            if (earliest.isEmpty() || started.isBefore(earliest.get())) {
                earliest = Optional.of(started);
            }
        }
        return new PodState.Present(earliest);
    }
}

package io.cle.test.simulation;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import org.jspecify.annotations.Nullable;

/**
 * The pods that candidates run in, and their kubelets: when a process has died, its pod's status says so late, or never, because the node
 * is lost with it.
 */
final class Pods {

    private static final long SECOND = 1_000_000_000L;

    private final SimulatedServer server;
    private final VirtualTime time;
    private final SplittableRandom random;
    private final History history;
    private final Map<VirtualProcess, PodRef> pods = new HashMap<>();

    Pods(SimulatedServer server, VirtualTime time, SplittableRandom random, History history) {
        this.server = server;
        this.time = time;
        this.random = random;
        this.history = history;
    }

    /** Creates the pod of a process that starts. */
    PodRef create(VirtualProcess process) {
        ObjectKey key =
                new ObjectKey(Cluster.LEASE.namespace(), "pod-" + process.name().replace('#', '-'));
        JsonObject pod = JsonParser.parseString(
                        "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"" + key.name()
                                + "\"}, \"spec\": {\"containers\": [{\"name\": \"app\", \"image\": \"app\"}]}}")
                .getAsJsonObject();
        pod.add("status", status("Running", running(process.clock().wall())));
        JsonObject created = server.handle(request(Verb.CREATE, key, pod), null).body();
        PodRef ref =
                new PodRef(key, created.getAsJsonObject("metadata").get("uid").getAsString());
        pods.put(process, ref);
        return ref;
    }

    /** A process has died. */
    void died(VirtualProcess process) {
        PodRef pod = pods.remove(process);
        if (pod == null || random.nextInt(4) == 0) {
            return;
        }
        time.after(random.nextLong(4 * SECOND), () -> report(process, pod));
    }

    private void report(VirtualProcess process, PodRef pod) {
        switch (random.nextInt(4)) {
            case 0 ->
                write(
                        "reports the end of ",
                        pod,
                        status("Failed", terminated(process.clock().wall())));
            case 1 ->
                write(
                        "reports the end of ",
                        pod,
                        status("Running", terminated(process.clock().wall())));
            case 2 ->
                write(
                        "has restarted ",
                        pod,
                        status("Running", running(process.clock().wall())));
            default -> {
                history.line("kubelet", "deletes " + pod.key().name());
                server.handle(request(Verb.DELETE, pod.key(), null), null);
            }
        }
    }

    private void write(String what, PodRef pod, JsonObject status) {
        history.line("kubelet", what + pod.key().name());
        JsonObject patch = new JsonObject();
        patch.add("status", status);
        server.handle(request(Verb.PATCH, pod.key(), patch), null);
    }

    private static JsonObject status(String phase, String state) {
        JsonObject container = new JsonObject();
        container.addProperty("name", "app");
        container.add("state", JsonParser.parseString(state));
        JsonArray containers = new JsonArray();
        containers.add(container);
        JsonObject status = new JsonObject();
        status.addProperty("phase", phase);
        status.add("containerStatuses", containers);
        return status;
    }

    private static String running(Instant since) {
        return "{\"running\": {\"startedAt\": \"" + since.truncatedTo(java.time.temporal.ChronoUnit.SECONDS) + "\"}}";
    }

    private static String terminated(Instant at) {
        return "{\"terminated\": {\"exitCode\": 137, \"finishedAt\": \""
                + at.truncatedTo(java.time.temporal.ChronoUnit.SECONDS) + "\"}}";
    }

    private static ApiRequest request(Verb verb, ObjectKey key, @Nullable JsonObject body) {
        return new ApiRequest(
                verb,
                ResourceType.PODS,
                key.namespace(),
                verb == Verb.CREATE ? null : key.name(),
                Map.of(),
                body,
                java.time.Duration.ZERO);
    }
}

package io.cle.test.simulation.internal.cluster;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.test.apiserver.store.Metadata;
import io.cle.test.simulation.internal.process.History;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.internal.process.VirtualTime;
import io.cle.test.simulation.internal.server.SimulatedServer;
import io.cle.test.simulation.scenario.Scenario;

/**
 * The pods that candidates run in, and their kubelets. Half of the candidates run in a sidecar, beside a container that crashes again
 * and again; half of these name it. When a process has died, its pod's status shows it late, or never, because the node is lost, too.
 * Some processes are started again in the pod in which the former one died. Pods may look dead while their processes run: they are
 * deleted by force, the control plane sets their phase to {@code Failed}, their node's clock is set ahead, or the kubelet has been
 * restarted and doesn't know of their containers yet.
 *
 * <p>The kubelet reports on a container less than three seconds late, which is less than five by a coordinator's
 * fast clock (safety.md#terminated-holder).
 */
final class Pods {

    private static final long SECOND = 1_000_000_000L;
    private static final long LATEST_REPORT = 3 * SECOND;

    private final SimulatedServer server;
    private final VirtualTime time;
    private final SplittableRandom random;
    private final History history;
    private final Predicate<VirtualProcess> silentLeader;
    private final long liesEnd;

    /** By the name of the process, so that the order is the same in every run of a seed. */
    private final Map<String, Pod> running = new TreeMap<>();

    /** Pods whose process has died, for a process that is soon started again; by the prefix of its name. */
    private final Map<String, Pod> restarting = new HashMap<>();

    private int created;

    /** The container that the candidates run in. */
    private static final String CONTAINER = "app";

    /** A pod's true state; reports follow. */
    private static final class Pod {
        final PodRef ref;

        /** Whether the candidate runs in a sidecar, beside another container. */
        final boolean sidecar;

        VirtualProcess process;
        int restarts;
        /** How many times the pod's other container was started again, in pods that have one. */
        int othersRestarts;

        boolean runs = true;
        /** Whether what was last reported of it is false. */
        boolean looksDead;

        Pod(PodRef ref, boolean sidecar, VirtualProcess process) {
            this.ref = ref;
            this.sidecar = sidecar;
            this.process = process;
        }
    }

    /**
     * The pods of a cluster; there are none yet.
     *
     * @param silentLeader whether a process leads and can't renew at the moment
     * @param liesEnd from when on no pod of a running process looks dead
     */
    Pods(
            SimulatedServer server,
            VirtualTime time,
            SplittableRandom random,
            History history,
            Predicate<VirtualProcess> silentLeader,
            Duration liesEnd) {
        this.server = server;
        this.time = time;
        this.random = random;
        this.history = history;
        this.silentLeader = silentLeader;
        this.liesEnd = liesEnd.toNanos();
        time.after(random.nextLong(10 * SECOND), this::lie);
    }

    /** The pod of a process that starts: a new one, or the one in which its predecessor died. */
    PodRef create(VirtualProcess process) {
        Pod pod = restarting.remove(base(process));
        if (pod == null) {
            pod = newPod(process);
        } else {
            history.line("kubelet", "restarts the container of " + pod.ref.key().name());
            pod.process = process;
            pod.restarts++;
            pod.runs = true;
            report(pod);
        }
        running.put(process.name(), pod);
        return pod.ref;
    }

    private Pod newPod(VirtualProcess process) {
        ObjectKey key = new ObjectKey(Scenario.LEASE.namespace(), "pod-" + base(process) + "-" + ++created);
        boolean sidecar = created % 4 >= 2;
        String app = "{\"name\": \"app\", \"image\": \"app\"}";
        String containers = sidecar
                ? "\"initContainers\": [" + app.replace("}", ", \"restartPolicy\": \"Always\"}")
                        + "], \"containers\": [{\"name\": \"other\", \"image\": \"other\"}]"
                : "\"containers\": [" + app + "]";
        JsonObject body = JsonParser.parseString(
                        "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"" + key.name()
                                + "\"}, \"spec\": {" + containers + "}}")
                .getAsJsonObject();
        JsonObject stored =
                server.handle(Verb.CREATE, ResourceType.PODS, key, body).body();
        String uid = Objects.requireNonNull(Metadata.uid(stored));
        Pod pod = new Pod(new PodRef(key, uid, created % 4 == 2 ? CONTAINER : null), sidecar, process);
        write(pod, "Running", state(pod), 0);
        return pod;
    }

    /** The common prefix of the names of a candidate's processes. */
    private static String base(VirtualProcess process) {
        return process.name().substring(0, process.name().indexOf('#'));
    }

    /** A process has died. */
    void died(VirtualProcess process) {
        Pod pod = running.remove(process.name());
        if (pod == null) {
            return;
        }
        pod.runs = false;
        switch (random.nextInt(6)) {
            case 0 -> {
                // The node is lost, too.
            }
            case 1, 2, 3 -> {
                restarting.put(base(process), pod);
                report(pod);
            }
            case 4 -> {
                report(pod);
                time.after(random.nextLong(4 * SECOND), () -> delete(pod));
            }
            default -> report(pod);
        }
    }

    private void report(Pod pod) {
        time.after(random.nextLong(LATEST_REPORT), () -> {
            history.line(
                    "kubelet",
                    "reports that " + pod.ref.key().name() + (pod.runs ? " runs" : " has ended") + " after "
                            + pod.restarts + " restarts");
            write(pod, pod.runs || random.nextBoolean() ? "Running" : "Failed", state(pod), 0);
        });
    }

    private void delete(Pod pod) {
        history.line("kubelet", "deletes " + pod.ref.key().name());
        server.handle(Verb.DELETE, ResourceType.PODS, pod.ref.key(), null);
    }

    // ---- pods that only look dead --------------------------------------------------------------------------------

    /** Now and then makes a pod look dead; more often that of a leader which can't renew, because coordinators check that one. */
    private void lie() {
        if (time.now() > liesEnd) {
            return;
        }
        time.after(random.nextLong(SECOND), this::lie);
        List<Pod> pods = running.values().stream()
                .filter(pod -> !pod.looksDead && silentLeader.test(pod.process))
                .toList();
        if (pods.isEmpty() && random.nextInt(12) == 0) {
            pods = running.values().stream().filter(pod -> !pod.looksDead).toList();
        }
        if (!pods.isEmpty()) {
            lie(pods.get(random.nextInt(pods.size())));
        }
    }

    private void lie(Pod pod) {
        pod.looksDead = true;
        time.after(random.nextLong(8 * SECOND), () -> {
            pod.looksDead = false;
            report(pod);
        });
        String name = pod.ref.key().name();
        switch (random.nextInt(9)) {
            case 0 -> deleteByForce(pod);
            case 1, 2 -> {
                history.line("control plane", "sets the phase of " + name + " to Failed; its process runs on");
                write(pod, "Failed", state(pod), 0);
            }
            case 3, 4 -> {
                history.line("kubelet", "reports that " + name + " has started just now; the node's clock was set");
                write(pod, "Running", state(pod), 1 + random.nextLong(3600));
            }
            case 5, 6 -> {
                history.line("kubelet", "was restarted and doesn't know of the container of " + name + " yet");
                write(pod, "Running", "\"waiting\": {\"reason\": \"ContainerCreating\"}", 0);
            }
            default -> {
                history.line("kubelet", "has lost sight of the container of " + name);
                write(pod, "Running", "\"terminated\": {\"exitCode\": 137, \"reason\": \"ContainerStatusUnknown\"}", 0);
            }
        }
    }

    /** The pod of a process is deleted, although the process runs; nothing if it is gone already. */
    void deleteByForce(VirtualProcess process) {
        Pod pod = running.get(process.name());
        if (pod != null) {
            deleteByForce(pod);
        }
    }

    private void deleteByForce(Pod pod) {
        history.line("administrator", "deletes " + pod.ref.key().name() + " by force; its process runs on");
        server.handle(Verb.DELETE, ResourceType.PODS, pod.ref.key(), null);
    }

    // ---- what is in the status -------------------------------------------------------------------------------

    private static String state(Pod pod) {
        return pod.runs
                ? "\"running\": {}"
                : "\"terminated\": {\"exitCode\": 137, \"containerID\": \"" + run(pod, pod.restarts) + "\"}";
    }

    private static String run(Pod pod, int restarts) {
        return pod.ref.uid() + "/" + restarts;
    }

    /**
     * Writes a status.
     *
     * @param late by how many seconds the time of the start is later than the node's clock says
     */
    private void write(Pod pod, String phase, String state, long late) {
        JsonObject container = new JsonObject();
        container.addProperty("name", CONTAINER);
        container.addProperty("restartCount", pod.restarts);
        container.addProperty("containerID", run(pod, pod.restarts));
        JsonObject states = JsonParser.parseString("{" + state + "}").getAsJsonObject();
        if (states.has("running")) {
            states.getAsJsonObject("running")
                    .addProperty(
                            "startedAt",
                            pod.process
                                    .clock()
                                    .wall()
                                    .plusSeconds(late)
                                    .truncatedTo(ChronoUnit.SECONDS)
                                    .toString());
        }
        container.add("state", states);
        if (pod.restarts > 0) {
            container.add(
                    "lastState",
                    JsonParser.parseString("{\"terminated\": {\"exitCode\": 137, \"containerID\": \""
                            + run(pod, pod.restarts - 1) + "\"}}"));
        }
        JsonObject status = new JsonObject();
        status.addProperty("phase", phase);
        status.add(pod.sidecar ? "initContainerStatuses" : "containerStatuses", listOf(container));
        if (pod.sidecar) {
            status.add("containerStatuses", listOf(other(pod)));
        }
        server.report(pod.ref.key(), status);
    }

    /** The other container crashes at every report, as if it depended on what keeps the candidate from renewing. */
    private static JsonObject other(Pod pod) {
        int before = pod.othersRestarts++;
        return JsonParser.parseString("{\"name\": \"other\", \"restartCount\": " + pod.othersRestarts
                        + ", \"containerID\": \"other/" + pod.othersRestarts + "\", \"state\": {\"running\": {}},"
                        + " \"lastState\": {\"terminated\": {\"exitCode\": 137, \"containerID\": \"other/" + before
                        + "\"}}}")
                .getAsJsonObject();
    }

    private static JsonArray listOf(JsonObject object) {
        JsonArray list = new JsonArray();
        list.add(object);
        return list;
    }
}

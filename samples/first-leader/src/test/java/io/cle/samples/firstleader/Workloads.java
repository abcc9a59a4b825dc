package io.cle.samples.firstleader;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.HttpApi.Reply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Replaces the controllers of Deployments and the kubelet on an API server without either. Each Deployment has one pod
 * of its current template, and is rolled out at once. Like terminating pods, pods of an earlier template exist until a
 * command waits for their end.
 */
final class Workloads implements AutoCloseable {

    private static final String DEPLOYMENTS = "/apis/apps/v1/deployments";
    private static final String HASH = "pod-template-hash";

    private final HttpApi api;
    private final Path waited;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

    /**
     * Starts reconciling.
     *
     * @param waited a file that exists once a command waits for the end of pods
     */
    Workloads(HttpApi api, Path waited) {
        this.api = api;
        this.waited = waited;
        executor.scheduleWithFixedDelay(this::reconcile, 0, 100, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    /** Waits until every Deployment is rolled out. */
    void awaitObserved() {
        await().atMost(1, TimeUnit.MINUTES).until(() -> {
            for (JsonElement deployment : list(DEPLOYMENTS)) {
                if (!isObserved(deployment.getAsJsonObject())) {
                    return false;
                }
            }
            return true;
        });
    }

    private void reconcile() {
        try {
            list(DEPLOYMENTS).forEach(deployment -> reconcile(deployment.getAsJsonObject()));
        } catch (RuntimeException | AssertionError e) {
            // The next round tries again; if a Deployment is never rolled out, the command that waits for it fails.
            System.err.println("Workloads: " + e);
        }
    }

    private void reconcile(JsonObject deployment) {
        JsonObject metadata = deployment.getAsJsonObject("metadata");
        JsonObject spec = deployment.getAsJsonObject("spec");
        JsonObject pod = spec.getAsJsonObject("template").deepCopy();
        String name = metadata.get("name").getAsString();
        String pods = "/api/v1/namespaces/" + metadata.get("namespace").getAsString() + "/pods";
        String hash = Integer.toHexString(pod.hashCode());
        JsonObject podMetadata = pod.getAsJsonObject("metadata");
        podMetadata.addProperty("name", name + "-" + hash);
        podMetadata.getAsJsonObject("labels").addProperty(HASH, hash);

        Set<String> others = new TreeSet<>();
        boolean there = false;
        for (JsonElement one : list(pods + "?labelSelector=app.kubernetes.io/name=" + name)) {
            String other = one.getAsJsonObject()
                    .getAsJsonObject("metadata")
                    .get("name")
                    .getAsString();
            there |= other.equals(name + "-" + hash);
            others.add(other);
        }
        others.remove(name + "-" + hash);
        if (!there) {
            Reply created = api.post(pods, pod);
            assertThat(created.code()).as(created.text()).isEqualTo(201);
        }
        if (Files.exists(waited)) {
            others.forEach(other -> api.delete(pods + "/" + other + "?gracePeriodSeconds=0"));
        }
        if (!isObserved(deployment)) {
            int replicas = spec.get("replicas").getAsInt();
            JsonObject status = new JsonObject();
            status.add("observedGeneration", metadata.get("generation"));
            for (String count : new String[] {"replicas", "updatedReplicas", "readyReplicas", "availableReplicas"}) {
                status.addProperty(count, replicas);
            }
            JsonObject patch = new JsonObject();
            patch.add("status", status);
            Reply patched = api.patch(
                    "/apis/apps/v1/namespaces/" + metadata.get("namespace").getAsString() + "/deployments/" + name
                            + "/status",
                    "application/merge-patch+json",
                    patch.toString());
            assertThat(patched.code()).as(patched.text()).isEqualTo(200);
        }
    }

    private static boolean isObserved(JsonObject deployment) {
        JsonElement observed = deployment.getAsJsonObject("status").get("observedGeneration");
        return observed != null
                && observed.equals(deployment.getAsJsonObject("metadata").get("generation"));
    }

    private Iterable<JsonElement> list(String path) {
        Reply reply = api.get(path);
        assertThat(reply.code()).as(reply.text()).isEqualTo(200);
        return reply.json().getAsJsonArray("items");
    }
}

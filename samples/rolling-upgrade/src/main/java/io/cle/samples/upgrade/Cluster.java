package io.cle.samples.upgrade;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.ApiFormat;
import io.cle.Timings;
import io.cle.election.internal.ElectionPolicy;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.coordinator.EmbeddedCoordinator;
import io.cle.web.CoordinatorSnapshots;
import io.cle.web.PageServer;
import org.jspecify.annotations.Nullable;

/** An in-memory API server, and a coordinator with its page. */
final class Cluster implements AutoCloseable {

    /** The annotation with which an administrator sets a lease's strategy. */
    static final String STRATEGY = "coordination.k8s.io/strategy";

    private static final String PODS = "/api/v1/namespaces/shop/pods";
    private static final String COST = "controller.kubernetes.io/pod-deletion-cost";

    private final EmbeddedApiServer apiServer;
    private final EmbeddedCoordinator coordinator;
    private final PageServer page;

    private Cluster(EmbeddedApiServer apiServer, Timings timings) {
        this.apiServer = apiServer;
        ElectionPolicy policy = new ElectionPolicy(ElectionPolicy.DEFAULT.ackTimeout(), timings.leaseDuration());
        coordinator = EmbeddedCoordinator.start(apiServer.url(), ApiFormat.CRD, policy, timings.requestTimeout());
        page = PageServer.start(
                0,
                new CoordinatorSnapshots.OfLoop(
                        coordinator.loop(), policy, () -> Optional.of("this demo"), () -> Optional.of(ApiFormat.CRD)));
    }

    /** Starts the API server and the coordinator. */
    static Cluster start(Timings timings) {
        return new Cluster(EmbeddedApiServer.start(), timings);
    }

    /** Returns the URL of the API server. */
    String url() {
        return apiServer.url();
    }

    /** Returns the URL of the page that shows the leader. */
    String page() {
        return page.url();
    }

    /**
     * Sets the strategy of the lease, as {@code kubectl annotate} does.
     *
     * @param strategy {@code null} for the candidates' strategy
     */
    void setStrategy(@Nullable String strategy) throws InterruptedException {
        String value = strategy == null ? "null" : "\"" + strategy + "\"";
        send(
                "PATCH",
                "/apis/coordination.k8s.io/v1/namespaces/shop/leases/orders",
                "{\"metadata\":{\"annotations\":{\"" + STRATEGY + "\":" + value + "}}}");
    }

    /** Creates the pod of a replica, with a running container; returns its uid. */
    String createPod(String name) throws InterruptedException {
        return send("POST", PODS, """
                {"metadata": {"name": "%s"}, "spec": {"containers": [{"name": "orders", "image": "orders"}]},
                 "status": {"containerStatuses": [{"name": "orders", "state": {"running": {}}}]}}""".formatted(name))
                .getAsJsonObject("metadata")
                .get("uid")
                .getAsString();
    }

    /** Returns the deletion cost of a pod, 0 if it isn't set: kube-controller-manager deletes pods with the least cost first. */
    int deletionCost(String pod) throws InterruptedException {
        JsonObject annotations =
                send("GET", PODS + "/" + pod, "").getAsJsonObject("metadata").getAsJsonObject("annotations");
        return annotations == null || !annotations.has(COST)
                ? 0
                : annotations.get(COST).getAsInt();
    }

    private JsonObject send(String method, String path, String body) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url() + path))
                .header("Content-Type", method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> answer =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new IllegalStateException(answer.body());
            }
            return JsonParser.parseString(answer.body()).getAsJsonObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        page.close();
        coordinator.close();
        apiServer.close();
    }
}

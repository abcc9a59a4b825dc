package io.cle.coordinator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import com.google.gson.JsonObject;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.Release;
import io.cle.test.apiserver.CustomResourceDefinitions;
import io.cle.test.apiserver.HttpApi.Reply;
import io.cle.test.apiserver.real.EnabledIfNativeApiServer;
import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Installs and uninstalls releases of the chart in one cluster, with Helm itself. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "Helm's library is brought for Linux on amd64")
class ChartReleasesTest {

    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles/";
    private static final String CANDIDATES = "leasecandidates.coordination.cle.io";
    private static final String FIRST = "namespaces: [shop]";
    private static final String SECOND = "{namespaces: [billing], crds: {install: false}}";

    @TempDir
    Path folder;

    @Test
    @EnabledIfRealApiServer
    void comeAndGoOnTheOldestKubernetes() throws Exception {
        try (RealApiServer server = RealApiServer.start()) {
            comeAndGo(server);
        }
    }

    @Test
    @EnabledIfNativeApiServer
    void comeAndGoOnACurrentKubernetes() throws Exception {
        try (RealApiServer server = RealApiServer.startNative()) {
            comeAndGo(server);
            for (String selected : List.of(
                    "leasecandidates?fieldSelector=spec.canLeadLease%3Dshop%2Forders",
                    "leaseconfigurations?fieldSelector=spec.targetLease%3Dorders")) {
                Reply found = server.api().get("/apis/coordination.cle.io/v1alpha1/" + selected);
                assertThat(found.code()).as(found.text()).isEqualTo(200);
            }
        }
    }

    private void comeAndGo(RealApiServer server) throws Exception {
        for (String namespace : List.of("shop", "billing")) {
            JsonObject object = new JsonObject();
            JsonObject metadata = new JsonObject();
            metadata.addProperty("name", namespace);
            object.add("metadata", metadata);
            server.api().post("/api/v1/namespaces", object);
        }
        kindsThatAreThereAreUsed(server);
        withoutKinds(server);
        twoReleasesShareANamespace(server);
        anotherNameAfterAnUninstall(server);
    }

    /** As after kubectl apply -k cle-coordinator-app/deploy/crds. */
    private void kindsThatAreThereAreUsed(RealApiServer server) throws IOException {
        install(server, "cle", FIRST);
        assertThat(owner(server, CRDS + CANDIDATES)).isEmpty();
        assertThat(owner(server, ROLES + "cle-application")).isEqualTo("cle");
        uninstall(server, "cle");
        assertThat(server.api().get(CRDS + CANDIDATES).code()).isEqualTo(200);
        server.api().delete(ROLES + "cle-application");
    }

    private static void withoutKinds(RealApiServer server) {
        for (JsonObject kind : CustomResourceDefinitions.all()) {
            String path = CRDS + kind.getAsJsonObject("metadata").get("name").getAsString();
            server.api().delete(path);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> server.api().get(path).code() == 404);
        }
    }

    private void twoReleasesShareANamespace(RealApiServer server) throws IOException {
        install(server, "cle", FIRST);
        install(server, "second", SECOND);

        for (String deployment : List.of("cle-coordinator", "second-cle-coordinator")) {
            assertThat(server.api()
                            .get("/apis/apps/v1/namespaces/cle-system/deployments/" + deployment)
                            .code())
                    .as(deployment)
                    .isEqualTo(200);
        }
        assertThat(owner(server, CRDS + CANDIDATES)).isEqualTo("cle");
        assertThat(owner(server, ROLES + "cle-application")).isEqualTo("cle");
        assertThat(owner(server, ROLES + "second-cle-coordinator-application")).isEqualTo("second");
        // An upgrade of either leaves the other's objects.
        upgrade(server, "cle", FIRST);
        upgrade(server, "second", SECOND);
        assertThat(owner(server, CRDS + CANDIDATES)).isEqualTo("cle");
    }

    private void anotherNameAfterAnUninstall(RealApiServer server) throws IOException {
        uninstall(server, "cle");
        assertThat(owner(server, CRDS + CANDIDATES)).isEqualTo("cle");

        install(server, "third", FIRST);
        assertThat(server.api()
                        .get("/apis/apps/v1/namespaces/cle-system/deployments/third-cle-coordinator")
                        .code())
                .isEqualTo(200);
        assertThat(owner(server, CRDS + CANDIDATES)).isEqualTo("cle");

        // As NOTES.txt says.
        String taken = """
                        {"metadata": {
                          "annotations": {"meta.helm.sh/release-name": "third", "meta.helm.sh/release-namespace": "cle-system"},
                          "labels": {"app.kubernetes.io/managed-by": "Helm"}}}
                        """;
        server.api().patch(CRDS + CANDIDATES, "application/merge-patch+json", taken);
        upgrade(server, "third", FIRST);
        assertThat(server.api().get(CRDS + CANDIDATES).text()).contains("\"app.kubernetes.io/instance\":\"third\"");
    }

    private void install(RealApiServer server, String name, String values) throws IOException {
        Release release = new Helm(Manifests.HELM)
                .install()
                .withName(name)
                .withNamespace("cle-system")
                .createNamespace()
                .withValuesFile(values(values))
                .disableOpenApiValidation()
                .withKubeConfig(server.kubeconfig())
                .call();
        assertThat(release.getStatus()).isEqualTo("deployed");
    }

    private void upgrade(RealApiServer server, String name, String values) throws IOException {
        Release release = new Helm(Manifests.HELM)
                .upgrade()
                .withName(name)
                .withNamespace("cle-system")
                .withValuesFile(values(values))
                .disableOpenApiValidation()
                .withKubeConfig(server.kubeconfig())
                .call();
        assertThat(release.getStatus()).isEqualTo("deployed");
    }

    private static void uninstall(RealApiServer server, String name) {
        Helm.uninstall(name)
                .withNamespace("cle-system")
                .withKubeConfig(server.kubeconfig())
                .call();
    }

    private Path values(String text) throws IOException {
        return Files.writeString(folder.resolve("values.yaml"), text);
    }

    /** The release that an object belongs to; empty for none. */
    private static String owner(RealApiServer server, String path) {
        Reply reply = server.api().get(path);
        assertThat(reply.code()).as(path).isEqualTo(200);
        JsonObject annotations = reply.json().getAsJsonObject("metadata").getAsJsonObject("annotations");
        return annotations == null || !annotations.has("meta.helm.sh/release-name")
                ? ""
                : annotations.get("meta.helm.sh/release-name").getAsString();
    }
}

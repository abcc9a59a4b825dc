package io.cle.coordinator;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The manifests as {@code kubectl} accepts them; skipped without kubectl. */
@EnabledIf(value = "kubectlIsThere", disabledReason = "there is no kubectl on the path")
class AppliedManifestsTest {

    @TempDir
    Path folder;

    static boolean kubectlIsThere() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(entry -> Files.isExecutable(Path.of(entry, "kubectl")));
    }

    @Test
    void installYamlIsWhatTheFolderRendersTo() throws Exception {
        String generated = Files.readString(Manifests.FOLDER.resolve("install.yaml"));

        assertThat(generated.lines().filter(line -> !line.startsWith("#")))
                .as("run: kubectl kustomize cle-coordinator-app/deploy")
                .containsExactlyElementsOf(render("").lines().toList());
    }

    @Test
    void everythingOfTheCoordinatorIsInOneNamespace() throws Exception {
        assertThat(render("").lines().filter(line -> line.strip().startsWith("namespace:")))
                .isNotEmpty()
                .allMatch(line -> line.strip().equals("namespace: cle-system"));
    }

    @Test
    void registryAndTagAreOneEdit() throws Exception {
        Files.writeString(folder.resolve("kustomization.yaml"), """
                resources: [%s]
                images: [{name: cle-coordinator, newName: registry.example.com/cle-coordinator, newTag: "1.0.0"}]
                """.formatted(folder.toRealPath()
                .relativize(Manifests.FOLDER.resolve("base").toRealPath())));

        assertThat(kubectl("kustomize", folder.toString()).lines())
                .filteredOn(line -> line.contains("image:"))
                .extracting(String::strip)
                .containsExactly("image: registry.example.com/cle-coordinator:1.0.0");
    }

    @Test
    void theComponentOfSelectableFieldsAddsThoseOfTheChart() throws Exception {
        Path crds =
                folder.toRealPath().relativize(Manifests.FOLDER.resolve("crds").toRealPath());
        Files.writeString(
                folder.resolve("kustomization.yaml"),
                "resources: [%s]\ncomponents: [%1$s/selectable-fields]\n".formatted(crds));

        assertThat(HelmChartTest.selectableFields(kubectl("kustomize", folder.toString())))
                .isEqualTo(HelmChartTest.SELECTABLE_FIELDS);
    }

    @Test
    void aListOfNamespacesReachesTheCoordinator() throws Exception {
        assertThat(render("namespaces"))
                .contains("name: CLE_COORDINATOR_NAMESPACES", "value: shop,billing", "name: MANAGEMENT_SERVER_PORT")
                .doesNotContain("kind: ClusterRoleBinding");
    }

    @Nested
    @EnabledIfRealApiServer
    class ARealApiServer {

        @Test
        void aRealApiServerTakesTheInstallationForAllNamespacesFromOneFile() throws Exception {
            assertThat(apply(Files.readString(Manifests.FOLDER.resolve("install.yaml"))))
                    .contains(
                            "namespace/cle-system",
                            "deployment.apps/cle-coordinator",
                            "service/cle-coordinator",
                            "networkpolicy.networking.k8s.io/cle-coordinator",
                            "poddisruptionbudget.policy/cle-coordinator",
                            "clusterrole.rbac.authorization.k8s.io/cle-coordinator",
                            "clusterrolebinding.rbac.authorization.k8s.io/cle-coordinator",
                            "customresourcedefinition.apiextensions.k8s.io/leasecandidates.coordination.cle.io");
        }

        @Test
        void aRealApiServerTakesTheInstallationForAListOfNamespaces() throws Exception {
            createNamespace("shop");
            createNamespace("billing");

            assertThat(apply(render("namespaces")).lines())
                    .filteredOn(line -> line.startsWith("rolebinding.rbac.authorization.k8s.io/cle-coordinator "))
                    .hasSize(2);
        }

        /** Without the Prometheus operator's objects, whose kinds the server doesn't know. */
        @Test
        @EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "Helm's library is brought for it")
        void aRealApiServerTakesTheChart() throws Exception {
            createNamespace("cle-system");
            createNamespace("shop");

            assertThat(apply(HelmChartTest.render(
                            folder,
                            "cle",
                            "cle-system",
                            "{namespaces: [shop], monitoring: {dashboard: {enabled: true}}}")))
                    .contains(
                            "deployment.apps/cle-coordinator",
                            "configmap/cle-coordinator-dashboard",
                            "clusterrole.rbac.authorization.k8s.io/cle-coordinator-aggregate-to-view");
        }

        @Test
        @EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "Helm's library is brought for it")
        void aRealApiServerTakesTheChartWithTheValuesOfAPlatformTeam() throws Exception {
            createNamespace("platform");

            assertThat(apply(HelmChartTest.render(folder, "cle", "platform", HelmChartTest.PLATFORM_VALUES)))
                    .contains(
                            "serviceaccount/coordinator",
                            "deployment.apps/leader-coordinator",
                            "clusterrolebinding.rbac.authorization.k8s.io/leader-coordinator");
        }

        @Test
        void aRealApiServerTakesTheExampleOfAnApplication() throws Exception {
            createNamespace("shop");

            assertThat(apply(render("application")))
                    .contains(
                            "serviceaccount/orders",
                            "deployment.apps/orders",
                            "role.rbac.authorization.k8s.io/orders-leader-election",
                            "rolebinding.rbac.authorization.k8s.io/orders-leader-election");
        }

        @Test
        void aRealApiServerListsCandidatesAndConfigurationsByTheirCategory() throws Exception {
            createNamespace("categories");
            apply(render("crds"));
            apply("""
                    apiVersion: coordination.cle.io/v1alpha1
                    kind: LeaseConfiguration
                    metadata: {name: all, namespace: categories}
                    spec: {targetLease: "orders-*", strategy: HighestPriority}
                    """);

            assertThat(kubectl(
                            "--kubeconfig",
                            RealApiServer.shared().kubeconfig().toString(),
                            "--cache-dir",
                            folder.toString(),
                            "get",
                            "leader-election",
                            "--namespace=categories",
                            "--output=name"))
                    .contains("leaseconfiguration.coordination.cle.io/all");
        }

        private void createNamespace(String name) throws Exception {
            apply("{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \"" + name + "\"}}");
        }

        /** Applies manifests, with {@code policy/v1beta1} on servers before 1.21, whose fields are the same. */
        private String apply(String manifests) throws Exception {
            String kubeconfig = RealApiServer.shared().kubeconfig().toString();
            boolean old = !kubectl("--kubeconfig", kubeconfig, "api-versions")
                    .lines()
                    .toList()
                    .contains("policy/v1");
            Path file = Files.writeString(
                    Files.createTempFile(folder, "manifests", ".yaml"),
                    old ? manifests.replace("apiVersion: policy/v1\n", "apiVersion: policy/v1beta1\n") : manifests);
            return kubectl("--kubeconfig", kubeconfig, "apply", "--validate=false", "-f", file.toString());
        }
    }

    /** Renders a folder below {@code deploy/}. */
    private String render(String below) throws IOException, InterruptedException {
        return kubectl("kustomize", Manifests.FOLDER.resolve(below).toString());
    }

    private String kubectl(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                Stream.concat(Stream.of("kubectl"), Stream.of(arguments)).toList();
        Path output = Files.createTempFile(folder, "kubectl", ".out");
        Path errors = Files.createTempFile(folder, "kubectl", ".err");
        Process process = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("%s ends", command).isTrue();
        assertThat(process.exitValue())
                .as("%s: %s", command, Files.readString(errors, StandardCharsets.UTF_8))
                .isZero();
        return Files.readString(output, StandardCharsets.UTF_8);
    }
}

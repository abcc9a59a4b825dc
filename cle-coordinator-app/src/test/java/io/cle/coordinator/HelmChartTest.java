package io.cle.coordinator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.marcnuri.helm.Helm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static io.cle.coordinator.Manifests.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The chart renders to what the kustomizations render to, for the same wishes. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "Helm's library is brought for Linux on amd64")
class HelmChartTest {

    private static final String NAMESPACE = "cle-system";

    @TempDir
    Path folder;

    private List<Map<String, Object>> rendered(String values) throws IOException {
        return Manifests.documents(render(values));
    }

    private String render(String values) throws IOException {
        return render(folder, values);
    }

    /** What the chart renders to for some values. */
    static String render(Path folder, String values) throws IOException {
        Path file = Files.writeString(folder.resolve("values.yaml"), values);
        return new Helm(Manifests.HELM)
                .template()
                .withName("cle")
                .withNamespace(NAMESPACE)
                .withValuesFile(file)
                .call();
    }

    private static List<Map<String, Object>> kustomized(Path file) {
        return Manifests.documents(file).stream()
                .filter(object -> !"Namespace".equals(object.get("kind")))
                .toList();
    }

    /** What Helm is told to keep, kustomize never removes. */
    private static List<Map<String, Object>> withoutKeeping(List<Map<String, Object>> objects) {
        for (Map<String, Object> object : objects) {
            Map<String, Object> metadata = at(object, "metadata");
            if (metadata.get("annotations") instanceof Map<?, ?> annotations
                    && annotations.remove("helm.sh/resource-policy") != null
                    && annotations.isEmpty()) {
                metadata.remove("annotations");
            }
        }
        return objects;
    }

    private static Map<String, Object> object(List<Map<String, Object>> objects, String kind) {
        return objects.stream()
                .filter(object -> kind.equals(object.get("kind")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind));
    }

    @Test
    void theDefaultsAreTheInstallationForAllNamespaces() throws IOException {
        assertThat(withoutKeeping(rendered("{}")))
                .containsExactlyInAnyOrderElementsOf(kustomized(Manifests.FOLDER.resolve("install.yaml")));
    }

    @Test
    void aListOfNamespacesIsThatOfTheKustomization() throws IOException {
        List<Map<String, Object>> objects = rendered("namespaces: [shop, billing]");

        assertThat(objects)
                .containsAll(Manifests.documents(Manifests.FOLDER.resolve("namespaces/role-bindings.yaml")))
                .noneMatch(object -> "ClusterRoleBinding".equals(object.get("kind")));
        assertThat(environment(objects))
                .contains(Map.of("name", "CLE_COORDINATOR_NAMESPACES", "value", "shop,billing"));
    }

    @Test
    void leaderServicesAreThoseOfTheKustomization() throws IOException {
        List<Map<String, Object>> objects = rendered("leaderServices: {enabled: true}");

        assertThat(objects)
                .containsAll(Manifests.documents(Manifests.FOLDER.resolve("leader-service-coordinator/rbac.yaml")));
        assertThat(environment(objects)).contains(Map.of("name", "CLE_COORDINATOR_LEADERSERVICES", "value", "true"));
    }

    @Test
    void theAdmissionPolicyIsThatOfTheKustomization() throws IOException {
        assertThat(rendered("admissionPolicy: {enabled: true}"))
                .containsAll(Stream.of("candidates.yaml", "leases.yaml")
                        .flatMap(file ->
                                Manifests.documents(Manifests.FOLDER.resolve("admission-policy/" + file)).stream())
                        .toList());
    }

    @Test
    void kindsOfObjectsAndTheRoleOfApplicationsAreKeptWhenTheReleaseIsUninstalled() throws IOException {
        assertThat(rendered("{}"))
                .filteredOn(object ->
                        Manifests.<Map<String, Object>>at(object, "metadata").get("annotations")
                                        instanceof Map<?, ?> annotations
                                && "keep".equals(annotations.get("helm.sh/resource-policy")))
                .extracting(object -> Manifests.<String>at(object, "metadata", "name"))
                .containsExactlyInAnyOrder(
                        "leasecandidates.coordination.cle.io",
                        "leaseconfigurations.coordination.cle.io",
                        "cle-application");
    }

    @Test
    void alertsAndDashboardAreThoseOfTheFolder() throws IOException {
        List<Map<String, Object>> objects = rendered(
                "monitoring: {prometheusRule: {enabled: true}, dashboard: {enabled: true}, serviceMonitor: {enabled: true},"
                        + " podMonitor: {enabled: true}}");

        assertThat(Manifests.<Object>at(object(objects, "PrometheusRule"), "spec"))
                .isEqualTo(Manifests.documents(Manifests.FOLDER.resolve("observability/alerts.yaml"))
                        .get(0));
        assertThat(Manifests.<String>at(object(objects, "ConfigMap"), "data", "cle.json"))
                .isEqualTo(Manifests.read(Manifests.FOLDER.resolve("observability/dashboard.json")));
        assertThat(objects).extracting(object -> object.get("kind")).contains("ServiceMonitor", "PodMonitor");
    }

    @Test
    void whatIsSwitchedOffIsNotRendered() throws IOException {
        assertThat(rendered("{crds: {install: false}, rbac: {aggregate: false}, networkPolicy: {enabled: false},"
                        + " podDisruptionBudget: {enabled: false}}"))
                .extracting(object -> object.get("kind"))
                .doesNotContain("CustomResourceDefinition", "NetworkPolicy", "PodDisruptionBudget")
                .contains("Deployment");
        assertThat(render("rbac: {aggregate: false}")).doesNotContain("cle-aggregate");
    }

    @Test
    void imageResourcesProbesAndHostsOfThePageAreTheValues() throws IOException {
        List<Map<String, Object>> objects = rendered("""
                image: {repository: registry.example.com/cle-coordinator, tag: "1.0.0", pullSecrets: [{name: registry}]}
                replicas: 3
                page: {hosts: [elections.example.com]}
                env: [{name: CLE_COORDINATOR_FORMAT, value: crd}]
                resources: {requests: {cpu: 50m}}
                probes: {startup: {failureThreshold: 120}}
                podAnnotations: {example.com/team: platform}
                """);
        Map<String, Object> deployment = object(objects, "Deployment");

        assertThat(Manifests.<Integer>at(deployment, "spec", "replicas")).isEqualTo(3);
        assertThat(Manifests.<Object>at(deployment, "spec", "template", "spec", "imagePullSecrets"))
                .isEqualTo(List.of(Map.of("name", "registry")));
        assertThat(Manifests.<Map<String, Object>>at(deployment, "spec", "template", "metadata", "annotations"))
                .containsEntry("example.com/team", "platform")
                .containsEntry("prometheus.io/port", "8081");
        Map<String, Object> container = at(deployment, "spec", "template", "spec", "containers", 0);
        assertThat(container)
                .containsEntry("image", "registry.example.com/cle-coordinator:1.0.0")
                .containsEntry("resources", Map.of("requests", Map.of("cpu", "50m")));
        assertThat(Manifests.<Map<String, Object>>at(container, "startupProbe"))
                .containsEntry("failureThreshold", 120)
                .containsEntry("periodSeconds", 2)
                .containsKey("httpGet");
        assertThat(environment(objects))
                .contains(
                        Map.of("name", "CLE_COORDINATOR_PAGE_HOSTS", "value", "elections.example.com"),
                        Map.of("name", "CLE_COORDINATOR_FORMAT", "value", "crd"));
    }

    private static List<Object> environment(List<Map<String, Object>> objects) {
        return at(object(objects, "Deployment"), "spec", "template", "spec", "containers", 0, "env");
    }

    @Test
    void aValueThatIsMisspeltIsRefused() {
        assertThatThrownBy(() -> render("namespace: [shop]")).hasMessageContaining("namespace");
    }
}

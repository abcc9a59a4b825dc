package io.cle.coordinator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.marcnuri.helm.Helm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static io.cle.coordinator.Manifests.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The chart renders the same as the kustomizations, for the same settings. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "Helm's library is brought for Linux on amd64")
class HelmChartTest {

    private static final String NAMESPACE = "cle-system";

    /** The newest version for which the chart renders the same as the kustomizations; later ones add selectable fields. */
    private static final String KUBERNETES = "1.30.0";

    /** Values that cert-manager's and external-secrets' charts accept, and platform teams set. */
    static final String PLATFORM_VALUES = """
            fullnameOverride: leader-coordinator
            commonLabels: {team: platform}
            image: {registry: registry.internal, repository: cle/coordinator, digest: "sha256:0000000000000000000000000000000000000000000000000000000000000000"}
            imagePullSecrets: [{name: internal}]
            priorityClassName: system-cluster-critical
            topologySpreadConstraints: []
            serviceAccount: {create: true, name: coordinator, annotations: {eks.amazonaws.com/role-arn: x}}
            podLabels: {a: b}
            podAnnotations: {c: d}
            podSecurityContext: {fsGroup: 1000}
            securityContext: {readOnlyRootFilesystem: true}
            extraEnv: [{name: JAVA_TOOL_OPTIONS, value: "-Xmx256m"}]
            extraVolumes: [{name: strategies, emptyDir: {}}]
            extraVolumeMounts: [{name: strategies, mountPath: /strategies}]
            resources: {limits: {memory: 1Gi}}
            rbac: {create: true}
            monitoring: {additionalLabels: {release: kube-prometheus-stack}, interval: 30s}
            networkPolicy: {apiServerPort: 8443}
            """;

    private static final String MONITORED = PLATFORM_VALUES.replace(
            "interval: 30s",
            "interval: 30s, serviceMonitor: {enabled: true}, podMonitor: {enabled: true}, prometheusRule: {enabled: true},"
                    + " dashboard: {enabled: true}");

    static final Map<String, Object> SELECTABLE_FIELDS = Map.of(
            "leasecandidates", List.of(Map.of("jsonPath", ".spec.canLeadLease"), Map.of("jsonPath", ".spec.strategy")),
            "leaseconfigurations",
                    List.of(Map.of("jsonPath", ".spec.targetLease"), Map.of("jsonPath", ".spec.strategy")));

    @TempDir
    Path folder;

    private List<Map<String, Object>> rendered(String values) throws IOException {
        return Manifests.documents(render(values));
    }

    private String render(String values) throws IOException {
        return render(folder, "cle", NAMESPACE, values);
    }

    /** Renders the chart for a release and some values. */
    static String render(Path folder, String release, String namespace, String values) throws IOException {
        Path file = Files.writeString(folder.resolve("values.yaml"), values);
        return new Helm(Manifests.HELM)
                .template()
                .withName(release)
                .withNamespace(namespace)
                .withKubeVersion(KUBERNETES)
                .withValuesFile(file)
                .call();
    }

    private static List<Map<String, Object>> kustomized(String file) {
        return Manifests.documents(Manifests.FOLDER.resolve(file)).stream()
                .filter(object -> !"Namespace".equals(object.get("kind")))
                .toList();
    }

    /** Removes the annotation that makes Helm keep an object, and the labels that show whose it is. */
    private static List<Map<String, Object>> bare(List<Map<String, Object>> objects) {
        for (Map<String, Object> object : objects) {
            Map<String, Object> metadata = at(object, "metadata");
            removeFrom(metadata, "annotations", "helm.sh/");
            removeFrom(metadata, "labels", "helm.sh/");
            removeFrom(metadata, "labels", "app.kubernetes.io/");
        }
        return objects;
    }

    private static void removeFrom(Map<String, Object> metadata, String map, String prefix) {
        if (metadata.get(map) instanceof Map<?, ?> entries) {
            entries.keySet().removeIf(key -> key.toString().startsWith(prefix));
            if (entries.isEmpty()) {
                metadata.remove(map);
            }
        }
    }

    private static Map<String, String> labels(Map<String, Object> object) {
        return at(object, "metadata", "labels");
    }

    private static String id(Map<String, Object> object) {
        Map<String, Object> metadata = at(object, "metadata");
        return object.get("kind") + " " + metadata.getOrDefault("namespace", "") + "/" + metadata.get("name");
    }

    private static Map<String, Object> object(List<Map<String, Object>> objects, String kind) {
        return objects.stream()
                .filter(object -> kind.equals(object.get("kind")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind));
    }

    /** The manifest that kustomize uses is generated, without what only Helm needs. */
    @Test
    void theBaseOfTheKustomizationsIsWhatTheChartRendersTo() throws IOException {
        String manifest = Stream.of(
                        render("{crds: {install: false, keep: false}, rbac: {applicationRole: cle-application}}")
                                .split("(?m)^---\\n"))
                .filter(document -> !document.isBlank() && !document.contains("kind: ClusterRoleBinding"))
                .map(document -> document.replaceAll(
                                "(?m)^(# Source| +helm.sh/chart| +app.kubernetes.io/managed-by): .*\\n", "")
                        .strip())
                .collect(Collectors.joining(
                        "\n---\n",
                        "# Generated from the chart in deploy/helm: change that, and let HelmChartTest say how to renew this file.\n",
                        "\n"));
        Path generated = Files.writeString(Path.of("target", "coordinator.yaml"), manifest);

        assertThat(manifest)
                .as("run: cp cle-coordinator-app/%s cle-coordinator-app/deploy/base/", generated)
                .isEqualTo(Manifests.read(Manifests.FOLDER.resolve("base/coordinator.yaml")));
    }

    @Test
    void theDefaultsAreTheInstallationForAllNamespaces() throws IOException {
        assertThat(bare(rendered("{}"))).containsExactlyInAnyOrderElementsOf(bare(kustomized("install.yaml")));
    }

    @Test
    void aListOfNamespacesIsThatOfTheKustomization() throws IOException {
        List<Map<String, Object>> objects = rendered("namespaces: [shop, billing]");

        assertThat(environment(objects))
                .contains(Map.of("name", "CLE_COORDINATOR_NAMESPACES", "value", "shop,billing"));
        assertThat(bare(objects))
                .containsAll(bare(kustomized("namespaces/role-bindings.yaml")))
                .noneMatch(object -> "ClusterRoleBinding".equals(object.get("kind")));
    }

    @Test
    void theAdmissionPolicyIsThatOfTheKustomization() throws IOException {
        String asInKustomization = render("admissionPolicy: {enabled: true}")
                .replaceAll("cle-coordinator-(candidates|leases|pods)", "cle-$1");

        assertThat(bare(Manifests.documents(asInKustomization)))
                .containsAll(bare(Stream.of("candidates.yaml", "leases.yaml", "pods.yaml")
                        .flatMap(file -> kustomized("helm/files/admission-policy/" + file).stream())
                        .toList()));
    }

    /** Otherwise one release's policy would refuse the writes of another's coordinator. */
    @Test
    void theAdmissionPolicyOfAListOfNamespacesAppliesToThemAlone() throws IOException {
        List<Map<String, Object>> objects = Manifests.documents(render(
                folder, "second", "platform", "{namespaces: [shop, billing], admissionPolicy: {enabled: true}}"));

        assertThat(objects)
                .filteredOn(object -> "ValidatingAdmissionPolicyBinding".equals(object.get("kind")))
                .hasSize(3)
                .allSatisfy(binding -> {
                    assertThat(Manifests.<String>at(binding, "spec", "policyName"))
                            .isEqualTo(at(binding, "metadata", "name"));
                    assertThat(Manifests.<List<Object>>at(
                                    binding, "spec", "matchResources", "namespaceSelector", "matchExpressions"))
                            .contains(Map.of(
                                    "key", "kubernetes.io/metadata.name",
                                    "operator", "In",
                                    "values", List.of("shop", "billing")));
                });
        assertThat(objects)
                .filteredOn(object -> "ValidatingAdmissionPolicy".equals(object.get("kind")))
                .filteredOn(policy -> !"second-cle-coordinator-pods".equals(at(policy, "metadata", "name")))
                .hasSize(2)
                .allSatisfy(policy -> assertThat(policy.toString())
                        .contains("system:serviceaccount:platform:second-cle-coordinator")
                        .doesNotContain("cle-system"));
    }

    @Test
    void everyObjectHasTheRecommendedLabelsAndTheCommonOnes() throws IOException {
        assertThat(rendered(MONITORED))
                .allSatisfy(object -> assertThat(labels(object))
                        .as("%s", object)
                        .containsEntry("app.kubernetes.io/name", "cle-coordinator")
                        .containsEntry("app.kubernetes.io/instance", "cle")
                        .containsEntry("app.kubernetes.io/managed-by", "Helm")
                        .containsEntry("app.kubernetes.io/part-of", "coordinated-leader-election")
                        .containsEntry("team", "platform")
                        .containsKeys("app.kubernetes.io/version", "helm.sh/chart"));
    }

    @Test
    void thePodIsWhatAPlatformTeamAsksFor() throws IOException {
        Map<String, Object> deployment = object(rendered(PLATFORM_VALUES), "Deployment");
        Map<String, Object> pod = at(deployment, "spec", "template", "spec");
        Map<String, Object> container = at(pod, "containers", 0);

        assertThat(Manifests.<Map<String, Object>>at(deployment, "spec", "template", "metadata", "labels"))
                .containsEntry("a", "b")
                .containsEntry("team", "platform");
        assertThat(Manifests.<Map<String, Object>>at(deployment, "spec", "template", "metadata", "annotations"))
                .containsEntry("c", "d")
                .containsEntry("prometheus.io/port", "8081");
        assertThat(pod)
                .containsEntry("serviceAccountName", "coordinator")
                .containsEntry("imagePullSecrets", List.of(Map.of("name", "internal")))
                .containsEntry("priorityClassName", "system-cluster-critical")
                .doesNotContainKey("topologySpreadConstraints")
                .containsEntry(
                        "securityContext",
                        Map.of(
                                "fsGroup",
                                1000,
                                "runAsNonRoot",
                                true,
                                "seccompProfile",
                                Map.of("type", "RuntimeDefault")));
        assertThat(container)
                .containsEntry("image", "registry.internal/cle/coordinator@sha256:" + "0".repeat(64))
                .containsEntry(
                        "resources",
                        Map.of(
                                "requests", Map.of("cpu", "100m", "memory", "384Mi"),
                                "limits", Map.of("cpu", "2", "memory", "1Gi")));
        assertThat(Manifests.<Map<String, Object>>at(container, "securityContext"))
                .containsEntry("readOnlyRootFilesystem", true)
                .containsEntry("allowPrivilegeEscalation", false);
        assertThat(Manifests.<List<Object>>at(container, "volumeMounts"))
                .contains(
                        Map.of("name", "tmp", "mountPath", "/tmp"),
                        Map.of("name", "strategies", "mountPath", "/strategies"));
        assertThat(Manifests.<List<Object>>at(pod, "volumes"))
                .contains(Map.of("name", "strategies", "emptyDir", Map.of()));
    }

    @Test
    void aProcessThatIsOutOfMemoryEnds() throws IOException {
        assertThat(environment(rendered("{}")))
                .filteredOn(variable -> "JAVA_TOOL_OPTIONS".equals(at(variable, "name")))
                .singleElement()
                .satisfies(variable ->
                        assertThat(Manifests.<String>at(variable, "value")).contains("-XX:+ExitOnOutOfMemoryError"));
    }

    @Test
    void aVariableOfTheUserReplacesTheOneOfTheSameName() throws IOException {
        assertThat(environment(rendered(PLATFORM_VALUES)))
                .filteredOn(variable -> "JAVA_TOOL_OPTIONS".equals(at(variable, "name")))
                .containsExactly(Map.of("name", "JAVA_TOOL_OPTIONS", "value", "-Xmx256m"));
    }

    @Test
    void theServiceAccountIsBoundUnderItsName() throws IOException {
        List<Map<String, Object>> objects = rendered(PLATFORM_VALUES);

        Map<String, Object> account = object(objects, "ServiceAccount");
        assertThat(Manifests.<String>at(account, "metadata", "name")).isEqualTo("coordinator");
        assertThat(Manifests.<Object>at(account, "metadata", "annotations"))
                .isEqualTo(Map.of("eks.amazonaws.com/role-arn", "x"));
        assertThat(objects)
                .filteredOn(object -> object.get("kind").toString().endsWith("RoleBinding"))
                .hasSize(2)
                .allSatisfy(binding -> assertThat(Manifests.<String>at(binding, "subjects", 0, "name"))
                        .isEqualTo("coordinator"));
    }

    @Test
    void prometheusFindsMonitorsAndRulesByItsLabel() throws IOException {
        assertThat(rendered(MONITORED))
                .filteredOn(object -> object.get("apiVersion").toString().startsWith("monitoring.coreos.com/"))
                .hasSize(3)
                .allSatisfy(object -> assertThat(labels(object)).containsEntry("release", "kube-prometheus-stack"));
        assertThat(render(MONITORED)).containsPattern("interval: 30s");
    }

    @Test
    void theCoordinatorReachesAnApiServerOnItsPort() throws IOException {
        List<Map<String, Object>> egress = at(object(rendered(PLATFORM_VALUES), "NetworkPolicy"), "spec", "egress");

        assertThat(Manifests.<List<Map<String, Object>>>at(egress.get(1), "ports"))
                .extracting(port -> port.get("port"))
                .containsExactly(443, 8443);
    }

    @Test
    void aConstraintOfTopologyIsAboutTheReleasesPods() throws IOException {
        Map<String, Object> constraint =
                at(object(rendered("{}"), "Deployment"), "spec", "template", "spec", "topologySpreadConstraints", 0);

        assertThat(Manifests.<Map<String, Object>>at(constraint, "labelSelector", "matchLabels"))
                .containsOnly(
                        Map.entry("app.kubernetes.io/name", "cle-coordinator"),
                        Map.entry("app.kubernetes.io/instance", "cle"));
    }

    /** Each has the namespaces of its own list; the CRDs are the first one's. */
    @Test
    void twoReleasesHaveNoObjectInCommonEvenInOneNamespace() throws IOException {
        List<Map<String, Object>> first = rendered("{namespaces: [shop], admissionPolicy: {enabled: true},"
                + " monitoring: {prometheusRule: {enabled: true}, dashboard: {enabled: true}}}");
        List<Map<String, Object>> second = Manifests.documents(render(
                folder,
                "second",
                NAMESPACE,
                "{crds: {install: false}, namespaces: [billing], admissionPolicy: {enabled: true},"
                        + " monitoring: {prometheusRule: {enabled: true}, dashboard: {enabled: true}}}"));

        assertThat(second)
                .extracting(HelmChartTest::id)
                .doesNotContainAnyElementsOf(
                        first.stream().map(HelmChartTest::id).toList());
        assertThat(replicaLease(first)).isEqualTo("coordinated-election-controller");
        assertThat(replicaLease(second)).isEqualTo("coordinated-election-controller-second-cle-coordinator");
        assertThat(environment(second))
                .contains(Map.of(
                        "name", "CLE_COORDINATOR_REPLICA_LEASE",
                        "value", "coordinated-election-controller-second-cle-coordinator"));
        assertThat(environment(second))
                .filteredOn(variable -> "CLE_COORDINATOR_PAGE_HOSTS".equals(at(variable, "name")))
                .singleElement()
                .asString()
                .contains("second-cle-coordinator.cle-system.svc");
        Map<String, Object> selector = at(object(second, "Deployment"), "spec", "selector", "matchLabels");
        assertThat(selector).isNotEqualTo(at(object(first, "Deployment"), "spec", "selector", "matchLabels"));
        for (String[] selecting : new String[][] {
            {"Service", "selector"}, {"NetworkPolicy", "podSelector"}, {"PodDisruptionBudget", "selector"}
        }) {
            Map<String, Object> selects = at(object(second, selecting[0]), "spec", selecting[1]);
            assertThat(selects.getOrDefault("matchLabels", selects)).isEqualTo(selector);
        }
    }

    private static String replicaLease(List<Map<String, Object>> objects) {
        return at(object(objects, "Role"), "rules", 0, "resourceNames", 0);
    }

    /** An administrator installs kinds and rights once; a team installs the rest with rights in its own namespace. */
    @Test
    void withoutKindsAndRightsOnlyTheNamespaceOfTheReleaseIsWrittenTo() throws IOException {
        assertThat(rendered("{crds: {install: false}, rbac: {create: false}, namespaces: [shop]}"))
                .extracting(HelmChartTest::id)
                .containsExactlyInAnyOrder(
                        "ServiceAccount cle-system/cle-coordinator",
                        "Deployment cle-system/cle-coordinator",
                        "Service cle-system/cle-coordinator",
                        "NetworkPolicy cle-system/cle-coordinator",
                        "PodDisruptionBudget cle-system/cle-coordinator");
    }

    /** A server older than 1.30 refuses the field, or drops it. */
    @Test
    void objectsCanBeSelectedByTheirFieldsWhereTheServerKnowsThat() throws IOException {
        Path values = Files.writeString(folder.resolve("values.yaml"), "{}");
        String current = new Helm(Manifests.HELM)
                .template()
                .withName("cle")
                .withNamespace(NAMESPACE)
                .withKubeVersion("1.31.0")
                .withValuesFile(values)
                .call();
        String old = new Helm(Manifests.HELM)
                .template()
                .withName("cle")
                .withNamespace(NAMESPACE)
                .withKubeVersion("1.30.9")
                .withValuesFile(values)
                .call();

        assertThat(selectableFields(current)).isEqualTo(SELECTABLE_FIELDS);
        assertThat(old).doesNotContain("selectableFields");
    }

    /** Returns those of each kind in a manifest. */
    static Map<String, Object> selectableFields(String manifest) {
        return Manifests.documents(manifest).stream()
                .filter(object -> "CustomResourceDefinition".equals(object.get("kind")))
                .collect(Collectors.toMap(
                        crd -> at(crd, "spec", "names", "plural"),
                        crd -> at(crd, "spec", "versions", 0, "selectableFields")));
    }

    @Test
    void applicationsMayMarkPodsIfThatIsAskedForAlone() throws IOException {
        String rule = "resources: [pods]\n    verbs: [patch]";

        assertThat(render("{}")).doesNotContain(rule);
        assertThat(render("rbac: {leaderPod: true}")).contains(rule);
    }

    @Test
    void aSingleReplicaHasNoDisruptionBudgetThatBlocksItsNode() throws IOException {
        assertThat(rendered("replicas: 1"))
                .extracting(object -> object.get("kind"))
                .doesNotContain("PodDisruptionBudget");
    }

    @Test
    void theChartDescribesItselfAsThePomDoes() throws IOException {
        Map<String, Object> chart =
                Manifests.documents(Manifests.HELM.resolve("Chart.yaml")).get(0);
        String pom = Manifests.read(Path.of("../pom.xml"));
        String home = at(chart, "home");

        assertThat(pom).contains("<project.home>" + home + "</project.home>");
        assertThat(pom).contains("<version>" + chart.get("version") + "</version>");
        assertThat(chart).containsEntry("appVersion", chart.get("version")).containsEntry("sources", List.of(home));
        assertThat(Manifests.<String>at(chart, "icon")).startsWith(home);
        assertThat(Manifests.<String>at(chart, "kubeVersion")).isEqualTo(">=1.20.0-0");
        assertThat(new Helm(Manifests.HELM).lint().strict().call().isFailed()).isFalse();
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
                .isEqualTo(Manifests.documents(Manifests.SHARED.resolve("observability/alerts.yaml"))
                        .get(0));
        assertThat(Manifests.<String>at(object(objects, "ConfigMap"), "data", "cle.json"))
                .isEqualTo(Manifests.read(Manifests.SHARED.resolve("observability/dashboard.json")));
        assertThat(objects).extracting(object -> object.get("kind")).contains("ServiceMonitor", "PodMonitor");
    }

    @Test
    void alertsLeadToTheDocumentationThatAPlatformTeamPublishes() throws IOException {
        String rules = render(
                "monitoring: {prometheusRule: {enabled: true}, runbookUrl: \"https://runbooks.example.com/cle\"}");

        assertThat(rules)
                .contains("runbook_url: https://runbooks.example.com/cle/runbook.md#leasewithoutleader")
                .doesNotContain("/blob/main/docs");
    }

    @Test
    void whatIsSwitchedOffIsNotRendered() throws IOException {
        assertThat(rendered("{crds: {install: false}, rbac: {aggregate: false}, networkPolicy: {enabled: false},"
                        + " podDisruptionBudget: {enabled: false}}"))
                .extracting(object -> object.get("kind"))
                .doesNotContain("CustomResourceDefinition", "NetworkPolicy", "PodDisruptionBudget")
                .contains("Deployment");
        assertThat(render("rbac: {aggregate: false}")).doesNotContain("aggregate-to-");
    }

    @Test
    void imageResourcesProbesAndHostsOfThePageAreTheValues() throws IOException {
        List<Map<String, Object>> objects = rendered("""
                image: {repository: registry.example.com/cle-coordinator, tag: "1.0.0"}
                imagePullSecrets: [{name: registry}]
                replicas: 3
                page: {hosts: [elections.example.com]}
                extraEnv: [{name: CLE_COORDINATOR_FORMAT, value: crd}]
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
                .containsEntry(
                        "resources",
                        Map.of(
                                "requests", Map.of("cpu", "50m", "memory", "384Mi"),
                                "limits", Map.of("cpu", "2", "memory", "768Mi")));
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

    /** A server before 1.26 refuses the field, and one of 1.26 drops it. */
    @Test
    void aReplicaThatIsNotReadyCanBeEvictedWhereTheServerKnowsThat() throws IOException {
        assertThat(renderedFor("1.27.0"))
                .filteredOn(object -> "PodDisruptionBudget".equals(object.get("kind")))
                .singleElement()
                .satisfies(budget -> assertThat(Manifests.<String>at(budget, "spec", "unhealthyPodEvictionPolicy"))
                        .isEqualTo("AlwaysAllow"));
        assertThat(renderedFor("1.26.15").toString())
                .contains("PodDisruptionBudget")
                .doesNotContain("AlwaysAllow");
    }

    private List<Map<String, Object>> renderedFor(String kubernetes) throws IOException {
        return Manifests.documents(new Helm(Manifests.HELM)
                .template()
                .withName("cle")
                .withNamespace(NAMESPACE)
                .withKubeVersion(kubernetes)
                .withValuesFile(Files.writeString(folder.resolve("values.yaml"), "{}"))
                .call());
    }

    /** As with {@code dependencies: [{name: cle-coordinator, condition: cle-coordinator.enabled}]} in a platform's own chart. */
    @Test
    void theChartIsAPartOfAnotherOneWithACondition() throws IOException {
        Path parent = Files.createDirectories(folder.resolve("platform"));
        Files.writeString(parent.resolve("Chart.yaml"), """
                apiVersion: v2
                name: platform
                version: 1.0.0
                dependencies: [{name: cle-coordinator, version: ">=0.0.0-0", condition: cle-coordinator.enabled}]
                """);
        Files.writeString(
                Files.createDirectories(parent.resolve("templates")).resolve("own.yaml"),
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: own}}");
        Path part = parent.resolve("charts/cle-coordinator");
        Files.createDirectories(part.getParent());
        try (Stream<Path> files = Files.walk(Manifests.HELM)) {
            for (Path file : files.toList()) {
                Files.copy(file, part.resolve(Manifests.HELM.relativize(file).toString()));
            }
        }

        assertThat(asPart(parent, true))
                .extracting(object -> object.get("kind"))
                .contains("Deployment");
        assertThat(asPart(parent, false))
                .extracting(object -> object.get("kind"))
                .containsExactly("ConfigMap");
    }

    private List<Map<String, Object>> asPart(Path parent, boolean enabled) throws IOException {
        Path values = Files.writeString(
                folder.resolve("values.yaml"),
                "global: {imageRegistry: registry.internal}\ncle-coordinator: {enabled: %s}\n".formatted(enabled));
        return Manifests.documents(new Helm(parent)
                .template()
                .withName("platform")
                .withNamespace(NAMESPACE)
                .withValuesFile(values)
                .call());
    }

    /** The chart's README publishes the page through a proxy in the coordinator's pod: values of the chart, a Service and a NetworkPolicy. */
    @Test
    void theProxyOfThePageIsInThePodAndIsReached() throws IOException {
        List<String> manifests = Pattern.compile("(?ms)^```yaml\\n(.*?)^```$")
                .matcher(Manifests.read(Manifests.HELM.resolve("README.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
        Map<String, Object> template = at(object(rendered(manifests.get(0)), "Deployment"), "spec", "template");
        List<Map<String, Object>> containers = at(template, "spec", "containers");
        List<Map<String, Object>> objects = Manifests.documents(manifests.get(1));

        assertThat(containers).hasSize(2);
        String port = at(containers.get(1), "ports", 0, "name");
        Map<String, Object> service = object(objects, "Service");
        assertThat(Manifests.<String>at(service, "spec", "ports", 0, "targetPort"))
                .isEqualTo(port);
        Map<String, Object> policy = object(objects, "NetworkPolicy");
        assertThat(Manifests.<String>at(policy, "spec", "ingress", 0, "ports", 0, "port"))
                .isEqualTo(port);
        assertThat(Manifests.<Map<String, Object>>at(template, "metadata", "labels"))
                .containsAllEntriesOf(at(service, "spec", "selector"))
                .containsAllEntriesOf(at(policy, "spec", "podSelector", "matchLabels"));
    }

    /** A RoleBinding's role can't be changed, so a cluster may see only one role by each name. */
    @Test
    void theNotesCreateNoBindingThatTheExampleOfAnApplicationHas() throws IOException {
        String created = Pattern.compile("kubectl create rolebinding (\\S+) ")
                .matcher(Manifests.read(Manifests.HELM.resolve("templates/NOTES.txt")))
                .results()
                .map(match -> match.group(1))
                .findFirst()
                .orElseThrow();

        assertThat(Stream.of("application", "direct-lock", "legacy-lock")
                        .flatMap(one -> Manifests.files(one).stream())
                        .flatMap(file -> Manifests.documents(file).stream())
                        .filter(object -> "RoleBinding".equals(object.get("kind")))
                        .map(binding -> Manifests.<String>at(binding, "metadata", "name")))
                .isNotEmpty()
                .doesNotContain(created);
        assertThat(Manifests.read(Manifests.HELM.resolve("templates/rbac.yaml")))
                .contains("kubectl create rolebinding " + created + " ");
    }

    @Test
    void aValueThatIsMisspeltIsRefused() {
        assertThatThrownBy(() -> render("namespace: [shop]")).hasMessageContaining("namespace");
    }
}

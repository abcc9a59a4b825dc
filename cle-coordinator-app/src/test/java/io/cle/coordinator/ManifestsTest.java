package io.cle.coordinator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.cle.RevokeReason;
import io.cle.Timings;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.cle.coordinator.Manifests.at;
import static org.assertj.core.api.Assertions.assertThat;

/** The manifests and the image agree with the application and with each other. */
class ManifestsTest {

    private static final String POM = Manifests.read(Path.of("pom.xml"));

    @Nested
    class ReasonsOfRevocations {

        private static final Set<RevokeReason> HANDED_OVER =
                EnumSet.of(RevokeReason.END_OF_TERM, RevokeReason.RESIGNED, RevokeReason.STOPPED);

        private static String tag(RevokeReason reason) {
            return reason.name().toLowerCase(Locale.ROOT);
        }

        @ParameterizedTest
        @EnumSource
        void reasonsOfRevocationsAreExplained(RevokeReason reason) {
            assertThat(Manifests.read(Path.of("../docs/metrics.md"))).contains("`" + tag(reason) + "`");
            assertThat(Manifests.read(Path.of("../docs/runbook.md"))).contains("`" + tag(reason) + "`");
        }

        @ParameterizedTest
        @EnumSource
        void reasonsOfRevocationsAreAlertedOfIfTheLeaseWasLost(RevokeReason reason) {
            boolean lost = !HANDED_OVER.contains(reason);
            String alerts = Manifests.read(Manifests.SHARED.resolve("observability/alerts.yaml"));
            String selector = first(alerts, "cle_revocations_total\\{reason=~\"([^\"]+)\"}");
            assertThat(List.of(selector.split("\\|")).contains(tag(reason))).isEqualTo(lost);
            assertThat(alerts.contains(tag(reason) + ": ")).isEqualTo(lost);
            assertThat(Manifests.read(Manifests.SHARED.resolve("observability/dashboard.json"))
                            .contains(tag(reason)))
                    .isEqualTo(lost);
        }
    }

    @Nested
    class Kustomizations {

        @Test
        void kustomizationsReferToEveryManifest() {
            for (Path kustomization : Manifests.files("").stream()
                    .filter(file -> file.endsWith("kustomization.yaml"))
                    .toList()) {
                Map<String, Object> content = Manifests.documents(kustomization).get(0);
                Set<String> referred = new TreeSet<>();
                for (String list : List.of("resources", "components")) {
                    referred.addAll(cast(content.getOrDefault(list, List.of())));
                }
                for (Object patch : (List<?>) content.getOrDefault("patches", List.of())) {
                    if (patch instanceof Map<?, ?> one && one.get("path") instanceof String path) {
                        referred.add(path);
                    }
                }
                Path folder = kustomization.getParent();
                assertThat(referred)
                        .allSatisfy(name -> assertThat(folder.resolve(name)).exists());
                assertThat(manifestsIn(folder)).as("%s", folder).isSubsetOf(referred);
            }
        }

        @Test
        void kustomizationsNameTheImageThatTheBuildMakes() {
            String name = first(POM, "<image>([^<:]+):\\$\\{project.version}</image>");

            assertThat(Manifests.<String>at(Manifests.container(), "image")).isEqualTo(name + ":" + version());
            assertThat(Manifests.documents(Manifests.HELM.resolve("values.yaml")))
                    .allSatisfy(values -> assertThat(Manifests.<String>at(values, "image", "repository"))
                            .isEqualTo(name));
        }

        /** Otherwise a replica could renew its lease without electing (protocol.md#requests-and-limits). */
        @Test
        void kustomizationsAndTheImageEndAProcessThatIsOutOfMemory() {
            String flag = "-XX:+ExitOnOutOfMemoryError";

            assertThat(first(POM, "<jvmFlag>([^<]+)</jvmFlag>")).isEqualTo(flag);
            assertThat(Manifests.<List<Object>>at(Manifests.container(), "env"))
                    .filteredOn(variable -> "JAVA_TOOL_OPTIONS".equals(Manifests.at(variable, "name")))
                    .singleElement()
                    .satisfies(variable ->
                            assertThat(Manifests.<String>at(variable, "value")).contains(flag));
            assertThat(Manifests.read(Manifests.FOLDER.resolve("install.yaml"))).contains(flag);
        }

        @Test
        void kustomizationsAndTheChartNeedNoSymbolicLinks() throws IOException {
            try (Stream<Path> files = Files.walk(Manifests.FOLDER)) {
                assertThat(files.filter(Files::isSymbolicLink))
                        .as("a checkout on Windows has none")
                        .isEmpty();
            }
        }

        /** Returns a folder's own manifests, without the generated one that renders all of them. */
        private List<String> manifestsIn(Path folder) {
            return Manifests.files("").stream()
                    .filter(file -> folder.equals(file.getParent()))
                    .map(file -> file.getFileName().toString())
                    .filter(name ->
                            !List.of("kustomization.yaml", "install.yaml").contains(name))
                    .filter(name -> name.endsWith(".yaml"))
                    .toList();
        }
    }

    @Nested
    class InstallYaml {

        @Test
        void installYamlIsWhatTheFolderRendersTo() {
            List<Map<String, Object>> sources = Stream.of("helm/files/crds", "base", "all-namespaces")
                    .flatMap(folder -> Manifests.files(folder).stream())
                    .filter(file -> !file.endsWith("kustomization.yaml"))
                    .flatMap(file -> Manifests.documents(file).stream())
                    .toList();
            assertThat(Manifests.documents(Manifests.FOLDER.resolve("install.yaml")))
                    .as("run: kubectl kustomize cle-coordinator-app/deploy")
                    .containsExactlyInAnyOrderElementsOf(sources);
        }

        @Test
        void installYamlNamesTheImageOnce() {
            assertThat(Manifests.read(Manifests.FOLDER.resolve("install.yaml")).lines())
                    .filteredOn(line -> line.contains("image:"))
                    .hasSize(1);
        }
    }

    @Nested
    class Rights {

        /** RBAC can't restrict the creation of an object by its name. */
        @ParameterizedTest
        @CsvSource({
            "cle-coordinator-replica, leases.coordination.k8s.io, coordinated-election-controller",
            "orders-direct-lock, leases.coordination.k8s.io, orders",
            "orders-endpoints-lock, endpoints, orders",
            "orders-configmaps-lock, configmaps, orders"
        })
        void areOnOneObjectByItsName(String role, String resource, String name) {
            assertThat(granted(Manifests.object("Role", role)))
                    .containsExactlyInAnyOrder(
                            "create " + resource,
                            "get " + resource + " " + name,
                            "list " + resource + " " + name,
                            "patch " + resource + " " + name,
                            "watch " + resource + " " + name);
        }

        @Test
        void ofALeaderMigrationAreForBothServices() {
            assertThat(granted(Manifests.object("Role", "shop-to-billing")))
                    .isEqualTo(granted(Manifests.object("Role", "orders-direct-lock")).stream()
                            .map(right -> right.replace(" orders", " shop-to-billing"))
                            .collect(Collectors.toCollection(TreeSet::new)));
            assertThat(Manifests.<List<Map<String, String>>>at(
                            Manifests.object("RoleBinding", "shop-to-billing"), "subjects"))
                    .extracting(subject -> subject.get("name"))
                    .containsExactly("shop", "billing");
        }

        @Test
        void ofALeadersPodAreToMarkIt() {
            assertThat(granted(Manifests.object("Role", "orders-leader-pod"))).containsExactly("patch pods");
        }

        @Test
        void ofAnyApplicationAreThoseOfTheExampleWithoutTheNameOfTheLease() {
            Set<String> unnamed = granted(Manifests.object("Role", "orders-leader-election")).stream()
                    .map(right -> right.replace(" orders", ""))
                    .collect(Collectors.toCollection(TreeSet::new));

            assertThat(granted(Manifests.object("ClusterRole", "cle-application")))
                    .isEqualTo(unnamed);
        }

        @Test
        void inAllNamespacesAreGrantedWhereTheCoordinatorIsInstalledForAllNamespacesOnly() {
            for (String folder : List.of("base", "namespaces", "application", "helm/files")) {
                assertThat(kinds(folder)).as(folder).doesNotContain("ClusterRoleBinding");
            }
            assertThat(kinds("all-namespaces")).containsExactly("ClusterRoleBinding");
        }

        @Test
        void inAListOfNamespacesAreGrantedInTheNamespacesThatTheCoordinatorReads() {
            String listed = at(
                    Manifests.documents(Manifests.FOLDER.resolve("namespaces/namespaces.yaml"))
                            .get(0),
                    "spec",
                    "template",
                    "spec",
                    "containers",
                    0,
                    "env",
                    0,
                    "value");
            List<Map<String, Object>> bindings =
                    Manifests.documents(Manifests.FOLDER.resolve("namespaces/role-bindings.yaml"));

            assertThat(bindings)
                    .extracting(binding -> Manifests.<String>at(binding, "metadata", "namespace"))
                    .containsExactly(listed.split(","));
            assertThat(bindings).allSatisfy(ManifestsTest::bindsTheCoordinator);
        }

        @Test
        void rightsAreBoundToTheServiceAccountOfTheDeployment() {
            bindsTheCoordinator(Manifests.object("ClusterRoleBinding", "cle-coordinator"));
            bindsTheCoordinator(Manifests.object("RoleBinding", "cle-coordinator-replica"));
        }

        /** Otherwise the pods of an application that was given this role alone would not be admitted. */
        @ParameterizedTest
        @ValueSource(strings = {"application", "direct-lock", "legacy-lock"})
        void areBoundToServiceAccountsThatTheSameFolderCreates(String folder) {
            List<Map<String, Object>> objects = Manifests.files(folder).stream()
                    .flatMap(file -> Manifests.documents(file).stream())
                    .toList();
            Set<String> bound = objects.stream()
                    .filter(object -> "RoleBinding".equals(object.get("kind")))
                    .map(binding -> Manifests.<String>at(binding, "subjects", 0, "name"))
                    .collect(Collectors.toSet());

            assertThat(bound).isNotEmpty();
            assertThat(objects.stream()
                            .filter(object -> "ServiceAccount".equals(object.get("kind")))
                            .map(account -> Manifests.<String>at(account, "metadata", "name")))
                    .containsAll(bound);
        }

        private static List<String> kinds(String folder) {
            return Manifests.files(folder).stream()
                    .flatMap(file -> Manifests.documents(file).stream())
                    .map(document -> String.valueOf(document.get("kind")))
                    .filter(kind -> !List.of("Kustomization", "Component").contains(kind))
                    .toList();
        }
    }

    @Nested
    class CoordinatorPod {

        @Test
        void coordinatorPodHasAStandbyWhileOneIsDisrupted() {
            Map<String, Object> deployment = Manifests.object("Deployment", "cle-coordinator");
            Map<String, Object> budget = Manifests.object("PodDisruptionBudget", "cle-coordinator");

            assertThat(Manifests.<Integer>at(deployment, "spec", "replicas")).isEqualTo(2);
            assertThat(Manifests.<String>at(budget, "apiVersion")).isEqualTo("policy/v1");
            assertThat(Manifests.<Integer>at(budget, "spec", "minAvailable")).isEqualTo(1);
        }

        /** Otherwise a node with two unready replicas, such as ones without permissions, could never be drained. */
        @Test
        void coordinatorPodThatIsNotReadyKeepsNoNodeFromBeingDrained() {
            assertThat(Stream.of("base/coordinator.yaml", "install.yaml")
                            .flatMap(file -> Manifests.documents(Manifests.FOLDER.resolve(file)).stream())
                            .filter(object -> "PodDisruptionBudget".equals(object.get("kind"))))
                    .hasSize(2)
                    .allSatisfy(budget -> assertThat(Manifests.<Object>at(budget, "spec"))
                            .asString()
                            .contains("AlwaysAllow"));
        }

        @Test
        void coordinatorPodIsSelectedByEverythingThatSelectsIt() {
            Map<String, Object> deployment = Manifests.object("Deployment", "cle-coordinator");
            Map<String, String> labels = at(deployment, "spec", "template", "metadata", "labels");

            assertThat(Manifests.<Map<String, String>>at(deployment, "spec", "selector", "matchLabels"))
                    .isEqualTo(labels);
            assertThat(Manifests.<Map<String, String>>at(
                            Manifests.object("PodDisruptionBudget", "cle-coordinator"),
                            "spec",
                            "selector",
                            "matchLabels"))
                    .isEqualTo(labels);
            assertThat(Manifests.<Map<String, String>>at(
                            Manifests.object("NetworkPolicy", "cle-coordinator"), "spec", "podSelector", "matchLabels"))
                    .isEqualTo(labels);
            assertThat(Manifests.<Map<String, String>>at(
                            Manifests.object("Service", "cle-coordinator"), "spec", "selector"))
                    .isEqualTo(labels);
        }

        @Test
        void coordinatorPodIsRestricted() {
            Map<String, Object> pod = at(Manifests.object("Deployment", "cle-coordinator"), "spec", "template", "spec");
            Map<String, Object> container = Manifests.container();

            assertThat(Manifests.<Boolean>at(pod, "securityContext", "runAsNonRoot"))
                    .isTrue();
            assertThat(Manifests.<String>at(pod, "securityContext", "seccompProfile", "type"))
                    .isEqualTo("RuntimeDefault");
            assertThat(Manifests.<Boolean>at(container, "securityContext", "readOnlyRootFilesystem"))
                    .isTrue();
            assertThat(Manifests.<Boolean>at(container, "securityContext", "allowPrivilegeEscalation"))
                    .isFalse();
            assertThat(Manifests.<List<String>>at(container, "securityContext", "capabilities", "drop"))
                    .containsExactly("ALL");
            assertThat(Manifests.<String>at(container, "volumeMounts", 0, "mountPath"))
                    .isEqualTo("/tmp");
            assertThat(Manifests.<Map<String, String>>at(container, "resources", "limits"))
                    .containsKeys("cpu", "memory");
        }

        @Test
        void coordinatorPodOpensThePortOfProbesAndMetricsAlone() {
            Map<String, Object> port = at(Manifests.container(), "ports", 0);

            assertThat(Manifests.<List<?>>at(Manifests.container(), "ports")).hasSize(1);
            assertThat(Manifests.<List<Map<String, Object>>>at(Manifests.container(), "env"))
                    .contains(Map.of(
                            "name",
                            "MANAGEMENT_SERVER_PORT",
                            "value",
                            port.get("containerPort").toString()));
            for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                assertThat(Manifests.<String>at(Manifests.container(), probe, "httpGet", "port"))
                        .isEqualTo(port.get("name"));
            }
            assertThat(Manifests.<String>at(
                            Manifests.object("Service", "cle-coordinator"), "spec", "ports", 0, "targetPort"))
                    .isEqualTo(port.get("name"));
            assertThat(Manifests.<String>at(
                            Manifests.object("NetworkPolicy", "cle-coordinator"),
                            "spec",
                            "ingress",
                            0,
                            "ports",
                            0,
                            "port"))
                    .isEqualTo(port.get("name"));
        }
    }

    @Nested
    class ExampleOfAnApplication {

        private final Map<String, Object> pod =
                at(Manifests.object("Deployment", "orders"), "spec", "template", "spec");
        private final List<Map<String, Object>> environment = at(pod, "containers", 0, "env");

        @Test
        void exampleOfAnApplicationKnowsItsPod() {
            assertThat(environment.stream()
                            .filter(variable -> variable.containsKey("valueFrom"))
                            .collect(Collectors.toMap(
                                    variable -> variable.get("name"),
                                    variable -> Manifests.<String>at(variable, "valueFrom", "fieldRef", "fieldPath"))))
                    .isEqualTo(Map.of(
                            "POD_NAME", "metadata.name",
                            "POD_UID", "metadata.uid",
                            "POD_NAMESPACE", "metadata.namespace"));
        }

        @Test
        void exampleOfAnApplicationHasTheTimeToDrainToHandOverAndToShutDown() {
            Duration requests = Timings.DEFAULT.requestTimeout().multipliedBy(2);
            Duration jvm = Duration.ofSeconds(5);

            assertThat(Duration.ofSeconds(Manifests.<Integer>at(pod, "terminationGracePeriodSeconds")))
                    .isEqualTo(seconds("CLE_DRAIN_TIMEOUT")
                            .plus(requests)
                            .plus(seconds("SPRING_LIFECYCLE_TIMEOUT_PER_SHUTDOWN_PHASE"))
                            .plus(jvm));
        }

        @Test
        void exampleOfAnApplicationIsProbedOnItsManagementPort() {
            String port = variable("MANAGEMENT_SERVER_PORT");
            List<Map<String, Object>> ports = at(pod, "containers", 0, "ports");

            assertThat(ports)
                    .filteredOn(one -> one.get("name").equals("management"))
                    .extracting(one -> one.get("containerPort").toString())
                    .containsExactly(port);
            for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                assertThat(Manifests.<String>at(pod, "containers", 0, probe, "httpGet", "port"))
                        .isEqualTo("management");
            }
        }

        private Duration seconds(String name) {
            return Duration.ofSeconds(Long.parseLong(first(variable(name), "^(\\d+)s$")));
        }

        private String variable(String name) {
            return environment.stream()
                    .filter(variable -> variable.get("name").equals(name))
                    .map(variable -> variable.get("value").toString())
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void bindsTheCoordinator(Map<String, Object> binding) {
        Map<String, Object> deployment = Manifests.object("Deployment", "cle-coordinator");
        String account = at(deployment, "spec", "template", "spec", "serviceAccountName");

        assertThat(Manifests.object("ServiceAccount", account)).isNotEmpty();
        assertThat(Manifests.<String>at(binding, "roleRef", "name")).isEqualTo(at(binding, "metadata", "name"));
        assertThat(Manifests.<String>at(binding, "subjects", 0, "name")).isEqualTo(account);
        assertThat(Manifests.<String>at(binding, "subjects", 0, "namespace"))
                .isEqualTo(at(deployment, "metadata", "namespace"));
    }

    /** Returns one line per right: {@code verb resource.group}, and the name of the object if there is one. */
    private static Set<String> granted(Map<String, Object> role) {
        List<Map<String, List<String>>> rules = at(role, "rules");
        Set<String> rights = new TreeSet<>();
        for (Map<String, List<String>> rule : rules) {
            for (String group : rule.get("apiGroups")) {
                for (String resource : rule.get("resources")) {
                    for (String name : rule.getOrDefault("resourceNames", List.of(""))) {
                        rule.get("verbs")
                                .forEach(verb -> rights.add((verb + " "
                                                + (group.isEmpty() ? resource : resource + "." + group) + " " + name)
                                        .strip()));
                    }
                }
            }
        }
        return rights;
    }

    private static String version() {
        return first(POM, "<artifactId>cle-parent</artifactId>\\s*<version>([^<]+)</version>");
    }

    @SuppressWarnings("unchecked")
    private static List<String> cast(Object list) {
        return new ArrayList<>((List<String>) list);
    }

    private static String first(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }
}

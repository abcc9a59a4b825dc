package io.cle.coordinator;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.cle.api.ApiFormat;
import io.cle.kubernetes.AccessRight;
import io.cle.kubernetes.AccessRights;
import io.cle.kubernetes.DirectLock;
import org.junit.jupiter.api.Test;

import static io.cle.coordinator.Manifests.at;
import static org.assertj.core.api.Assertions.assertThat;

/** The manifests and the image agree with the application and with each other. */
class ManifestsTest {

    private static final String POM = Manifests.read(Path.of("pom.xml"));

    @Test
    void everyManifestIsPartOfTheKustomization() {
        List<String> resources = at(
                Manifests.documents(Manifests.FOLDER.resolve("kustomization.yaml"))
                        .get(0),
                "resources");
        List<String> crds = at(
                Manifests.documents(Manifests.FOLDER.resolve("crds/kustomization.yaml"))
                        .get(0),
                "resources");

        Set<String> named = Stream.concat(
                        resources.stream().filter(name -> !name.equals("crds")),
                        crds.stream().map(name -> "crds/" + name))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(resources).contains("crds");
        assertThat(Manifests.files())
                .map(file -> Manifests.FOLDER.relativize(file).toString())
                .filteredOn(name -> !name.endsWith("kustomization.yaml"))
                .containsExactlyInAnyOrderElementsOf(named);
    }

    @Test
    void theCoordinatorMayDoWhatItsPreflightAsksForAndNothingElse() {
        assertThat(granted("ClusterRole", "cle-coordinator"))
                .isEqualTo(asked(Stream.of(ApiFormat.values())
                        .flatMap(format -> AccessRights.ofCoordinator(format, List.of(), "cle-system").stream())));
    }

    @Test
    void theReplicasMayRaceForTheirOwnLease() {
        assertThat(granted("Role", "cle-coordinator-replica"))
                .isEqualTo(asked(AccessRights.ofRacer(DirectLock.LEASES, "cle-system").stream()));
    }

    @Test
    void anApplicationMayDoWhatItsPreflightAsksForAndNothingElse() {
        assertThat(granted("ClusterRole", "cle-application"))
                .isEqualTo(asked(Stream.of(ApiFormat.values())
                        .flatMap(format -> AccessRights.ofCandidate(format, "shop").stream())));
    }

    @Test
    void rolesAreBoundToTheServiceAccountOfTheDeployment() {
        Map<String, Object> deployment = Manifests.object("Deployment", "cle-coordinator");
        String account = at(deployment, "spec", "template", "spec", "serviceAccountName");

        assertThat(Manifests.object("ServiceAccount", account)).isNotEmpty();
        for (String binding : List.of("ClusterRoleBinding", "RoleBinding")) {
            String name = binding.startsWith("Cluster") ? "cle-coordinator" : "cle-coordinator-replica";
            Map<String, Object> bound = Manifests.object(binding, name);
            assertThat(Manifests.<String>at(bound, "roleRef", "name")).isEqualTo(name);
            assertThat(Manifests.<String>at(bound, "subjects", 0, "name")).isEqualTo(account);
            assertThat(Manifests.<String>at(bound, "subjects", 0, "namespace"))
                    .isEqualTo(at(deployment, "metadata", "namespace"));
        }
    }

    @Test
    void twoReplicasRunAndOneMayBeDisrupted() {
        Map<String, Object> deployment = Manifests.object("Deployment", "cle-coordinator");
        Map<String, Object> budget = Manifests.object("PodDisruptionBudget", "cle-coordinator");

        assertThat(Manifests.<Integer>at(deployment, "spec", "replicas")).isEqualTo(2);
        assertThat(Manifests.<String>at(budget, "apiVersion")).isEqualTo("policy/v1");
        assertThat(Manifests.<Integer>at(budget, "spec", "minAvailable")).isEqualTo(1);
        Map<String, String> labels = at(deployment, "spec", "template", "metadata", "labels");
        assertThat(Manifests.<Map<String, String>>at(deployment, "spec", "selector", "matchLabels"))
                .isEqualTo(labels);
        assertThat(Manifests.<Map<String, String>>at(budget, "spec", "selector", "matchLabels"))
                .isEqualTo(labels);
    }

    @Test
    void thePodIsRestricted() {
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
    void deploymentKustomizationAndBuildNameTheSameImage() {
        Map<String, Object> kustomization = Manifests.documents(Manifests.FOLDER.resolve("kustomization.yaml"))
                .get(0);
        String version = first(POM, "<artifactId>cle-parent</artifactId>\\s*<version>([^<]+)</version>");

        assertThat(Manifests.<String>at(Manifests.container(), "image"))
                .isEqualTo(at(kustomization, "images", 0, "name"));
        assertThat(Manifests.<String>at(kustomization, "images", 0, "newTag")).isEqualTo(version);
        assertThat(first(POM, "<name>([^<]+):\\$\\{project.version}</name>"))
                .isEqualTo(at(kustomization, "images", 0, "name"));
    }

    @Test
    void theDockerfileTakesTheJarOfTheBuildRunsAsNobodyAndOpensThePortOfTheProbes() {
        String dockerfile = Manifests.read(Path.of("Dockerfile"));
        String jar = "target/" + first(POM, "<artifactId>(cle-coordinator-app)</artifactId>") + ".jar";

        assertThat(dockerfile).contains("COPY " + jar + " ", "-Djarmode=tools", "extract --layers");
        assertThat(Manifests.read(Path.of(".dockerignore"))).contains("!" + jar);
        assertThat(first(dockerfile, "(?m)^USER (\\d+):\\d+$")).isNotEqualTo("0");
        assertThat(first(dockerfile, "(?m)^EXPOSE (\\d+)$"))
                .isEqualTo(Manifests.<Integer>at(Manifests.container(), "ports", 0, "containerPort")
                        .toString());
        assertThat(Manifests.<String>at(Manifests.container(), "ports", 0, "name"))
                .isEqualTo(at(Manifests.container(), "livenessProbe", "httpGet", "port"));
    }

    /** One line a right: {@code verb resource.group}. */
    private static Set<String> granted(String kind, String name) {
        List<Map<String, List<String>>> rules = at(Manifests.object(kind, name), "rules");
        Set<String> rights = new TreeSet<>();
        for (Map<String, List<String>> rule : rules) {
            for (String group : rule.get("apiGroups")) {
                for (String resource : rule.get("resources")) {
                    rule.get("verbs")
                            .forEach(verb ->
                                    rights.add(verb + " " + (group.isEmpty() ? resource : resource + "." + group)));
                }
            }
        }
        return rights;
    }

    private static Set<String> asked(Stream<AccessRight> rights) {
        return rights.flatMap(right -> right.verbs().stream().map(verb -> verb + " " + right.resource()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String first(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }
}

package io.cle.coordinator;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The manifests as {@code kubectl} takes them; skipped where there is no kubectl. */
@EnabledIf(value = "kubectlIsThere", disabledReason = "there is no kubectl on the path")
class AppliedManifestsTest {

    @TempDir
    Path folder;

    static boolean kubectlIsThere() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(entry -> Files.isExecutable(Path.of(entry, "kubectl")));
    }

    @Test
    void theKustomizationRendersEverythingIntoOneNamespaceWithTheTaggedImage() throws Exception {
        String rendered = kubectl("kustomize", Manifests.FOLDER.toString());

        assertThat(rendered)
                .contains("image: cle-coordinator:", "kind: PodDisruptionBudget", "name: cle-application")
                .contains("name: leasecandidates.coordination.cle.io", "name: leaseconfigurations.coordination.cle.io");
        assertThat(rendered.lines().filter(line -> line.strip().startsWith("namespace:")))
                .allMatch(line -> line.strip().equals("namespace: cle-system"));
    }

    @Test
    @EnabledIfRealApiServer
    void aRealApiServerTakesThemAll() throws Exception {
        // The API server that tests run against is older than policy/v1.
        String rendered = Stream.of(
                        kubectl("kustomize", Manifests.FOLDER.toString()).split("(?m)^---$"))
                .filter(document -> !document.contains("kind: PodDisruptionBudget"))
                .collect(Collectors.joining("---"));
        Path manifest = Files.writeString(folder.resolve("rendered.yaml"), rendered);

        String applied = kubectl(
                "--kubeconfig",
                RealApiServer.shared().kubeconfig().toString(),
                "apply",
                "--validate=false",
                "-f",
                manifest.toString());

        assertThat(applied)
                .contains(
                        "namespace/cle-system",
                        "deployment.apps/cle-coordinator created",
                        "clusterrole.rbac.authorization.k8s.io/cle-coordinator created",
                        "rolebinding.rbac.authorization.k8s.io/cle-coordinator-replica created",
                        "customresourcedefinition.apiextensions.k8s.io/leasecandidates.coordination.cle.io");
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

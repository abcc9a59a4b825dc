package io.cle.samples.firstleader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.InstallCommand;
import io.cle.test.apiserver.real.RealApiServer;

/**
 * A way to install the coordinator, as in docs/deploy.md. HelmChartTest, AppliedManifestsTest and ManifestsTest of the
 * coordinator compare the rendered manifests: all have the same roles; those for all namespaces have a
 * ClusterRoleBinding instead of RoleBindings.
 */
enum Installation {
    /** For a cluster that one team owns. */
    KUSTOMIZE_FOR_ALL_NAMESPACES(false),
    /** For a cluster that several teams share. */
    KUSTOMIZE_FOR_A_LIST_OF_NAMESPACES(true),
    /** Without a checkout. */
    INSTALL_YAML(false),
    HELM_FOR_ALL_NAMESPACES(false),
    HELM_FOR_A_LIST_OF_NAMESPACES(true);

    private static final Path DEPLOY = JarProcess.ROOT.resolve("cle-coordinator-app/deploy");

    private final boolean namespaced;

    Installation(boolean namespaced) {
        this.namespaced = namespaced;
    }

    /** Whether the coordinator coordinates in {@code shop} and {@code billing} only. */
    boolean namespaced() {
        return namespaced;
    }

    /** Installs the coordinator, of which nothing exists yet. For a list of namespaces, these must exist. */
    void install(RealApiServer server, Path folder) throws Exception {
        Kubectl kubectl = new Kubectl(server, folder);
        switch (this) {
            case KUSTOMIZE_FOR_ALL_NAMESPACES -> apply(kubectl, render(kubectl, DEPLOY));
            case KUSTOMIZE_FOR_A_LIST_OF_NAMESPACES -> apply(kubectl, render(kubectl, DEPLOY.resolve("namespaces")));
            case INSTALL_YAML -> apply(kubectl, Files.readString(DEPLOY.resolve("install.yaml")));
            case HELM_FOR_ALL_NAMESPACES -> helm(kubectl, "");
            case HELM_FOR_A_LIST_OF_NAMESPACES -> helm(kubectl, "namespaces: [shop, billing]");
        }
    }

    /** Renders an overlay of a folder with a component. */
    static String overlay(Kubectl kubectl, String name, String resource, String component)
            throws IOException, InterruptedException {
        Path overlay = Files.createDirectories(kubectl.folder().resolve(name)).toRealPath();
        Path deploy = overlay.relativize(DEPLOY.toRealPath());
        Files.writeString(
                overlay.resolve("kustomization.yaml"),
                "resources: [%s]\ncomponents: [%s]\n"
                        .formatted(deploy.resolve(resource).normalize(), deploy.resolve(component)));
        return render(kubectl, overlay);
    }

    private static String render(Kubectl kubectl, Path folder) throws IOException, InterruptedException {
        return kubectl.run("kustomize", folder.toString());
    }

    /**
     * Applies manifests as in docs/deploy.md: if the server is old, without objects that it doesn't serve, and without
     * validation of rules that it doesn't know.
     */
    static void apply(Kubectl kubectl, String manifests) throws IOException, InterruptedException {
        boolean old = !kubectl.serves("policy/v1");
        String taken = Stream.of(manifests.split("(?m)^---$"))
                .filter(manifest -> !old || !manifest.contains("kind: PodDisruptionBudget"))
                .collect(Collectors.joining("---"));
        kubectl.run(
                "apply",
                "--validate=" + !old,
                "-f",
                Files.writeString(kubectl.folder().resolve("applied.yaml"), taken)
                        .toString());
    }

    private static void helm(Kubectl kubectl, String values) throws IOException {
        boolean old = !kubectl.serves("policy/v1");
        Path file = Files.writeString(kubectl.folder().resolve("values.yaml"), values);
        InstallCommand install = new Helm(DEPLOY.resolve("helm"))
                .install()
                .withName("cle")
                .withNamespace("cle-system")
                .createNamespace()
                .withValuesFile(file)
                .withKubeConfig(kubectl.server().kubeconfig());
        if (old) {
            install.disableOpenApiValidation();
        }
        install.call();
    }
}

package io.cle.samples.firstleader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.cle.test.apiserver.CustomResourceDefinitions;
import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs the documentation's commands on a real API server, page by page, with the objects that the manifests ship
 * (CONTRIBUTING.md#commands-of-the-documentation). {@link Workloads} replaces the controllers that run Deployments.
 */
@EnabledIfRealApiServer
@EnabledIf(value = "kubectlIsThere", disabledReason = "there is no kubectl on the path")
@EnabledOnOs(value = OS.LINUX, disabledReason = "the commands are for a shell")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class CommandsOnApiServerTest {

    /** This page starts with an empty cluster. */
    private static final String DEPLOY = "docs/deploy.md";

    private static final String MANIFESTS = "cle-coordinator-app";

    /** The prerequisites of other pages: the coordinator and the application of deploy.md, and a leader that a coordinator has elected. */
    private static final String INSTALLED = """
            kubectl apply -k cle-coordinator-app/deploy/namespaces
            kubectl apply -k cle-coordinator-app/deploy/application
            kubectl wait --for=condition=Established crd/leasecandidates.coordination.cle.io
            """;

    private static final String LED = """
            kubectl apply -f - <<EOF
            apiVersion: coordination.k8s.io/v1
            kind: Lease
            metadata:
              name: orders
              namespace: shop
              annotations: {coordination.k8s.io/elected-by: coordinated-election-controller}
            spec: {holderIdentity: orders-a, leaseDurationSeconds: 15}
            ---
            apiVersion: coordination.cle.io/v1alpha1
            kind: LeaseCandidate
            metadata: {name: orders-a, namespace: shop}
            spec: {canLeadLease: shop/orders, strategy: OldestCompatibilityVersion, leaseDurationSeconds: 600, renewTime: "2026-01-01T00:00:00.000000Z"}
            EOF
            """;

    @TempDir
    static Path folder;

    private RealApiServer server;
    private Workloads workloads;
    private int minor;
    private boolean installed;

    static boolean kubectlIsThere() {
        boolean there = Programs.find("kubectl").isPresent();
        if (!there && Boolean.parseBoolean(System.getenv("CLE_REQUIRE_KUBECTL"))) {
            throw new IllegalStateException("CLE_REQUIRE_KUBECTL is set, and there is no kubectl on the path");
        }
        return there;
    }

    static Stream<String> pages() {
        List<String> pages = CommandBlock.all()
                .filter(CommandBlock::runs)
                .map(CommandBlock::page)
                .distinct()
                .toList();
        return Stream.concat(Stream.of(DEPLOY), pages.stream().filter(page -> !page.equals(DEPLOY)));
    }

    /** Commands run in a directory like a checkout with only the manifests, so that they don't write to this checkout. */
    @BeforeAll
    void startCluster() throws IOException {
        Files.createSymbolicLink(folder.resolve(MANIFESTS), JarProcess.ROOT.resolve(MANIFESTS));
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Path kubectl = Files.copy(Path.of("src/test/resources/kubectl"), bin.resolve("kubectl"));
        assertThat(kubectl.toFile().setExecutable(true)).isTrue();
        server = RealApiServer.start();
        CustomResourceDefinitions.all()
                .forEach(kind -> server.api()
                        .delete("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
                                + kind.getAsJsonObject("metadata").get("name").getAsString()));
        await().atMost(1, TimeUnit.MINUTES)
                .until(() ->
                        server.api().get("/apis/coordination.cle.io/v1alpha1").code() == 404);
        minor = Integer.parseInt(server.api().get("/version").at("minor").replaceAll("\\D.*", ""));
        workloads = new Workloads(server.api(), folder.resolve("waited"));
    }

    @AfterAll
    void stop() throws IOException {
        if (workloads != null) {
            workloads.close();
        }
        if (server != null) {
            server.close();
        }
        Files.deleteIfExists(folder.resolve(MANIFESTS));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyCommandOfThePageRuns(String page) {
        if (!page.equals(DEPLOY)) {
            assertThat(run((installed ? "" : INSTALLED) + LED)).isEmpty();
            installed = true;
        }
        SoftAssertions failures = new SoftAssertions();
        for (CommandBlock block : CommandBlock.of(page)) {
            if (block.runs() && isServed(block.marks().getOrDefault("needs", ""))) {
                failures.assertThat(run(block.marks().getOrDefault("before", "") + "\n" + block.text()))
                        .as("%s", block)
                        .isEmpty();
            }
        }
        failures.assertAll();
    }

    private boolean isServed(String needs) {
        return needs.isEmpty() || minor >= Integer.parseInt(needs.replace("Kubernetes 1.", ""));
    }

    /** Runs a script; returns its output if it failed, otherwise nothing. */
    private String run(String script) {
        workloads.awaitObserved();
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder("bash", "-euo", "pipefail", "-c", script)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment()
                .put("KUBECTL", Programs.find("kubectl").orElseThrow().toString());
        builder.environment().put("KUBECONFIG", server.kubeconfig().toString());
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("WAITED", folder.resolve("waited").toString());
        if (minor < 21) {
            builder.environment().put("OLD_SERVER", "true");
        }
        try {
            Process process = builder.start();
            boolean ended = process.waitFor(1, TimeUnit.MINUTES);
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
            return ended && process.exitValue() == 0
                    ? ""
                    : (ended ? "exit code " + process.exitValue() : "not ended after a minute") + "\n" + script + "\n"
                            + Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

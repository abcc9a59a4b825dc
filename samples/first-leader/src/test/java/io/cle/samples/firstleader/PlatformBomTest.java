package io.cle.samples.firstleader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The first application with Spring Cloud, whose BOM manages older versions of OkHttp and client-java. Its pom is that
 * of docs/first-leader.md with the import of docs/compatibility.md, alone and with Spring Cloud Kubernetes. Maven
 * resolves it with this build's artifacts.
 */
@EveryPlatform
@EnabledIfRealApiServer
class PlatformBomTest {

    private static final String VERSION = JarProcess.version();
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Pattern IMPORT = Pattern.compile("(?s)```xml\\n(<dependencyManagement>.*?)```");

    private static final String SPRING_CLOUD_KUBERNETES = """
            <dependency>
              <groupId>org.springframework.cloud</groupId>
              <artifactId>spring-cloud-starter-kubernetes-client-all</artifactId>
            </dependency>
            """;

    @TempDir
    private static Path folder;

    /** Class paths by application, resolved by one run of Maven. */
    private static Map<String, String> libraries;

    private static FirstApplication application;

    private final List<JarProcess> processes = new ArrayList<>();

    @BeforeAll
    static void resolve() throws Exception {
        application = FirstApplication.compile(folder);
        String pom = with(dependencyManagement(), Steps.firstLeader().file("pom.xml"), "(?m)^  <dependencies>");
        Map<String, String> poms = new LinkedHashMap<>();
        poms.put("bom", pom);
        poms.put("before", with(SPRING_CLOUD_KUBERNETES, pom, "(?m)^  </dependencies>"));
        poms.put("after", with(SPRING_CLOUD_KUBERNETES, pom, "(?m)(?<=^  <dependencies>\n)"));
        libraries = MavenLibraries.ofBuilt(folder.resolve("build"), poms, repository());
    }

    private static String with(String added, String pom, String at) {
        String changed = pom.replaceFirst(at, Matcher.quoteReplacement(added) + "$0");
        assertThat(changed).isNotEqualTo(pom);
        return changed;
    }

    @AfterEach
    void stop() {
        processes.forEach(JarProcess::close);
    }

    @Test
    void applicationLeadsBesideSpringCloudsBom() {
        leads("bom", "--cle.mode=kubernetes");
    }

    @Test
    void applicationLeadsBesideSpringCloudKubernetesDeclaredAfterTheStarter() {
        leads("before", "--spring.main.cloud-platform=kubernetes");
    }

    @Test
    void applicationLeadsBesideSpringCloudKubernetesDeclaredBeforeTheStarter() {
        leads("after", "--spring.main.cloud-platform=kubernetes");
    }

    @Test
    void applicationLeadsByItselfBesideSpringCloudKubernetes() {
        leadsWith("after", "--cle.mode=standalone");
    }

    private void leads(String name, String inCluster) {
        leadsWith(
                name,
                inCluster,
                "--cle.resource-lock=leases",
                "--cle.lease-name=" + name,
                "--spring.cloud.kubernetes.client.namespace=default");
    }

    /** Asserts that the application leads with the versions that Spring Cloud's BOM chooses. */
    private void leadsWith(String name, String... arguments) {
        assertThat(libraries.get(name)).contains("okhttp-4.12.0.jar", "client-java-24.", "commons-collections4-");
        JarProcess process = run(name, libraries.get(name), arguments);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(process.output()).contains("leading with fencing token ", "working"));
    }

    private static String dependencyManagement() {
        Matcher matcher = IMPORT.matcher(Pages.read("docs/compatibility.md"));
        assertThat(matcher.find()).as("the page shows the import").isTrue();
        return matcher.group(1);
    }

    /** Creates a repository with the artifacts that {@code ./mvnw install} would install. */
    private static Path repository() throws IOException {
        Path repository = folder.resolve("repository");
        install(repository, "cle-parent", Path.of("pom.xml"));
        for (String module : List.of("cle-core", "cle-spring-boot-autoconfigure", "cle-spring-boot-starter")) {
            install(repository, module, Path.of(module, "pom.xml"));
            Path jar = JarProcess.ROOT.resolve(module).resolve("target").resolve(module + "-" + VERSION + ".jar");
            Files.copy(jar, directory(repository, module).resolve(jar.getFileName()));
        }
        return repository;
    }

    private static void install(Path repository, String artifact, Path pom) throws IOException {
        Path directory = Files.createDirectories(directory(repository, artifact));
        Files.copy(JarProcess.ROOT.resolve(pom), directory.resolve(artifact + "-" + VERSION + ".pom"));
    }

    private static Path directory(Path repository, String artifact) {
        return repository.resolve("io/cle").resolve(artifact).resolve(VERSION);
    }

    private JarProcess run(String name, String libraries, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--server.port=0");
        String kubeconfig = RealApiServer.shared().kubeconfig().toString();
        JarProcess process = application.run(name, libraries, Map.of("KUBECONFIG", kubeconfig), all);
        processes.add(process);
        return process;
    }
}

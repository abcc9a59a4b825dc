package io.cle.samples.firstleader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The first application beside Spring Cloud's BOM, which manages OkHttp and client-java in older versions: its pom is that of docs/first-leader.md with the imports of
 * docs/compatibility.md, and Maven resolves it with this build's own artifacts. It joins a cluster by a kubeconfig.
 */
@EnabledIf(
        value = "wanted",
        disabledReason = "takes minutes: .ci/run sets CLE_EVERY_PLATFORM=true, with which ./mvnw verify runs it, too")
class PlatformBomTest {

    private static final String VERSION = JarProcess.version();
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Pattern CLE_BOM =
            Pattern.compile("(?s)\\s*<dependency>\\s*<groupId>io\\.cle</groupId>.*?</dependency>");
    private static final Pattern IMPORTS = Pattern.compile("(?s)```xml\\n(<dependencyManagement>.*?)```");
    private static final Pattern VERSION_PROPERTY = Pattern.compile("<((?:okhttp|client-java)[\\w.-]*)>(.*?)</\\1>");

    private final EmbeddedApiServer server = EmbeddedApiServer.start();
    private final List<JarProcess> processes = new ArrayList<>();

    @TempDir
    private static Path shared;

    private static FirstApplication application;

    @TempDir
    private Path folder;

    static boolean wanted() {
        return JarProcess.wantedOnEveryPlatform();
    }

    @BeforeAll
    static void compile() throws IOException {
        application = FirstApplication.compile(shared);
    }

    @AfterEach
    void stop() {
        processes.forEach(JarProcess::close);
        server.close();
    }

    @Test
    void applicationLeadsInAClusterIfCleBomIsImportedFirst() throws Exception {
        String libraries = libraries(imports());

        assertThat(libraries).contains("okhttp-jvm-5.", "client-java-27.").doesNotContain("okhttp-4.");
        JarProcess process = inCluster(libraries);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(process.output()).contains("leading with fencing token ", "working"));
    }

    @Test
    void applicationLeadsInAClusterOnSpringCloudsClientJavaIfOkHttpIsNewEnough() throws Exception {
        String okHttpOnly = imports()
                .replaceFirst(
                        "<groupId>io.cle</groupId>\\s*<artifactId>cle-bom</artifactId>\\s*<version>.*?</version>",
                        """
                        <groupId>com.squareup.okhttp3</groupId>
                        <artifactId>okhttp-bom</artifactId>
                        <version>%s</version>""".formatted(versions("pom.xml").get("okhttp.version")));
        String libraries = libraries(okHttpOnly);

        assertThat(libraries).contains("okhttp-jvm-5.", "client-java-24.");
        JarProcess process = inCluster(libraries);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(process.output()).contains("leading with fencing token ", "working"));
    }

    @Test
    void applicationWithoutCleBomFailsAtTheStartAndNamesArtifactVersionAndFixInEveryMode() throws Exception {
        String libraries = libraries(CLE_BOM.matcher(imports()).replaceFirst(""));

        assertThat(libraries).contains("okhttp-4.12.0.jar", "client-java-24.");
        for (JarProcess process :
                List.of(inCluster(libraries), run("standalone", libraries, "--cle.mode=standalone"))) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(process.output())
                            .contains(
                                    "APPLICATION FAILED TO START",
                                    "com.squareup.okhttp3:okhttp is on the class path in version 4.12.0",
                                    "import io.cle:cle-bom in <dependencyManagement> before the BOM"));
            assertThat(process.output()).doesNotContain("NoSuchMethodError");
        }
    }

    @Test
    void cleBomManagesTheVersionsThatTheBuildHas() {
        assertThat(versions("cle-bom/pom.xml"))
                .isNotEmpty()
                .allSatisfy((property, version) ->
                        assertThat(version).isEqualTo(versions("pom.xml").get(property)));
    }

    private static Map<String, String> versions(String pom) {
        return VERSION_PROPERTY
                .matcher(Pages.read(pom))
                .results()
                .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));
    }

    private static String imports() {
        Matcher matcher = IMPORTS.matcher(Pages.read("docs/compatibility.md"));
        assertThat(matcher.find()).as("the page shows the imports").isTrue();
        return matcher.group(1);
    }

    private String libraries(String imports) throws Exception {
        String pom = Steps.firstLeader().file("pom.xml");
        Path file = folder.resolve("pom.xml");
        Files.writeString(
                file,
                pom.replaceFirst("(?m)^  <dependencies>", Matcher.quoteReplacement(imports + "  <dependencies>")));
        return MavenLibraries.of(file, repository());
    }

    /** What {@code ./mvnw install} would put into the local repository. */
    private Path repository() throws IOException {
        Path repository = folder.resolve("repository");
        install(repository, "cle-parent", Path.of("pom.xml"));
        install(repository, "cle-bom", Path.of("cle-bom/target/flattened-pom.xml"));
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

    private JarProcess inCluster(String libraries) {
        return run("cluster", libraries, "--cle.mode=kubernetes", "--cle.resource-lock=leases");
    }

    private JarProcess run(String name, String libraries, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--server.port=0");
        Path kubeconfig = server.writeKubeconfig(folder.resolve(name + ".kubeconfig"));
        JarProcess process = application.run(name, libraries, Map.of("KUBECONFIG", kubeconfig.toString()), all);
        processes.add(process);
        return process;
    }
}

package io.cle.samples.firstleader;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.LoopbackPorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Runs the candidate, the coordinator and the starter's tests, compiled with this build's Spring Boot, on the previous
 * release line. Maven resolves the libraries, with the versions and exclusions of this project's poms; if no repository
 * can be reached, this test is skipped.
 */
@EveryPlatform
class SpringBoot40Test {

    private static final String VERSION = "4.0.9";
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>.*?</dependency>", Pattern.DOTALL);
    private static final Pattern OURS_OR_NOT_USED =
            Pattern.compile("<groupId>io\\.cle</groupId>|<scope>test</scope>|<optional>true</optional>");

    private static final Pattern OURS_OR_AHEAD_OF_TIME =
            Pattern.compile("<groupId>io\\.cle</groupId>|<artifactId>spring-core-test</artifactId>");
    private static final Pattern SUCCESSFUL = Pattern.compile("\\[ +(\\d+) tests successful +]");
    private static final List<String> PACKAGES = List.of("actuate", "event", "lock", "onleader");
    private static final List<String> CLASSES = List.of("CleAutoConfigurationTests", "CleBeansTests");

    /** In the version that Spring Boot manages. */
    private static final String CONSOLE_LAUNCHER =
            "<dependency><groupId>org.junit.platform</groupId><artifactId>junit-platform-console</artifactId></dependency>";

    private static final List<String> COORDINATOR = List.of(
            "cle-core",
            "cle-coordinator",
            "cle-spring-boot-autoconfigure",
            "cle-coordinator-web",
            "cle-coordinator-app");
    private static final List<String> CANDIDATE =
            List.of("cle-core", "cle-spring-boot-autoconfigure", "cle-spring-boot-starter", "samples/candidate");
    private static final List<String> TESTS =
            List.of("cle-core", "cle-coordinator", "cle-test", "cle-spring-boot-autoconfigure");

    @TempDir
    private static Path folder;

    /** Class paths by project, resolved by one run of Maven. */
    private static Map<String, String> libraries;

    private final EmbeddedApiServer server = EmbeddedApiServer.start();
    private final List<JarProcess> processes = new ArrayList<>();

    @BeforeAll
    static void resolve() throws Exception {
        libraries = MavenLibraries.of(
                folder.resolve("build"),
                Map.of(
                        "coordinator", pom(COORDINATOR, ""),
                        "candidate", pom(CANDIDATE, starter("actuator") + starter("webmvc")),
                        "tests", pom(TESTS, forTests("cle-spring-boot-autoconfigure") + CONSOLE_LAUNCHER)));
    }

    @AfterEach
    void stop() {
        processes.forEach(JarProcess::close);
        server.close();
    }

    @Test
    void theCoordinatorElectsTheCandidateWhoseEndpointAndHealthAreThere() throws Exception {
        int port = LoopbackPorts.free();
        JarProcess coordinator = run(
                "io.cle.coordinator.CoordinatorApplication", classPath("coordinator", COORDINATOR), "--server.port=0");
        JarProcess candidate = run(
                "io.cle.samples.candidate.CandidateApplication",
                classPath("candidate", CANDIDATE),
                "--server.port=" + port,
                "--cle.lease-name=orders",
                "--cle.fallback.enabled=false",
                "--logging.level.root=info",
                "--management.endpoints.web.exposure.include=*",
                "--management.endpoint.health.show-details=always");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(candidate.output())
                        .as("the candidate, with a coordinator that says: %s", coordinator.output())
                        .contains(" granted"));
        assertThat(get(port, "leaderelection/orders")).contains("\"role\":\"LEADER\"");
        assertThat(get(port, "health/leaderElection")).contains("\"status\":\"UP\"");
    }

    /** Runs the fast tests: of beans, events, led work, locks, endpoint, health and meters. */
    @Test
    void theStartersTestsPass() throws Exception {
        String module = "cle-spring-boot-autoconfigure";
        Path tests = JarProcess.ROOT.resolve(module).resolve("target/test-classes");
        assumeTrue(Files.exists(tests), "the starter's tests are not compiled: run ./mvnw verify");
        List<String> command = new ArrayList<>(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                tests + File.pathSeparator + classPath("tests", TESTS),
                "org.junit.platform.console.ConsoleLauncher",
                "execute",
                "--disable-banner",
                "--details=summary",
                // Lincheck needs a separate process, and closing applications wait for seconds.
                "--exclude-classname=.*(Lincheck|ClosingWhileLeading)Tests"));
        PACKAGES.forEach(name -> command.add("--select-package=io.cle.spring." + name));
        CLASSES.forEach(name -> command.add("--select-class=io.cle.spring." + name));
        JarProcess process =
                JarProcess.java(command, Map.of(), folder.resolve("tests.log"), JarProcess.ROOT.resolve(module));
        processes.add(process);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(process.output()).containsPattern(" tests failed +]"));
        assertThat(process.output())
                .containsPattern("\\[ +0 tests failed +]")
                .containsPattern("\\[ +0 containers failed +]");
        Matcher successful = SUCCESSFUL.matcher(process.output());
        assertThat(successful.find()).isTrue();
        assertThat(Integer.parseInt(successful.group(1))).isGreaterThan(100);
    }

    /** Returns a module's test and optional dependencies, in the versions that Spring Boot manages. */
    private static String forTests(String module) {
        return dependencies(List.of(module))
                .filter(dependency -> !OURS_OR_AHEAD_OF_TIME.matcher(dependency).find())
                .map(dependency -> dependency.replaceAll(
                        "<scope>test</scope>|<optional>true</optional>|<version>\\$\\{spring-integration.version}</version>",
                        ""))
                .collect(Collectors.joining("\n"));
    }

    private static String starter(String name) {
        return "<dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-" + name
                + "</artifactId></dependency>\n";
    }

    private JarProcess run(String main, String classPath, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath, main));
        command.addAll(List.of(arguments));
        command.add("--cle.kubernetes.base-url=" + server.url());
        JarProcess process = JarProcess.java(command, Map.of(), folder.resolve(main + ".log"), JarProcess.ROOT);
        processes.add(process);
        return process;
    }

    /** Returns the class path of modules and their dependencies, in the versions of {@link #VERSION}. */
    private static String classPath(String name, List<String> modules) {
        assertThat(libraries.get(name)).contains("spring-boot-" + VERSION + ".jar");
        return Stream.concat(
                        modules.stream()
                                .map(module -> JarProcess.ROOT.resolve(module).resolve("target/classes"))
                                .map(Path::toString),
                        Stream.of(libraries.get(name)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String pom(List<String> modules, String further) {
        String parent = Pages.read("pom.xml");
        String dependencies = dependencies(modules)
                .filter(dependency -> !OURS_OR_NOT_USED.matcher(dependency).find())
                .distinct()
                .collect(Collectors.joining("\n"));
        String properties = Stream.concat(Stream.of("pom.xml"), modules.stream().map(module -> module + "/pom.xml"))
                .map(path -> part(Pages.read(path), "properties"))
                .collect(Collectors.joining());
        return """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                <modelVersion>4.0.0</modelVersion>
                <groupId>io.cle</groupId><artifactId>orders</artifactId><version>1</version>
                <properties>%s<spring-boot.version>%s</spring-boot.version></properties>
                <dependencyManagement>%s</dependencyManagement>
                <dependencies>%s%s</dependencies>
                </project>
                """.formatted(
                        properties.replaceAll("<spring-boot.version>.*?</spring-boot.version>", ""),
                        VERSION,
                        part(parent, "dependencyManagement").replace("${project.version}", "1"),
                        dependencies,
                        further);
    }

    private static Stream<String> dependencies(List<String> modules) {
        return modules.stream()
                .map(module -> Pages.read(module + "/pom.xml"))
                .map(pom -> pom.replaceFirst("(?s)<build>.*", ""))
                .flatMap(pom -> DEPENDENCY.matcher(pom).results().map(MatchResult::group));
    }

    /** Returns the content of the first element of a name; empty if there is none. */
    private static String part(String pom, String element) {
        int begin = pom.indexOf("<" + element + ">");
        return begin < 0 ? "" : pom.substring(begin + element.length() + 2, pom.indexOf("</" + element + ">", begin));
    }

    private static String get(int port, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/" + path))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }
}

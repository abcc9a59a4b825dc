package io.cle.samples.firstleader;

import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.LoopbackPorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootVersion;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs the steps of docs/first-leader.md verbatim, in an empty directory: its files are compiled and run, its commands
 * are taken from the page. The test replaces Maven, and uses free ports.
 */
@EnabledIf(value = "built", disabledReason = "the executable jars are not built: run ./mvnw verify")
class FirstLeaderTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern ARGUMENTS = Pattern.compile("-Dspring-boot.run.arguments=\"?([^\"]+)\"?$");

    private final Steps steps = Steps.firstLeader();
    private final List<JarProcess> processes = new ArrayList<>();

    @TempDir
    Path orders;

    static boolean built() {
        return JarProcess.built();
    }

    @AfterEach
    void stop() {
        Collections.reverse(processes);
        processes.forEach(JarProcess::close);
    }

    @Test
    @BuildsApplications
    void leadsShowsItAndIsFollowedByTheSecondReplica() throws Exception {
        int cluster = LoopbackPorts.free();
        assertThat(steps.commands()).contains("java -jar samples/local-cluster/target/local-cluster.jar");
        start(JarProcess.start(
                JarProcess.LOCAL_CLUSTER,
                Map.of(),
                orders.resolve("cluster.log"),
                List.of("--port=" + cluster, "--elections-port=0")));
        FirstApplication application = FirstApplication.compile(orders);

        List<String> runs = steps.commands().stream()
                .filter(command -> command.startsWith("../mvnw spring-boot:run "))
                .toList();
        assertThat(runs).hasSize(2);
        int http = LoopbackPorts.free();
        JarProcess first = run(application, runs.get(0), cluster, http);
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(first.output()).contains("leading with fencing token ", "working", "tidying up"));

        String curl = steps.commands().stream()
                .filter(command -> command.startsWith("curl "))
                .findFirst()
                .orElseThrow();
        assertThat(role(curl.substring("curl ".length()).replace(":8080", ":" + http)))
                .isEqualTo("LEADER");

        int httpOfSecond = LoopbackPorts.free();
        JarProcess second = run(application, runs.get(1), cluster, httpOfSecond);
        await().atMost(PATIENCE).until(() -> second.output().contains("Started OrdersApplication"));
        assertThat(second.output()).doesNotContain("working", "tidying up");

        first.close();
        assertThat(first.output()).contains("no longer leading: STOPPED");
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(second.output()).contains("leading with fencing token ", "working", "tidying up"));
    }

    @Test
    void pomNamesTheVersionsThatTheBuildHas() throws Exception {
        Document pom = parse(steps.file("pom.xml"));

        assertThat(text(pom, "/project/parent/artifactId")).isEqualTo("spring-boot-starter-parent");
        assertThat(text(pom, "/project/parent/version")).isEqualTo(SpringBootVersion.getVersion());
        assertThat(text(pom, "//dependency[groupId='io.cle']/version")).isEqualTo(projectVersion());
    }

    @Test
    void pomHasTheDependenciesThatTheseTestsRunWith() throws Exception {
        List<String> ours = dependencies(parse(Files.readString(Path.of("pom.xml"))));

        assertThat(ours).containsAll(dependencies(parse(steps.file("pom.xml"))));
    }

    @Test
    void commandsNameJarsThatTheBuildMakes() {
        assertThat(Steps.of("README.md", "Try it").commands())
                .anySatisfy(command ->
                        assertThat(command).endsWith("java -jar samples/rolling-upgrade/target/rolling-upgrade.jar"));
        assertThat(JarProcess.LOCAL_CLUSTER).exists();
    }

    /** Runs the application like {@code spring-boot:run}, on other ports. */
    private JarProcess run(FirstApplication application, String command, int cluster, int http) {
        Matcher arguments = ARGUMENTS.matcher(command);
        assertThat(arguments.find()).as(command).isTrue();
        List<String> given = new ArrayList<>();
        for (String argument : arguments.group(1).split(" ")) {
            if (!argument.startsWith("--server.port=")) {
                given.add(argument.replace(":8001", ":" + cluster));
            }
        }
        given.add("--server.port=" + http);
        return start(application.run(String.valueOf(http), Map.of(), given));
    }

    private JarProcess start(JarProcess process) {
        processes.add(process);
        return process;
    }

    private static String role(String url) throws IOException, InterruptedException {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonObject leases =
                JsonParser.parseString(answer.body()).getAsJsonObject().getAsJsonObject("leases");
        return leases.getAsJsonObject("orders").get("role").getAsString();
    }

    private static List<String> dependencies(Document pom) throws Exception {
        NodeList found = (NodeList) xpath().evaluate("//dependencies/dependency", pom, XPathConstants.NODESET);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            names.add(xpath().evaluate("groupId", found.item(i)) + ":" + xpath().evaluate("artifactId", found.item(i)));
        }
        return names;
    }

    private static String projectVersion() throws Exception {
        return text(parse(Files.readString(Path.of("pom.xml"))), "/project/parent/version");
    }

    private static String text(Document document, String path) throws Exception {
        return xpath().evaluate(path, document);
    }

    private static XPath xpath() {
        return XPathFactory.newInstance().newXPath();
    }

    private static Document parse(String xml) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }
}

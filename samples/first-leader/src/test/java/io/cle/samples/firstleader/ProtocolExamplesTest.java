package io.cle.samples.firstleader;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import com.google.gson.Gson;
import io.cle.CoordinatedLeaseLock;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.coordinator.EmbeddedCoordinator;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The objects in docs/protocol.md and the response in leaderelection.json are those of an application that leads,
 * except for times, numbers, ids and sentences.
 */
class ProtocolExamplesTest {

    private static final Pattern BLOCK = Pattern.compile("(?s)```yaml\n(.*?)```");

    /** The fields that an API server adds to every object, and that {@code kubectl get -o yaml} also shows. */
    private static final Set<String> OF_THE_SERVER =
            Set.of("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields");

    /** Ids, and sentences, which tests of the endpoint compare. */
    private static final Set<String> NOT_COMPARED = Set.of("term", "write", "formatReason", "what");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        LedWork invoices() {
            return new LedWork();
        }
    }

    @Test
    void aLeaderHasTheCandidateTheLeaseAndTheAnswerOfThePage() throws Exception {
        List<Object> documented = documented();
        assertThat(documented).hasSize(3);
        try (EmbeddedApiServer server = EmbeddedApiServer.start();
                EmbeddedCoordinator coordinator = EmbeddedCoordinator.start(server.url());
                ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
                        .run(
                                "--spring.application.name=orders",
                                "--server.port=0",
                                "--server.address=127.0.0.1",
                                "--management.endpoints.web.exposure.include=leaderelection",
                                "--cle.namespace=shop",
                                "--cle.identity=7f9c-x2k",
                                "--cle.candidate.binary-version=1.29.0",
                                "--cle.candidate.compatibility-version=1.28.0",
                                "--cle.kubernetes.base-url=" + server.url())) {
            assertThat(coordinator).isNotNull();
            assertThat(application.getBean(CoordinatedLeaseLock.class).awaitLeadership(Duration.ofSeconds(30)))
                    .isTrue();
            int port =
                    ((WebServerApplicationContext) application).getWebServer().getPort();
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                assertSame(
                        get(server.url()
                                + "/apis/coordination.cle.io/v1alpha1/namespaces/shop/leasecandidates/orders-7f9c-x2k"),
                        documented.get(0));
                assertSame(
                        get(server.url() + "/apis/coordination.k8s.io/v1/namespaces/shop/leases/orders"),
                        documented.get(1));
                assertSame(get("http://127.0.0.1:" + port + "/actuator/leaderelection"), documented.get(2));
            });
        }
    }

    private static List<Object> documented() {
        List<Object> found = new ArrayList<>();
        String page = Pages.read("docs/protocol.md");
        int section = page.indexOf("## As YAML");
        for (String block : BLOCK.matcher(page.substring(section, page.indexOf("\n## ", section + 1)))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList()) {
            new Yaml().loadAll(block).forEach(found::add);
        }
        found.add(new Yaml().load(Pages.read("samples/first-leader/leaderelection.json")));
        return found;
    }

    private static void assertSame(String actual, Object documented) {
        assertThat(comparable("", new Gson().fromJson(actual, Object.class)))
                .as(actual)
                .isEqualTo(comparable("", documented));
    }

    private static Object comparable(String name, Object value) {
        if (value instanceof Map<?, ?> fields) {
            Map<String, Object> all = new TreeMap<>();
            fields.forEach((field, of) -> {
                if (!OF_THE_SERVER.contains(field)) {
                    all.put(String.valueOf(field), comparable(String.valueOf(field), of));
                }
            });
            return all;
        }
        if (value instanceof List<?> elements) {
            return elements.stream().map(element -> comparable("", element)).toList();
        }
        String text = String.valueOf(value);
        if (text.startsWith("{")) {
            return comparable("", new Gson().fromJson(text, Object.class));
        }
        if (NOT_COMPARED.contains(name)) {
            return "a text";
        }
        return text.replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "a time")
                .replaceAll("PT[0-9.HMS]+", "a duration")
                .replaceAll("[0-9.]*[0-9]", "a number");
    }

    private static String get(String url) throws Exception {
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(url).isEqualTo(200);
        return response.body();
    }
}

package io.cle.web;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageServerTest {

    private final FakeCoordinator coordinator = new FakeCoordinator();
    private final PageServer server = PageServer.start(0, coordinator);
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void forget() {
        coordinator.forget();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(30))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/leases/shop/orders"})
    void servesOnePageForTheOverviewAndForEachLease(String path) throws Exception {
        HttpResponse<String> answer = send("GET", path);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("/cle/page.js").doesNotContain("{base}");
        assertThat(answer.headers().firstValue("Content-Security-Policy")).hasValue(PageFilter.POLICY);
    }

    @Test
    void servesElectionsAsJson() throws Exception {
        coordinator.know(
                "shop", "orders", lease -> lease.candidate("a", "1.0.0").ledBy("a", Duration.ofMinutes(3)));

        assertThat(send("GET", "/actuator/elections").body()).contains("\"shop/orders\":{\"state\":\"led\"");
        assertThat(send("GET", "/actuator/elections/shop/orders").body())
                .contains("\"lease\":\"shop/orders\"", "\"knownSince\":\"2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/no/such", "/leases", "/leases/shop", "/cle/no.css", "/actuator/elections/no/such"})
    void answers404WhereThereIsNothing(String path) throws Exception {
        assertThat(send("GET", path).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/leases/shop/orders", "/actuator/elections", "/actuator/elections/shop/orders"})
    void changesNothing(String path) throws Exception {
        for (String method : new String[] {"POST", "PUT", "PATCH", "DELETE"}) {
            assertThat(send(method, path).statusCode()).as(method).isEqualTo(405);
        }
    }

    @Test
    void saysThatTheCoordinatorDoesNotAnswer() throws Exception {
        coordinator.answering(false);

        HttpResponse<String> answer = send("GET", "/actuator/elections");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("The coordinator doesn't answer", "has not answered within 5 s");
    }
}

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
class NoticesTest {

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

    private HttpResponse<String> send(String method, String path, String accept)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .header("Accept", accept)
                .timeout(Duration.ofSeconds(30))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/no/such", "/leases", "/leases/shop", "/leases/shop/orders/more", "/cle/no.css"})
    void sayInThePagesStyleThatNothingIsAtAnAddress(String path) throws Exception {
        HttpResponse<String> answer = send("GET", path, "text/html");

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body())
                .contains("There is no such page", "Nothing is at &#39;" + path + "&#39;", "/cle/page.css")
                .doesNotContain("Whitelabel");
        assertThat(answer.headers().firstValue("Content-Security-Policy"))
                .hasValue(CoordinatorPageAutoConfiguration.SecurityHeaders.POLICY);
    }

    @Test
    void escapeTheAddress() throws Exception {
        assertThat(send("GET", "/%3Cscript%3E", "text/html").body())
                .contains("There is no such page")
                .doesNotContain("<script>");
    }

    @Test
    void sayThatNothingCanBeChanged() throws Exception {
        HttpResponse<String> answer = send("POST", "/", "text/html");

        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.body()).contains("405 Method Not Allowed", "changes nothing");
    }

    @Test
    void areNotForPrograms() throws Exception {
        assertThat(send("GET", "/no/such", "application/json").body()).startsWith("{");
    }

    @Test
    void sayThatTheCoordinatorDoesNotAnswer() throws Exception {
        coordinator.answering(false);

        HttpResponse<String> answer = send("GET", "/", "text/html");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body())
                .contains("The coordinator doesn&#39;t answer", "has not answered within 5 s", "go on leading");
    }
}

package io.cle.samples.recipes;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import io.cle.CoordinatedLeaseLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

import static org.assertj.core.api.Assertions.assertThat;

/** HTTP requests to the endpoint of a leader. */
class EndpointSecurityTests {

    private static final String ANONYMOUS = "";
    private static final String READER = "reader";
    private static final String OPERATOR = "operator";
    private static final String SUCCESSOR = "{\"successor\": \"orders-b\"}";

    /** Leads until all tests have ended: no request of the tests that share it ends its term. */
    @AutoClose
    private static final ConfigurableApplicationContext SHARED = run();

    private final CoordinatedLeaseLock lock = Standalone.lock(SHARED);

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername(READER)
                            .password("{noop}secret")
                            .roles("READER")
                            .build(),
                    User.withUsername(OPERATOR)
                            .password("{noop}secret")
                            .roles("OPERATOR")
                            .build());
        }
    }

    private static ConfigurableApplicationContext run() {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .sources(EndpointSecurity.class)
                .web(WebApplicationType.SERVLET)
                .registerShutdownHook(false)
                .run(
                        "--spring.application.name=orders",
                        "--spring.main.banner-mode=off",
                        "--server.port=0",
                        "--server.address=127.0.0.1",
                        "--cle.mode=standalone",
                        "--cle.lease-duration=10m",
                        "--management.endpoints.web.exposure.include=leaderelection",
                        "--management.endpoint.leaderelection.access=unrestricted");
        Awaitility.await().until(Standalone.lock(context)::isLeader);
        return context;
    }

    private static HttpRequest.Builder request(String user, String query) {
        return request(SHARED, user, query);
    }

    private static HttpRequest.Builder request(ConfigurableApplicationContext context, String user, String query) {
        int port = ((WebServerApplicationContext) context).getWebServer().getPort();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + port + "/actuator/leaderelection/orders" + query));
        if (!user.isEmpty()) {
            String login = Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
            request.header("Authorization", "Basic " + login);
        }
        return request;
    }

    private static HttpRequest.Builder request(String user) {
        return request(user, "");
    }

    private static int statusOf(HttpRequest.Builder request) throws IOException, InterruptedException {
        return send(request).statusCode();
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder handingOver(HttpRequest.Builder request) {
        return request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(SUCCESSOR));
    }

    @Nested
    class WithoutALogin {

        @Test
        void isAnsweredWith401WithoutALogin() throws Exception {
            assertThat(statusOf(request(ANONYMOUS).GET())).isEqualTo(401);
            assertThat(statusOf(request(ANONYMOUS).DELETE())).isEqualTo(401);
            assertThat(statusOf(handingOver(request(ANONYMOUS)))).isEqualTo(401);
            assertThat(lock.isLeader()).isTrue();
        }
    }

    @Nested
    class AReader {

        @Test
        void aReaderMayRead() throws Exception {
            assertThat(statusOf(request(READER).GET())).isEqualTo(200);
        }

        @Test
        void aReaderMayNotEndATerm() throws Exception {
            assertThat(statusOf(request(READER).DELETE())).isEqualTo(403);
            assertThat(lock.isLeader()).isTrue();
        }

        @Test
        void aReaderMayNotHandOver() throws Exception {
            assertThat(statusOf(handingOver(request(READER)))).isEqualTo(403);
            assertThat(lock.isLeader()).isTrue();
        }
    }

    @Nested
    class AnOperator {

        @Test
        void anOperatorEndsTheTermAndThenConflictsWithTheEnd() throws Exception {
            try (ConfigurableApplicationContext resigning = run()) {
                assertThat(statusOf(request(resigning, OPERATOR, "").DELETE())).isEqualTo(204);
                // The response doesn't wait for the end of the term.
                Awaitility.await().until(() -> !Standalone.lock(resigning).isLeader());
                assertThat(statusOf(request(resigning, OPERATOR, "").DELETE())).isEqualTo(409);
            }
        }

        @Test
        void anOperatorReachesTheEndpointByPost() throws Exception {
            // A standalone application has no other candidate, so the endpoint itself refuses.
            HttpResponse<String> answer = send(handingOver(request(OPERATOR)));

            assertThat(answer.statusCode()).isEqualTo(409);
            assertThat(answer.body()).contains("candidates for default/orders race for it");
        }
    }

    /** All requests that another site's page can make a browser send with the operator's login, without a preflight. */
    @Nested
    class AForgedRequest {

        @ParameterizedTest
        @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"})
        void aForgedFormIsOfAnUnsupportedType(String type) throws Exception {
            HttpRequest.Builder form = request(OPERATOR, "?successor=orders-b")
                    .header("Content-Type", type)
                    .POST(BodyPublishers.ofString(SUCCESSOR));

            assertThat(statusOf(form)).isEqualTo(415);
        }

        @Test
        void withoutABodyIsOfAnUnsupportedType() throws Exception {
            assertThat(statusOf(request(OPERATOR, "?successor=orders-b").POST(BodyPublishers.noBody())))
                    .isEqualTo(415);
        }

        @ParameterizedTest
        @ValueSource(strings = {"DELETE", "POST"})
        void aForgedRequestIsNotAllowedByAPreflight(String method) throws Exception {
            HttpResponse<String> answer = send(request(ANONYMOUS)
                    .header("Origin", "https://elsewhere.example")
                    .header("Access-Control-Request-Method", method)
                    .header("Access-Control-Request-Headers", "content-type")
                    .method("OPTIONS", BodyPublishers.noBody()));

            assertThat(answer.statusCode()).isGreaterThanOrEqualTo(400);
            assertThat(answer.headers().map()).doesNotContainKey("access-control-allow-origin");
        }
    }
}

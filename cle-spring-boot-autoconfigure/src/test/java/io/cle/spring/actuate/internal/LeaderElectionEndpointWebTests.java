package io.cle.spring.actuate.internal;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import io.cle.CoordinatedLeaseLock;
import io.cle.RevokeReason;
import io.cle.spring.FakeLock;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.lock.internal.WorkLog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** HTTP requests to the endpoint of a real application with all features enabled. */
class LeaderElectionEndpointWebTests {

    private static final JsonMapper JSON = JsonMapper.shared();

    private static ConfigurableApplicationContext context;
    private static URI actuator;

    private final FakeLock lock = (FakeLock) context.getBean(CoordinatedLeaseLock.class);

    @BeforeAll
    static void start() {
        context = run("--management.endpoint.leaderelection.access=unrestricted");
        actuator = actuatorOf(context);
    }

    private static ConfigurableApplicationContext run(String... arguments) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setRegisterShutdownHook(false);
        return application.run(Stream.concat(
                        Stream.of(
                                "--spring.application.name=orders",
                                "--spring.main.banner-mode=off",
                                "--server.port=0",
                                "--server.address=127.0.0.1",
                                "--cle.leases.reports.namespace=office",
                                "--management.endpoints.web.exposure.include=*",
                                "--management.endpoint.health.show-details=always"),
                        Stream.of(arguments))
                .toArray(String[]::new));
    }

    private static URI actuatorOf(ConfigurableApplicationContext running) {
        int port = ((WebServerApplicationContext) running).getWebServer().getPort();
        return URI.create("http://127.0.0.1:" + port + "/actuator/");
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    private static HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(actuator.resolve(path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(actuator.resolve(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static void assertJson(String actual, String expected) {
        assertThat(JSON.readTree(actual)).isEqualTo(JSON.readTree(expected));
    }

    @Test
    void aLeaderIsShownWithEverythingThatIsKnown() throws Exception {
        long token = lock.grant().fencingToken();

        HttpResponse<String> response = send("GET", "leaderelection/orders");

        assertThat(response.statusCode()).isEqualTo(200);
        assertJson(response.body(), """
                {
                  "lease": "shop/orders",
                  "kind": "coordinated",
                  "role": "LEADER",
                  "identity": "orders-a",
                  "holder": "orders-a",
                  "fencingToken": %d,
                  "acquireTime": "2026-01-01T00:00:00Z",
                  "renewTime": "2026-01-01T00:00:03Z",
                  "validFor": "PT7.5S",
                  "strategy": "OldestCompatibilityVersion",
                  "electedBy": "coordinated-election-controller",
                  "uncoordinated": null,
                  "transitions": 4,
                  "endOfTerm": false,
                  "preferredHolder": null,
                  "candidate": {
                    "name": "orders-a",
                    "binaryVersion": "1.2.0",
                    "compatibilityVersion": "1.1.0",
                    "strategy": "OldestCompatibilityVersion",
                    "priority": 7,
                    "renewTime": "2026-01-01T00:00:00Z",
                    "pingTime": null
                  },
                  "candidacy": {"ok": true, "since": "2026-01-01T00:00:00Z", "problem": null},
                  "writes": {"ok": true, "since": "2026-01-01T00:00:00Z", "problem": null},
                  "timing": {
                    "leaseDuration": "PT15S",
                    "renewDeadline": "PT10S",
                    "retryPeriod": "PT2S",
                    "renewInterval": "PT3S",
                    "toleratedClockRateRatio": 1.5,
                    "toleratedOutage": "PT5S",
                    "worstCrashFailover": "PT15S"
                  },
                  "contact": {"ok": true, "since": "2026-01-01T00:00:00Z", "problem": null},
                  "history": [{"time": "2026-01-01T00:00:00Z", "what": "is a candidate"}],
                  "work": []
                }""".formatted(token));
    }

    @Test
    void ledWorkIsShownWithItsLastFailure() throws Exception {
        JsonNode reports = JSON.readTree(send("GET", "leaderelection/reports").body());
        assertJson(reports.get("work").toString(), """
                [{
                  "work": "printer.print",
                  "state": "LAST_RUN_FAILED",
                  "failures": 2,
                  "overlaps": 1,
                  "lastFailure": "java.io.IOException: out of paper"
                }]""");
    }

    @Test
    void allLeasesAreShownByName() throws Exception {
        HttpResponse<String> response = send("GET", "leaderelection");
        assertThat(JSON.readTree(response.body()).get("leases").propertyNames()).containsExactly("orders", "reports");
    }

    @Test
    void aLeaseThatThereIsNotIsNotFound() throws Exception {
        assertThat(send("GET", "leaderelection/nowhere").statusCode()).isEqualTo(404);
        assertThat(send("DELETE", "leaderelection/nowhere").statusCode()).isEqualTo(404);
    }

    @Test
    void aLeaderResignsWhenItIsAskedTo() throws Exception {
        lock.grant();
        assertThat(send("DELETE", "leaderelection/orders").statusCode()).isEqualTo(204);
        assertThat(lock.isLeader()).isFalse();
    }

    @Test
    void aProcessThatDoesNotLeadAnswersWithTheHolder() throws Exception {
        lock.revoke(RevokeReason.RESIGNED).join();

        HttpResponse<String> response = send("DELETE", "leaderelection/orders");

        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(response.body()).contains("does not lead the lease shop/orders", "\"holder\":\"orders-b\"");
    }

    @Nested
    class NamingASuccessor {

        @Test
        void namingASuccessorResignsAndAnswersWithTheOutcome() throws Exception {
            lock.grant();

            HttpResponse<String> response = post("leaderelection/orders", "{\"successor\": \"orders-b\"}");

            assertThat(response.statusCode()).isEqualTo(200);
            assertJson(response.body(), "{\"outcome\": \"handed over\", \"successor\": \"orders-b\"}");
            assertThat(lock.isLeader()).isFalse();
        }

        @Test
        void namingASuccessorIsAConflictIfTheSuccessorIsNoCandidate() throws Exception {
            lock.grant();

            HttpResponse<String> response = post("leaderelection/orders", "{\"successor\": \"orders-x\"}");

            assertThat(response.statusCode()).isEqualTo(409);
            assertThat(response.body()).contains("'orders-x' is not another candidate for shop/orders");
            assertThat(lock.isLeader()).isTrue();
        }

        @Test
        void namingASuccessorIsNoConflictButTheReasonIfTheApiServerDoesNotSayWhetherItIsACandidate() throws Exception {
            lock.grant();

            HttpResponse<String> response = post("leaderelection/orders", "{\"successor\": \"orders-unread\"}");

            assertThat(response.statusCode()).isEqualTo(502);
            assertThat(response.body()).contains("the candidate can't be read: status 403");
            assertThat(lock.isLeader()).isTrue();
        }

        @Test
        void namingASuccessorIsAConflictWithTheHolderIfThisProcessDoesNotLead() throws Exception {
            lock.revoke(RevokeReason.RESIGNED).join();

            HttpResponse<String> response = post("leaderelection/orders", "{\"successor\": \"orders-b\"}");

            assertThat(response.statusCode()).isEqualTo(409);
            assertThat(response.body()).contains("does not lead the lease shop/orders", "\"holder\":\"orders-b\"");
        }

        @Test
        void namingASuccessorIsRefusedWithoutAName() throws Exception {
            lock.grant();

            for (String body : List.of("{}", "{\"successor\": \" \"}")) {
                HttpResponse<String> response = post("leaderelection/orders", body);
                assertThat(response.statusCode()).as(body).isEqualTo(400);
                assertThat(response.body()).as(body).contains("the body names no successor");
            }
            assertThat(lock.isLeader()).isTrue();
        }

        @Test
        void namingASuccessorIsNotFoundForALeaseThatDoesNotExist() throws Exception {
            assertThat(post("leaderelection/nowhere", "{\"successor\": \"orders-b\"}")
                            .statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void resigningIsClosedByDefault() throws Exception {
        try (ConfigurableApplicationContext closed = run()) {
            FakeLock leading = (FakeLock) closed.getBean(CoordinatedLeaseLock.class);
            leading.grant();
            URI endpoint = actuatorOf(closed).resolve("leaderelection/orders");
            HttpClient http = HttpClient.newHttpClient();

            HttpResponse<String> answer =
                    http.send(HttpRequest.newBuilder(endpoint).DELETE().build(), HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(405);
            assertThat(leading.isLeader()).isTrue();
            assertThat(http.send(HttpRequest.newBuilder(endpoint).build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void anApiServerThatIsAwayShowsInTheContributorAndNotInTheApplicationsHealth() throws Exception {
        assertThat(send("GET", "health/leaderElection").body()).contains("\"status\":\"UP\"");
        lock.contact(false, Instant.EPOCH, "connection refused");
        try {
            assertThat(send("GET", "health/leaderElection").body())
                    .contains("\"status\":\"UNKNOWN\"", "connection refused");
            assertThat(send("GET", "health").statusCode()).isEqualTo(200);
            assertThat(send("GET", "health/readiness").body()).contains("\"status\":\"UP\"");
        } finally {
            lock.contact(true, FakeLock.SINCE, null);
        }
    }

    @Test
    void metersAreThere() throws Exception {
        assertThat(send("GET", "metrics").body())
                .contains("leader.election.master.status", "cle.terms", "cle.revocations", "cle.validity");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        LeaseLockFactory factory() {
            return FakeLock.factory();
        }

        @Bean
        SmartInitializingSingleton ledWork(Leases leases) {
            return () -> {
                WorkLog printing = new WorkLog("printer.print");
                printing.overlapped();
                printing.failed(new IOException("out of paper"), WorkLog.State.LAST_RUN_FAILED);
                printing.failed(new IOException("out of paper"), WorkLog.State.LAST_RUN_FAILED);
                leases.get("reports").addWork(List.of(printing));
            };
        }
    }
}

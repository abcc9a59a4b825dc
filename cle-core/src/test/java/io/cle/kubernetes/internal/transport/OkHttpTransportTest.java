package io.cle.kubernetes.internal.transport;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.matching.RequestPatternBuilder;
import com.google.gson.JsonObject;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.KubernetesTransport.WatchEnd;
import io.cle.loop.internal.LoggedLines;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.Pair;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.credentials.RefreshAuthentication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.equalToJson;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.matching;
import static com.github.tomakehurst.wiremock.client.WireMock.patchRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Requests of the real transport, also with answers that no healthy server sends. */
@Timeout(60)
class OkHttpTransportTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Long enough to send a request with code that hasn't run before. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private static final String PATH = "/apis/coordination.k8s.io/v1/namespaces/shop/leases/orders";

    private final WireMockServer server =
            new WireMockServer(options().dynamicPort().bindAddress("127.0.0.1"));
    private KubernetesTransport transport;

    @RegisterExtension
    final LoggedLines logged = new LoggedLines(OkHttpTransport.class);

    @BeforeEach
    void start() {
        server.start();
        transport = OkHttpTransport.to(KubernetesAccess.at("http://127.0.0.1:" + server.port() + "/"));
    }

    @AfterEach
    void stop() {
        transport.close();
        server.stop();
    }

    private static ApiRequest patch(Duration timeout) {
        JsonObject body = FakeTransport.json("{'metadata': {'labels': {'gone': null}}}");
        return new ApiRequest(Verb.PATCH, ResourceType.LEASES, "shop", "orders", Map.of(), body, timeout);
    }

    private static ApiRequest get() {
        return new ApiRequest(Verb.GET, ResourceType.LEASES, "shop", "orders", Map.of(), null, TIMEOUT);
    }

    private void answer(ResponseDefinitionBuilder response) {
        server.stubFor(any(anyUrl()).willReturn(response));
    }

    private ApiResponse send(ApiRequest request) throws Exception {
        return transport.send(request).toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private ApiResponse.Answered answered(ApiRequest request) throws Exception {
        ApiResponse response = send(request);
        assertThat(response).isInstanceOf(ApiResponse.Answered.class);
        return (ApiResponse.Answered) response;
    }

    /** Verifies that exactly this request was sent: nothing is retried behind the caller's back. */
    private void sentOnce(RequestPatternBuilder request) {
        server.verify(1, request);
        server.verify(1, anyRequestedFor(anyUrl()));
    }

    @Test
    void aMergePatchIsSentAsItStandsWithItsNulls() throws Exception {
        answer(aResponse().withBody("{\"novelty\": {\"deep\": [1, null]}}"));

        ApiResponse.Answered response = answered(patch(TIMEOUT));

        assertThat(response.ok()).isTrue();
        assertThat(response.body()).isEqualTo(FakeTransport.json("{'novelty': {'deep': [1, null]}}"));
        server.verify(
                1,
                patchRequestedFor(urlEqualTo(PATH))
                        .withHeader("Content-Type", equalTo("application/merge-patch+json"))
                        .withHeader("User-Agent", matching("cle/.+"))
                        .withRequestBody(equalToJson("{\"metadata\": {\"labels\": {\"gone\": null}}}")));
    }

    @Nested
    class AList {

        private final List<JsonObject> items = new ArrayList<>();

        private ApiResponse list(String body) throws Exception {
            answer(aResponse().withBody(body));
            ApiRequest request =
                    new ApiRequest(Verb.LIST, ResourceType.LEASES, "shop", null, Map.of("limit", "2"), null, TIMEOUT);
            return transport.list(request, items::add).toCompletableFuture().get(30, TimeUnit.SECONDS);
        }

        @Test
        void aListIsHandedOverObjectByObject() throws Exception {
            ApiResponse response = list(
                    "{\"metadata\": {\"resourceVersion\": \"7\"}, \"items\": [{\"a\": 1}, {\"b\": [2]}], \"kind\": \"List\"}");

            assertThat(items).containsExactly(FakeTransport.json("{'a': 1}"), FakeTransport.json("{'b': [2]}"));
            assertThat(((ApiResponse.Answered) response).body())
                    .isEqualTo(FakeTransport.json("{'metadata': {'resourceVersion': '7'}, 'kind': 'List'}"));
            server.verify(
                    1, getRequestedFor(urlEqualTo("/apis/coordination.k8s.io/v1/namespaces/shop/leases?limit=2")));
        }

        @Test
        void aListIsNoAnswerIfTheReaderOfItsObjectsThrowsAnError() throws Exception {
            answer(aResponse().withBody("{\"items\": [{\"a\": 1}]}"));
            ApiRequest request = new ApiRequest(Verb.LIST, ResourceType.LEASES, "shop", null, Map.of(), null, TIMEOUT);

            ApiResponse response = transport
                    .list(request, item -> {
                        throw new NoClassDefFoundError("Missing");
                    })
                    .toCompletableFuture()
                    .get(30, TimeUnit.SECONDS);

            assertThat(((ApiResponse.Unanswered) response).message()).contains("NoClassDefFoundError: Missing");
        }

        @Test
        void aListMayHaveNoItems() throws Exception {
            assertThat(list("{\"items\": null}")).isInstanceOf(ApiResponse.Answered.class);
            assertThat(items).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{\"items\": [{\"a\": 1}",
                    "{\"items\": [{\"a\": 1}, 2]}",
                    "{\"items\": [{\"a\": 1}]} {}",
                    "{\"items\": [{'a': 1}]}",
                    "[]",
                    "<html>",
                    ""
                })
        void aListIsNoAnswerUnlessItIsWhole(String body) throws Exception {
            assertThat(list(body))
                    .isInstanceOfSatisfying(
                            ApiResponse.Unanswered.class,
                            unanswered -> assertThat(unanswered.message())
                                    .startsWith("GET /apis/coordination.k8s.io/v1/namespaces/shop/leases: "));
        }
    }

    @Test
    void aConflictIsAnAnswerWithItsStatus() throws Exception {
        answer(aResponse().withStatus(409).withBody("{\"kind\": \"Status\", \"message\": \"modified\"}"));

        ApiResponse.Answered response = answered(patch(TIMEOUT));

        assertThat(response.status()).isEqualTo(409);
        assertThat(response.body().get("message").getAsString()).isEqualTo("modified");
        sentOnce(patchRequestedFor(urlEqualTo(PATH)));
    }

    @Test
    void aMissingRightIsLoggedOnceWithTheRoleThatHasIt() throws Exception {
        answer(aResponse().withStatus(403).withBody("""
                {"kind": "Status", "message": "leases.coordination.k8s.io \\"orders\\" is forbidden: User \\"system:serviceaccount:shop:orders\\" \
                cannot patch resource \\"leases\\" in API group \\"coordination.k8s.io\\" in the namespace \\"shop\\""}"""));

        answered(patch(TIMEOUT));
        answered(patch(TIMEOUT));

        assertThat(logged.lines())
                .singleElement()
                .asString()
                .startsWith("WARN A right is missing: PATCH " + PATH)
                .contains(
                        "cannot patch resource \"leases\"",
                        "in the namespace \"shop\"",
                        "the ClusterRole cle-application",
                        "to be bound by a RoleBinding in this namespace");
    }

    @Test
    void aRefusalOfAnAdmissionPolicyIsNotLoggedAsAMissingRight() throws Exception {
        answer(aResponse().withStatus(403).withBody("""
                {"kind": "Status", "message": "leases \\"orders\\" is forbidden: ValidatingAdmissionPolicy denied request"}"""));

        answered(patch(TIMEOUT));

        assertThat(logged.lines()).isEmpty();
    }

    @Test
    void aRefusalForWantOfCapacitySaysWhenToComeBack() throws Exception {
        answer(aResponse().withStatus(429).withHeader("Retry-After", "7").withBody("too many"));

        ApiResponse.Answered response = answered(patch(TIMEOUT));

        assertThat(response.status()).isEqualTo(429);
        assertThat(response.retryAfter()).isEqualTo(Duration.ofSeconds(7));
        assertThat(response.body().get("message").getAsString()).isEqualTo("too many");
        sentOnce(patchRequestedFor(urlEqualTo(PATH)));
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aBrokenAnswerIsNoAnswerAndTheWriteIsNotSentAgain(Fault fault) throws Exception {
        answer(aResponse().withFault(fault));

        assertThat(send(patch(TIMEOUT))).isInstanceOf(ApiResponse.Unanswered.class);
        sentOnce(patchRequestedFor(urlEqualTo(PATH)));
    }

    @Test
    void aWriteIsNotSentAgainBecauseTheServerSaysItIsUnavailableJustNow() throws Exception {
        answer(aResponse().withStatus(503).withHeader("Retry-After", "0"));

        assertThat(answered(patch(TIMEOUT)).status()).isEqualTo(503);
        sentOnce(patchRequestedFor(urlEqualTo(PATH)));
    }

    @Test
    void anErrorAfterTheWriteIsAnAnswerWithItsStatus() throws Exception {
        answer(aResponse().withStatus(500).withBody("boom"));

        assertThat(answered(patch(TIMEOUT)).status()).isEqualTo(500);
        sentOnce(patchRequestedFor(urlEqualTo(PATH)));
    }

    @Test
    void aSlowAnswerIsNoAnswerAfterTheTimeoutOfTheRequest() throws Exception {
        answer(aResponse().withFixedDelay(20_000).withBody("{}"));

        assertThatAPatchIsSentOnceAndNotAnsweredInTime();
    }

    @Test
    void anAnswerThatDribblesIsNoAnswerAfterTheTimeoutOfTheRequest() throws Exception {
        answer(aResponse().withChunkedDribbleDelay(100, 20_000).withBody("{" + " ".repeat(1000) + "}"));

        assertThatAPatchIsSentOnceAndNotAnsweredInTime();
    }

    private void assertThatAPatchIsSentOnceAndNotAnsweredInTime() throws Exception {
        long before = System.nanoTime();

        ApiResponse response = send(patch(SHORT));

        assertThat(response).isInstanceOf(ApiResponse.Unanswered.class);
        sentOnce(patchRequestedFor(urlEqualTo(PATH)));
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void sendingDoesNotWaitForTheAnswer() {
        answer(aResponse().withFixedDelay(20_000).withBody("{}"));

        CompletableFuture<ApiResponse> answer = transport.send(get()).toCompletableFuture();

        await().until(() -> !server.findAll(getRequestedFor(urlEqualTo(PATH))).isEmpty());
        assertThat(answer).isNotDone();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>", "[]", "\"ok\"", "{\"half\": ", "{} {}", "null"})
    void aSuccessThatIsNoJsonObjectIsNoAnswer(String body) throws Exception {
        answer(aResponse().withBody(body));

        assertThat(send(patch(TIMEOUT))).isInstanceOf(ApiResponse.Unanswered.class);
        sentOnce(patchRequestedFor(urlEqualTo(PATH)));
    }

    @Test
    void anAddressWithoutAListenerGivesNoResponse() throws Exception {
        server.stop();

        assertThat(send(get())).isInstanceOf(ApiResponse.Unanswered.class);
    }

    @Test
    void aProxyOfTheJvmThatDoesNotAnswerIsCalledAProxy() throws Exception {
        System.setProperty("http.proxyHost", "127.0.0.1");
        System.setProperty("http.proxyPort", String.valueOf(server.port()));
        server.stop();
        try (KubernetesTransport proxied = OkHttpTransport.to(KubernetesAccess.at("http://kubernetes.example"))) {
            ApiResponse response = proxied.send(get()).toCompletableFuture().get(30, TimeUnit.SECONDS);

            assertThat(response.toString())
                    .containsPattern("Failed to connect .* \\(through the proxy .*127.0.0.1:\\d+\\)");
        } finally {
            System.clearProperty("http.proxyHost");
            System.clearProperty("http.proxyPort");
        }
    }

    @Test
    void aFailureWithoutAProxyMentionsNone() throws Exception {
        server.stop();

        assertThat(send(get()).toString()).contains("Failed to connect").doesNotContain("proxy");
    }

    private KubernetesTransport authenticatedBy(RefreshAuthentication authentication) {
        ApiClient client = new ClientBuilder()
                .setBasePath("http://127.0.0.1:" + server.port())
                .setAuthentication(authentication)
                .build();
        return new OkHttpTransport(KubernetesAccess.of(client), "cle/test");
    }

    @Test
    void aTokenIsRenewedWhileTheTransportRuns() throws Exception {
        AtomicInteger count = new AtomicInteger();
        RefreshAuthentication authentication =
                new RefreshAuthentication(() -> "token-" + count.incrementAndGet(), Duration.ZERO);
        answer(aResponse().withBody("{}"));

        try (KubernetesTransport authenticated = authenticatedBy(authentication)) {
            for (int i = 0; i < 3; i++) {
                authenticated.send(get()).toCompletableFuture().get(30, TimeUnit.SECONDS);
            }
        }

        int last = count.get();
        assertThat(last).isGreaterThanOrEqualTo(3);
        server.verify(1, getRequestedFor(anyUrl()).withHeader("Authorization", equalTo("Bearer token-" + last)));
        server.verify(1, getRequestedFor(anyUrl()).withHeader("Authorization", equalTo("Bearer token-" + (last - 1))));
    }

    @Test
    void aTokenThatCannotBeRenewedIsNoAnswerAndNoThreadDiesOfIt() throws Exception {
        AtomicInteger count = new AtomicInteger();
        RefreshAuthentication authentication = new RefreshAuthentication(
                () -> {
                    if (count.incrementAndGet() > 1) {
                        throw new IllegalStateException("the file with the token is gone");
                    }
                    return "first";
                },
                Duration.ZERO);

        try (KubernetesTransport authenticated = authenticatedBy(authentication)) {
            ApiResponse response =
                    authenticated.send(get()).toCompletableFuture().get(30, TimeUnit.SECONDS);
            assertThat(response)
                    .isInstanceOfSatisfying(
                            ApiResponse.Unanswered.class,
                            unanswered -> assertThat(unanswered.message()).contains("the file with the token is gone"));
        }
    }

    @Test
    void credentialsThatCannotBeAddedToARequestAreNoAnswer() throws Exception {
        ApiClient client = new ApiClient() {
            @Override
            public void updateParamsForAuth(
                    String[] names,
                    List<Pair> query,
                    Map<String, String> headers,
                    Map<String, String> cookies,
                    String payload,
                    String method,
                    URI uri) {
                throw new IllegalStateException("the vault is sealed");
            }
        };
        client.setBasePath("http://127.0.0.1:" + server.port());
        CompletableFuture<WatchEnd> end = new CompletableFuture<>();

        try (KubernetesTransport authenticated = new OkHttpTransport(KubernetesAccess.of(client), "cle/test")) {
            ApiResponse response =
                    authenticated.send(get()).toCompletableFuture().get(30, TimeUnit.SECONDS);
            authenticated.watch(get(), new KubernetesTransport.WatchStream() {
                @Override
                public void onEvent(JsonObject event) {}

                @Override
                public void onEnd(WatchEnd ended) {
                    end.complete(ended);
                }
            });

            assertThat(response.toString()).contains("the vault is sealed");
            assertThat(end.get(30, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            WatchEnd.NotOpened.class,
                            ended -> assertThat(ended.message()).contains("the vault is sealed"));
        }
    }

    /** A coordinator pings thousands of candidates at once; each open request occupies a thread. */
    @Nested
    class LimitedToTwoRequestsAtOnce {

        private final List<CompletionStage<ApiResponse>> sent = new ArrayList<>();

        @Test
        void limitedToTwoRequestsAtOnceSendsTheOthersAfterThem() throws Exception {
            answer(aResponse().withFixedDelay(200).withBody("{}"));
            try (KubernetesTransport limited = limitedToTwo()) {
                for (int i = 0; i < 6; i++) {
                    sent.add(limited.send(get()));
                }
                for (CompletionStage<ApiResponse> response : sent) {
                    assertThat(response.toCompletableFuture().get(30, TimeUnit.SECONDS))
                            .isInstanceOf(ApiResponse.Answered.class);
                }
                assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(thread -> thread.getName().startsWith("cle-kubernetes-request-"))
                        .hasSize(2);
            }
        }

        @Test
        void limitedToTwoRequestsAtOnceDoesNotSendWhatHasWaitedForItsTurnForAllItsTime() throws Exception {
            answer(aResponse().withFixedDelay(1000).withBody("{}"));
            try (KubernetesTransport limited = limitedToTwo()) {
                limited.send(get());
                limited.send(get());

                ApiResponse response = limited.send(patch(Duration.ofMillis(100)))
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS);

                assertThat(response.toString()).contains("it has waited for a free thread");
                server.verify(0, patchRequestedFor(anyUrl()));
            }
        }

        private KubernetesTransport limitedToTwo() {
            return ((OkHttpTransport) transport).limitedTo(2);
        }
    }
}
